"""The store: the only place that knows the table and its keys."""
