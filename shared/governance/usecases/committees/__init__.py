"""Committees and who is in them."""
