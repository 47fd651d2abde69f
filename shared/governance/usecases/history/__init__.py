"""Audit entries, the feed of a board's events, and the log that nobody can rewrite."""
