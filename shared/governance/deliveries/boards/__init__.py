"""What an event changes at once on its board, the cleanup after a deletion, and the filling of example boards."""
