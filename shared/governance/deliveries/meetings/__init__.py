"""What deliveries know of meetings: the slots that share a notification, and the links of people without an account."""
