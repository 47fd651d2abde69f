"""Makes board packs, from a queue of their own; the only function whose child processes read papers."""

from governance.deliveries.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
