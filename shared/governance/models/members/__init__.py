"""Members, and people without an account."""
