"""Calendar feeds, invitations and replies."""
