"""Mail: letters from templates, and the one way in which they leave the service (ADR 0042)."""
