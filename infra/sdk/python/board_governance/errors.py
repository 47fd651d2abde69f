"""What goes wrong: one class for every answer that is not a success, one for settings that cannot work."""

from __future__ import annotations

from typing import Any

NO_RESPONSE, UNREADABLE_RESPONSE = "NO_RESPONSE", "UNREADABLE_RESPONSE"


class ConfigurationError(ValueError):
    """The address, the token, the proxy or the secret of a webhook cannot be used; nothing was sent."""


class ApiError(Exception):
    """The service refused a request, or did not answer it as it does.

    `code` is stable: decide by it, not by `message`. `status` is 0 and `code` is `NO_RESPONSE` where no answer came,
    `code` is `UNREADABLE_RESPONSE` where something else answered. Quote `request_id` when you report a problem.
    `details` is what the service says more, or None.
    """

    def __init__(
        self, status: int, code: str, message: str, request_id: str | None = None, details: Any = None
    ) -> None:
        super().__init__(status, code, message, request_id, details)
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id
        self.details = details

    def __str__(self) -> str:
        return f"{self.status} {self.code}: {self.message}" + (f" ({self.request_id})" if self.request_id else "")
