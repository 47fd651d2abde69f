"""The consequences of an event of a board: notifications, e-mails, calendar invitations, cleanup."""
