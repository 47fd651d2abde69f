"""The KPIs of the released catalog."""
