"""Rings the clients that listen to a change, and ends the rooms that they have lost."""

from governance.live.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
