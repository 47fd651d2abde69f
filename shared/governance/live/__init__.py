"""The live channel: its protocol, and who is rung (ADR live)."""
