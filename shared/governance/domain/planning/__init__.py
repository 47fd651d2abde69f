"""The rules of what a board plans: agenda templates, the backlog and the work plan."""
