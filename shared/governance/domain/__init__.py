"""The rules, pure: no I/O, no SDK, no framework."""
