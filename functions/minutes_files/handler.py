"""Makes and seals files of approved minutes, from a queue of their own; the only function that uses the sealing key."""

from governance.deliveries.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
