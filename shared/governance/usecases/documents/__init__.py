"""Documents, their versions and board packs."""
