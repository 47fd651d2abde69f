"""What sends the events of a board to its webhooks."""
