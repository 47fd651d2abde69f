"""Makes exports, from a queue of their own; the only function that reads everything of a board."""

from governance.deliveries.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
