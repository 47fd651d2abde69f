"""What operators do."""
