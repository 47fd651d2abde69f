"""The requests of the live channel (ADR live)."""
