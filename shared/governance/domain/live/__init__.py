"""The rules of the live channel (ADR live)."""
