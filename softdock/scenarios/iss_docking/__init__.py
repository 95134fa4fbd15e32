"""The station's arm docks a payload."""
