"""Exports of a board or of a user's data."""
