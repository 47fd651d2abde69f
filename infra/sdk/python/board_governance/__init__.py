"""A client of the Board Governance Service: `Client` to call it, `AsyncClient` to await it."""

from . import webhooks
from .errors import ApiError, ConfigurationError
from .operations import AsyncClient, Client, __version__
from .values import Page, etag

__all__ = ["ApiError", "AsyncClient", "Client", "ConfigurationError", "Page", "__version__", "etag", "webhooks"]
