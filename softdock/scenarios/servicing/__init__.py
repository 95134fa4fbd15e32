"""A chaser captures a tumbling satellite."""
