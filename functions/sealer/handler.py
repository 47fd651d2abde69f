"""Seals what was recorded: gives it its place in the log that nobody can rewrite."""

from governance.sealing.worker import handle as lambda_handler

__all__ = ["lambda_handler"]
