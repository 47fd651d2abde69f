"""The Board Governance Service: what all of its functions share."""
