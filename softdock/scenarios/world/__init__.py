"""Any described world."""
