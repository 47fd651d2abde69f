"""Pydantic models of responses, request bodies, queries and stored items."""
