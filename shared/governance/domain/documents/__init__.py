"""Documents and their versions."""
