"""What a board plans, in the table: one item for each template, waiting item and matter, in the board's partition."""
