"""What follows an upload of a file: its scan, and that it is forgotten if it was never completed."""
