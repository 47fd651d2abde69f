"""Comments on meetings, documents and dashboards."""
