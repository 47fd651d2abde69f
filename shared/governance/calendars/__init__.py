"""Calendars as texts: RFC 5545 for feeds, RFC 5546 for invitations and the answers to them."""
