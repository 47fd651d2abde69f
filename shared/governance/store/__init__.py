"""The one table: the only place that knows the SDK and its keys."""
