"""The rows of the live channel (ADR live)."""
