"""The rules of series of meetings."""
