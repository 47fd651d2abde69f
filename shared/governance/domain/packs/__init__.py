"""Board packs."""
