"""The error table: every error code of the API, with its status and its message.

Raise `ApiError` or use one of the functions below it; no other module names the status of an error. The codes and
statuses are those of the API specification, section 7, and of ADR requests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum, StrEnum
from itertools import islice
from typing import Any

from governance.limits import BODY_BYTES, NAMED_ERRORS


class Code(Enum):
    """An error code, with its HTTP status and its default message."""

    INVALID_REQUEST_BODY = (400, "Correct the fields of the request body that `details.fields` names.")
    INVALID_QUERY_PARAMETER = (400, "Correct the query parameters that `details.fields` names.")
    NOT_OUR_FILE = (400, "Send the sealed file of these minutes as it is, with signatures behind it and nothing else.")
    UNAUTHENTICATED = (401, "Send a session or an API token as a bearer token.")
    INVALID_API_TOKEN = (401, "The credential is unknown, expired or revoked; send another one.")
    ACCOUNT_SUSPENDED = (403, "This account is suspended.")
    ACCOUNT_INACTIVE = (403, "This account is inactive.")
    FORBIDDEN = (403, "You are not allowed to do this.")
    FRESH_SESSION_REQUIRED = (
        403,
        "Sign in again: this needs a session whose user has just signed in.",
    )
    BILLING_RESTRICTED = (403, "The board's billing state does not allow changes.")
    RESOURCE_NOT_FOUND = (404, "No such resource.")
    INVALID_INVITE_CODE = (404, "The invite code is invalid or has expired.")
    METHOD_NOT_ALLOWED = (405, "This path does not take this method.")
    NOT_ACCEPTABLE = (
        406,
        "The response is too large as it is; send `Accept-Encoding: gzip`, or remove some of it first.",
    )
    CONFLICT = (409, "The request conflicts with the current state of the resource.")
    IDEMPOTENCY_CONFLICT = (409, "This idempotency key was used for another request; use a new one.")
    PRECONDITION_FAILED = (412, "The resource has changed: it has none of the tags in `If-Match`. Read it again.")
    PAYLOAD_TOO_LARGE = (413, f"The request body must be at most {BODY_BYTES // 1024} KiB.")
    UNSUPPORTED_MEDIA_TYPE = (415, "Send the request body as JSON, with `Content-Type: application/json`.")
    RATE_LIMITED = (429, "Too many requests; retry after the seconds in `Retry-After`.")
    INTERNAL_ERROR = (500, "Something went wrong in the service.")
    SERVICE_UNAVAILABLE = (503, "The service is busy; retry after the seconds in `Retry-After`.")

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message

    @property
    def refuses_access(self) -> bool:
        """Whether the error is about the caller: the credential, what it permits, or an absent or hidden item."""
        return self.status in {401, 403, 404}

    @property
    def bare(self) -> bool:
        """Whether the body is `{message, code}`, without the envelope (the API specification, section 4.7)."""
        return self is Code.INVALID_INVITE_CODE


class Reason(StrEnum):
    """`details.reason` of a 409 `CONFLICT`; a retry of the same request cannot succeed."""

    SLOT_VOTES_CLOSED = "SLOT_VOTES_CLOSED"
    SLOT_IS_PROMOTED = "SLOT_IS_PROMOTED"
    SLOT_START_IN_PAST = "SLOT_START_IN_PAST"
    MEETING_FINALIZED = "MEETING_FINALIZED"
    MEETING_CANCELLED = "MEETING_CANCELLED"
    MEETING_IS_DRAFT = "MEETING_IS_DRAFT"
    INVALID_TRANSITION = "INVALID_TRANSITION"
    MINUTES_EXIST = "MINUTES_EXIST"
    REPORT_FINALIZED = "REPORT_FINALIZED"
    IN_MINUTES = "IN_MINUTES"
    NO_SERIES = "NO_SERIES"
    COMMITTEE_IN_USE = "COMMITTEE_IN_USE"
    LIMIT_REACHED = "LIMIT_REACHED"
    OWNER_ROLE = "OWNER_ROLE"
    OWNER_CANNOT_LEAVE = "OWNER_CANNOT_LEAVE"
    WEBHOOK_DISABLED = "WEBHOOK_DISABLED"
    EXAMPLE_BOARD = "EXAMPLE_BOARD"
    EXPORT_RUNNING = "EXPORT_RUNNING"
    UPLOAD_INCOMPLETE = "UPLOAD_INCOMPLETE"
    CYCLE_OPEN = "CYCLE_OPEN"
    SECTIONS_OPEN = "SECTIONS_OPEN"
    NOT_NEEDED = "NOT_NEEDED"
    MIXED_READERS = "MIXED_READERS"
    PACK_RUNNING = "PACK_RUNNING"
    FILE_IS_SCANNED = "FILE_IS_SCANNED"
    FILE_REJECTED = "FILE_REJECTED"
    NOT_DRAFT = "NOT_DRAFT"
    RESOLUTION_CLOSED = "RESOLUTION_CLOSED"
    RECUSED = "RECUSED"
    ALREADY_VOTED = "ALREADY_VOTED"
    BALLOTS_CAST = "BALLOTS_CAST"
    PROXIES_NOT_ALLOWED = "PROXIES_NOT_ALLOWED"
    PROXY_CHAIN = "PROXY_CHAIN"
    VOTES_OPEN = "VOTES_OPEN"
    NOT_CLOSED = "NOT_CLOSED"
    IN_USE = "IN_USE"
    ADDRESS_IN_USE = "ADDRESS_IN_USE"
    SCRUBBED = "SCRUBBED"
    MERGED = "MERGED"
    BOTH_ATTENDED = "BOTH_ATTENDED"
    OCCURRENCE_OPENED = "OCCURRENCE_OPENED"
    OCCURRENCE_CANCELLED = "OCCURRENCE_CANCELLED"
    NOT_DELIVERED = "NOT_DELIVERED"
    DECIDED = "DECIDED"
    NOT_CIRCULATED = "NOT_CIRCULATED"
    REMARKS_CLOSED = "REMARKS_CLOSED"
    REMARK_DISPOSED = "REMARK_DISPOSED"
    REMARKS_OPEN = "REMARKS_OPEN"
    MINUTES_CHANGED = "MINUTES_CHANGED"
    MINUTES_APPROVED = "MINUTES_APPROVED"
    NOT_APPROVED = "NOT_APPROVED"
    ALREADY_SIGNED = "ALREADY_SIGNED"
    IN_CAMERA = "IN_CAMERA"


_CONFLICTS: Mapping[Reason, str] = {
    Reason.SLOT_VOTES_CLOSED: "The meeting no longer accepts slots or votes, or the slot has begun.",
    Reason.SLOT_IS_PROMOTED: "The meeting is booked for this slot; confirm another slot first.",
    Reason.SLOT_START_IN_PAST: "The slot has begun; confirm a later one.",
    Reason.MEETING_FINALIZED: "The meeting is finalized and cannot be changed.",
    Reason.MEETING_CANCELLED: "The meeting is cancelled; take the cancellation back first.",
    Reason.MEETING_IS_DRAFT: "The meeting is a draft; schedule it first.",
    Reason.INVALID_TRANSITION: "The status cannot change from its current value to this one.",
    Reason.MINUTES_EXIST: "The meeting has minutes; delete them before you restore earlier ones.",
    Reason.REPORT_FINALIZED: "The report is finalized and cannot be changed.",
    Reason.IN_MINUTES: "The item has an entry in the minutes of its meeting; delete that entry first.",
    Reason.NO_SERIES: "The meeting is of no series, or no other one of the series follows; choose a meeting.",
    Reason.COMMITTEE_IN_USE: "The committee has documents or plans; move or delete them, or leave a member in it.",
    Reason.LIMIT_REACHED: "The limit is reached; remove one before you add another.",
    Reason.OWNER_ROLE: "The owner cannot be changed or removed; transfer the ownership first.",
    Reason.OWNER_CANNOT_LEAVE: "The owner cannot leave; transfer the ownership first.",
    Reason.EXAMPLE_BOARD: "An example board sends no e-mails; invite people to a board of your own.",
    Reason.EXPORT_RUNNING: "An export is running; wait until it has ended.",
    Reason.UPLOAD_INCOMPLETE: "The file has not arrived as it was declared; send it by the form, then repeat this.",
    Reason.NOT_NEEDED: "The member may edit the dashboard already, as its owner or as a manager of the board.",
    Reason.FILE_IS_SCANNED: "The file is being scanned for malware; try again in a minute.",
    Reason.FILE_REJECTED: "The scan for malware has not let the file pass; add another version.",
    Reason.MIXED_READERS: "The agenda has papers of two committees; make a meeting for each of them.",
    Reason.PACK_RUNNING: "A pack of the meeting is being made; wait until it is ready or has failed, or delete it.",
    Reason.CYCLE_OPEN: "The report is in a cycle that is not published; publish or delete that cycle first.",
    Reason.SECTIONS_OPEN: "Sections are not reviewed or have open flags; complete them, or send `force`.",
    Reason.WEBHOOK_DISABLED: "The webhook is disabled; enable it first.",
    Reason.NOT_DRAFT: "The resolution was opened and cannot be changed; withdraw it, and draft another one.",
    Reason.RESOLUTION_CLOSED: "The resolution is not open for votes.",
    Reason.RECUSED: "The voter is recused from this resolution.",
    Reason.ALREADY_VOTED: "The voter has voted already, and that ballot stands.",
    Reason.BALLOTS_CAST: "Ballots are secret and some were cast; from then on voters can only recuse themselves.",
    Reason.PROXIES_NOT_ALLOWED: "The rule of this resolution allows no proxies.",
    Reason.PROXY_CHAIN: "A holder of a proxy cannot give one, and a voter who gave one cannot hold one.",
    Reason.VOTES_OPEN: "Missing votes could still decide; wait for them, or until the resolution closes.",
    Reason.NOT_CLOSED: "The result is not recorded yet; try again in two minutes after the resolution has closed.",
    Reason.IN_USE: "A resolution on it is open: close or withdraw that first. What was circulated stays for good.",
    Reason.ADDRESS_IN_USE: "A member or another person of the board has this e-mail address; choose another one.",
    Reason.SCRUBBED: "The person's data was removed for good; add a new person instead.",
    Reason.BOTH_ATTENDED: "Both are in the attendance of a meeting; remove one of the two entries first.",
    Reason.OCCURRENCE_OPENED: "The occurrence was opened as a meeting; change that meeting instead.",
    Reason.OCCURRENCE_CANCELLED: "The occurrence was cancelled; put it back before you open it.",
    Reason.NOT_DELIVERED: "No paper waits for a decision; wait until one is delivered.",
    Reason.DECIDED: "The request is approved or cancelled; make another one.",
    Reason.NOT_CIRCULATED: "The minutes were never circulated; circulate them first.",
    Reason.REMARKS_CLOSED: "Remarks on the minutes are over: by their end, or because the minutes are approved.",
    Reason.REMARK_DISPOSED: "The remark was decided about and stays; make another one.",
    Reason.REMARKS_OPEN: "Remarks on the minutes wait for a decision; decide about them, or send `force`.",
    Reason.MINUTES_CHANGED: "The minutes have changed since they were circulated; circulate them again.",
    Reason.MINUTES_APPROVED: "The minutes are approved and no longer change; correct them instead.",
    Reason.NOT_APPROVED: "The minutes are not approved; approve them first.",
    Reason.ALREADY_SIGNED: "You have signed this version of the minutes already.",
    Reason.IN_CAMERA: "The agenda item is in camera and takes no requested papers; open it, or name another item.",
    Reason.MERGED: "The person was merged into a member; change the member instead.",
}


class TriedAgain(Exception):
    """The work that raised this is repeated by design: it is not a failure and is not logged as an error."""


class ApiError(Exception):
    """An error response: a code of the table, and what the client may know of its cause."""

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
    """Returns the 404 for a resource that does not exist or is hidden from the caller; the two are the same."""
    return ApiError(Code.RESOURCE_NOT_FOUND)


@contextmanager
def suppress_not_found() -> Iterator[None]:
    """Suppresses `RESOURCE_NOT_FOUND` raised in the block, which ends there."""
    try:
        yield
    except ApiError as error:
        if error.code is not Code.RESOURCE_NOT_FOUND:
            raise


def forbidden(message: str | None = None, **details: Any) -> ApiError:
    """Returns 403 `FORBIDDEN` with these details."""
    return ApiError(Code.FORBIDDEN, message, details or None)


def conflict(reason: Reason, **details: Any) -> ApiError:
    """Returns 409 `CONFLICT` with `details.reason`, these details and the message of the reason."""
    return ApiError(Code.CONFLICT, _CONFLICTS[reason], {"reason": reason.value, **details})


def invalid_body(fields: Mapping[str, str]) -> ApiError:
    """Returns 400 `INVALID_REQUEST_BODY`; `fields` maps the path of each invalid field to what it must be."""
    return ApiError(Code.INVALID_REQUEST_BODY, details={"fields": _named(fields)})


def _named(fields: Mapping[str, str]) -> dict[str, str]:
    """Returns the first `NAMED_ERRORS` fields with their errors and, under `body`, the number of the others."""
    if len(fields) <= NAMED_ERRORS:
        return dict(fields)
    named = dict(islice(((path, error) for path, error in fields.items() if path != "body"), NAMED_ERRORS))
    others = len(fields) - len(named)
    return {**named, "body": f"and {others} more error{'' if others == 1 else 's'}"}


def invalid_query(fields: Mapping[str, str]) -> ApiError:
    """Returns 400 `INVALID_QUERY_PARAMETER`; `fields` maps each invalid parameter to what it must be."""
    return ApiError(Code.INVALID_QUERY_PARAMETER, details={"fields": dict(fields)})


def unavailable(retry_after_seconds: int = 1) -> ApiError:
    """Returns 503 `SERVICE_UNAVAILABLE`: the store or the mail service failed, and nothing was changed."""
    return ApiError(Code.SERVICE_UNAVAILABLE, headers={"Retry-After": str(retry_after_seconds)})


def rate_limited(retry_after_seconds: int) -> ApiError:
    """Returns 429 `RATE_LIMITED` with the seconds after which a request is accepted again, at least one."""
    return ApiError(Code.RATE_LIMITED, headers={"Retry-After": str(max(1, retry_after_seconds))})
