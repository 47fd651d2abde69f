"""The errors of requests to the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class RefusedError(Exception):
    """The table answered with an error: its code, the HTTP status and, of a cancelled transaction, the reasons.

    What the table says in words is not kept: it may quote what was stored.
    """

    def __init__(self, code: str, status: int = 400, reasons: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.reasons = reasons


class NoAnswerError(Exception):
    """No whole answer came, though the request may have been carried out; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class NoCredentialsError(NoAnswerError):
    """There are no credentials to sign a request with."""

    def __init__(self) -> None:
        super().__init__("NoCredentialsError")
