"""Received mails: answers of calendars to invitations."""

from governance.events.inbound import handle as lambda_handler

__all__ = ["lambda_handler"]
