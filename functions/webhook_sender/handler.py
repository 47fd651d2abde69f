"""Sends events to webhooks, from a queue of its own; the only function that can read their secrets."""

from governance.deliveries.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
