"""Rings those who listen to what changed, and ends what they have lost."""

from governance.live.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
