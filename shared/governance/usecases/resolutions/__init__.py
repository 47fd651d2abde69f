"""Use cases of resolutions."""
