"""The table's stream: each new event goes to the queue of deliveries."""

from governance.deliveries.stream import handle as lambda_handler

__all__ = ["lambda_handler"]
