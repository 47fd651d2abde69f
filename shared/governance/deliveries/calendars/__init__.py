"""Invitations to meetings by mail: who gets one is planned, what is due is claimed and mailed (ADR calendars)."""
