"""Boards and example boards."""
