"""The formulas of the current release of the catalog, read from the bucket of the catalog (ADR figures).

An execution environment reads them once, and asks every few minutes whether there is another release. If the bucket
does not answer, the formulas that were read before stay in use.
"""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from governance import aws, deadline
from governance.domain.reports.kpi_formulas import KpiFormulas, from_text
from governance.settings import settings
from governance.telemetry import log_error

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import GetObjectRequestTypeDef

OBJECT_KEY = "catalog/formulas.json"
"""The object of the current release; publishing a release replaces it."""
_FRESH_SECONDS, _RETRY_SECONDS = 300.0, 30.0
_NEEDED_SECONDS = 8.0
"""Time for two attempts at the bucket; with less time left, the request's own calls come first."""


class CurrentFormulas:
    """The formulas as they were read last, and when to ask again."""

    def __init__(self) -> None:
        self._formulas: KpiFormulas | None = None
        self._etag: str | None = None
        self._ask_at = float("-inf")

    def get(self) -> KpiFormulas | None:
        """Returns the formulas; None if they have never been read and the bucket does not answer."""
        if time.monotonic() >= self._ask_at and deadline.has_time(_NEEDED_SECONDS):
            try:
                self._ask()
                self._ask_at = time.monotonic() + _FRESH_SECONDS
            except (*aws.errors(), ValueError, KeyError) as error:
                log_error("formulas unavailable", error)
                self._ask_at = time.monotonic() + _RETRY_SECONDS
        return self._formulas

    def _ask(self) -> None:
        request: GetObjectRequestTypeDef = {"Bucket": settings().bucket_name, "Key": OBJECT_KEY}
        if self._etag is not None:
            request["IfNoneMatch"] = self._etag
        try:
            answer: Any = aws.s3().get_object(**request)
        except aws.refusal() as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == HTTPStatus.NOT_MODIFIED:
                return
            raise
        self._formulas, self._etag = from_text(answer["Body"].read().decode()), answer["ETag"]


_current = CurrentFormulas()


def current() -> KpiFormulas | None:
    """Returns the formulas of the current release, at most some minutes old; None while they cannot be read."""
    return _current.get()
