"""Members and committees."""
