"""Sends the events of a board to its webhooks."""
