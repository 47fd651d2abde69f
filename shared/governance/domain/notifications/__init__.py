"""Notifications, and what becomes due."""
