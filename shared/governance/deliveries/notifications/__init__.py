"""Notifications: who is notified of an event, first in the app, then by e-mail (ADR deliveries)."""
