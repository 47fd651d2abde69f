"""The record of rights that ended."""
