"""Notifications: what follows from an event, whom it concerns, in the app, then by e-mail (ADR deliveries)."""
