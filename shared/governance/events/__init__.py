"""What follows from an event of a board: notifications and e-mails."""
