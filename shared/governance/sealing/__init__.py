"""Sealing: makes what was recorded part of the log that nobody can rewrite (ADR log)."""
