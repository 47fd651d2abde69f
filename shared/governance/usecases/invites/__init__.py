"""Invites."""
