"""Accounts: users, tokens and their settings."""
