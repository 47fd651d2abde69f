"""Invites and invite links."""
