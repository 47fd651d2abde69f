"""Pydantic models: resources out, bodies in, stored items."""
