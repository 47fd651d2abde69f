"""Rings those who listen, from a queue of its own."""

from governance.deliveries.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
