"""What a board plans: agenda templates, the backlog and the work plan (an extension of the API, ADR planning)."""
