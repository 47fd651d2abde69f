"""The formats of the log that nobody can rewrite: C2SP's tiles, signed notes and proofs, as pure functions."""
