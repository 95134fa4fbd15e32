"""An arm reaches a free target, couples to it and drags it in."""
