"""The store: the only place that knows the SDK, the table and its keys."""
