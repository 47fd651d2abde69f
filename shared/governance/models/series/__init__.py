"""Series of meetings and their occurrences."""
