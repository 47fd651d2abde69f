"""Resolutions and their ballots (an extension of the API, ADR resolutions)."""
