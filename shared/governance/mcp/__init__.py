"""The Model Context Protocol: the routes of the API as tools, the KPI catalog as resources (ADR agents)."""
