"""The table's stream: notifications and mails follow from events."""

from governance.events.stream import handle as lambda_handler

__all__ = ["lambda_handler"]
