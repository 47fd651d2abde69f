"""Exports: reads what a user may see of a board, or what is theirs, into one file (ADR exports)."""
