"""What follows from an event of a board: notifications, e-mails, calendar invitations, cleanup."""
