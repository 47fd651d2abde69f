"""The queue of deliveries: notifications, mails and cleanup, in messages of a bounded size."""

from governance.events.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
