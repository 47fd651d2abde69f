"""What follows from an event: notifications and mails."""
