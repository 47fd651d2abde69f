"""What deliveries know of meetings: the slots that are told together, and the links of people without an account."""
