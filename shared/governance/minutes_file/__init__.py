"""The file of approved minutes: drawn, sealed, and recognised when it comes back with more signatures (ADR minutes)."""
