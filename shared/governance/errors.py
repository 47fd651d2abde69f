"""The error table: every code that the API answers, with its status and its message.

Raise `ApiError` (or one of the short-hands below it); nothing else in the project writes a status code of an error.
The codes and statuses are those of the API specification, section 7, and its additions (ADR 0005).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any


class Code(Enum):
    """An error code, with the HTTP status and the sentence that go with it."""

    INVALID_REQUEST_BODY = (400, "The request body is not valid.")
    INVALID_QUERY_PARAMETER = (400, "A query parameter is not valid.")
    UNAUTHENTICATED = (401, "A bearer token is required.")
    INVALID_API_TOKEN = (401, "The credential is unknown, expired or revoked.")
    ACCOUNT_SUSPENDED = (403, "This account is suspended.")
    ACCOUNT_INACTIVE = (403, "This account is inactive.")
    FORBIDDEN = (403, "You may not do this.")
    BILLING_RESTRICTED = (403, "The board's billing state does not allow this.")
    RESOURCE_NOT_FOUND = (404, "No such resource.")
    INVALID_INVITE_CODE = (404, "The invite code is invalid or has expired.")
    METHOD_NOT_ALLOWED = (405, "This path does not take this method.")
    CONFLICT = (409, "The request conflicts with the present state.")
    IDEMPOTENCY_CONFLICT = (409, "This idempotency key belongs to another request.")
    PAYLOAD_TOO_LARGE = (413, "The request body is too large.")
    UNSUPPORTED_MEDIA_TYPE = (415, "The request body must be JSON.")
    RATE_LIMITED = (429, "Too many requests.")
    INTERNAL_ERROR = (500, "Something went wrong on our side.")
    SERVICE_UNAVAILABLE = (503, "The service is busy; try again.")

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message

    @property
    def bare(self) -> bool:
        """Whether it is answered as `{message, code}`, without the envelope (the API specification, section 4.7)."""
        return self is Code.INVALID_INVITE_CODE


class Reason(StrEnum):
    """`details.reason` of a 409 `CONFLICT`; none of them is worth a retry."""

    SLOT_VOTES_CLOSED = "SLOT_VOTES_CLOSED"
    SLOT_IS_PROMOTED = "SLOT_IS_PROMOTED"
    SLOT_START_IN_PAST = "SLOT_START_IN_PAST"
    MEETING_FINALIZED = "MEETING_FINALIZED"
    MEETING_IS_DRAFT = "MEETING_IS_DRAFT"
    INVALID_TRANSITION = "INVALID_TRANSITION"
    REPORT_FINALIZED = "REPORT_FINALIZED"
    COMMITTEE_IN_USE = "COMMITTEE_IN_USE"
    LIMIT_REACHED = "LIMIT_REACHED"
    OWNER_ROLE = "OWNER_ROLE"
    OWNER_CANNOT_LEAVE = "OWNER_CANNOT_LEAVE"


class ApiError(Exception):
    """An answer other than success: a code of the table, and what the caller may know of why."""

    def __init__(
        self,
        code: Code,
        message: str | None = None,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code.name)
        self.code = code
        self.message = message or code.message
        self.details = details
        self.headers = dict(headers or {})


def not_found() -> ApiError:
    """404: absent, or hidden from this caller; the two look the same."""
    return ApiError(Code.RESOURCE_NOT_FOUND)


def forbidden(message: str | None = None, **details: Any) -> ApiError:
    """403 `FORBIDDEN`."""
    return ApiError(Code.FORBIDDEN, message, details or None)


def conflict(reason: Reason) -> ApiError:
    """409 `CONFLICT` with `details.reason`."""
    return ApiError(Code.CONFLICT, details={"reason": reason.value})


def invalid_body(fields: Mapping[str, str]) -> ApiError:
    """400 `INVALID_REQUEST_BODY`; `fields` maps each offending path to why."""
    return ApiError(Code.INVALID_REQUEST_BODY, details={"fields": dict(fields)})


def invalid_query(fields: Mapping[str, str]) -> ApiError:
    """400 `INVALID_QUERY_PARAMETER`; `fields` maps each offending parameter to why."""
    return ApiError(Code.INVALID_QUERY_PARAMETER, details={"fields": dict(fields)})


def unavailable(retry_after_seconds: int = 1) -> ApiError:
    """503: the store or the mail service cannot go on; nothing was changed."""
    return ApiError(Code.SERVICE_UNAVAILABLE, headers={"Retry-After": str(retry_after_seconds)})


def rate_limited(retry_after_seconds: int) -> ApiError:
    """429, with the seconds after which a request may pass again."""
    return ApiError(Code.RATE_LIMITED, headers={"Retry-After": str(max(1, retry_after_seconds))})
