"""The rules: pure functions without I/O, SDK or framework."""
