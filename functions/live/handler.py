"""The live channel: opens connections, answers their messages, and forgets those that end."""

from governance.http.live.live_channel import handle as lambda_handler

__all__ = ["lambda_handler"]
