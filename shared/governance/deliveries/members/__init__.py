"""What follows for members and people without an account: recommended merges, and mails that come back."""
