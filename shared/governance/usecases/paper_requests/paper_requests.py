"""Paper requests of a meeting: list, create, read, change, delete (an extension of the API, ADR paper-requests)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from governance.domain.events import paper_requests as events
from governance.domain.events.kind import EventKind
from governance.domain.meetings import meeting as meeting_rules
from governance.domain.members.unregistered_user import NOT_ACTIVE
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.errors import Reason, conflict, invalid_body, not_found
from governance.ids import UserId
from governance.models.base import Deleted
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import Page, PageQuery
from governance.models.paper_requests.paper_request import (
    PaperRequest,
    PaperRequestCreate,
    PaperRequestPatch,
    StoredPaperRequest,
)
from governance.store.boards import boards
from governance.store.documents import documents
from governance.store.meetings import meetings
from governance.store.members import unregistered_users
from governance.store.paper_requests import paper_requests
from governance.store.schema.entities import AGENDA, MEETING, PAPER_REQUEST
from governance.store.schema.keys import position
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, own_committees, prefetch
from governance.usecases.documents.readers import seen_among
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting


def to_resources(context: Context, requests: Sequence[StoredPaperRequest]) -> list[PaperRequest]:
    """Returns requests as the caller sees them: with the documents that they may see."""
    named = {request.document_id for request in requests if request.document_id}
    existing = documents.get_by_ids(context.board.id, named) if named else {}
    seen = seen_among(context, existing.values())
    return [
        paper_request_rules.to_resource(
            request, sees_document=request.document_id in seen or _sees_waiting(context, request)
        )
        for request in requests
    ]


def _sees_waiting(context: Context, request: StoredPaperRequest) -> bool:
    """Returns whether the caller sees the delivered document, which was made for the request and is not approved."""
    is_waiting = paper_request_rules.is_made(request) and request.status != "approved"
    return is_waiting and paper_request_rules.sees_made(request, context.user_id, context.tier)


def to_resource(context: Context, request: StoredPaperRequest) -> PaperRequest:
    """Returns one request as the caller sees it."""
    (resource,) = to_resources(context, [request])
    return resource


def requested_paper(context: Context) -> StoredPaperRequest:
    """Returns the request that the path names. Raises 404, for a guest who has no part in it too."""
    meeting = context.find(visible_meeting)
    request = context.stored(PAPER_REQUEST, StoredPaperRequest)
    is_reader = paper_request_rules.is_reader(request, context.user_id, context.tier)
    if request.meeting_id != meeting.id or not is_reader:
        raise not_found()
    return request


def _of_meeting(info: RequestInfo) -> list[StoredPaperRequest]:
    return paper_requests.requests_of_meeting(info.board_id, info.params["meetingId"])


@loads(MEETING, own_committees)
@prefetch(_of_meeting)
@finds(visible_meeting)
def list_paper_requests(
    context: Context, _meeting: StoredMeeting, requests: list[StoredPaperRequest], query: PageQuery
) -> Page[PaperRequest]:
    """Returns a page of the meeting's paper requests, oldest first; a guest gets those that they have a part in."""
    after = context.window(query).after
    shown = [
        (position(request.created_at, request.id), request)
        for request in requests
        if paper_request_rules.is_reader(request, context.user_id, context.tier)
    ]
    behind = [(at, request) for at, request in shown if after is None or at > after]
    page = behind[: query.limit]
    last = page[-1][0] if len(behind) > query.limit else None
    return Page(to_resources(context, [request for _, request in page]), last)


@loads(MEETING, PAPER_REQUEST, own_committees)
@finds(visible_meeting, requested_paper)
def get_paper_request(context: Context, _meeting: StoredMeeting, request: StoredPaperRequest) -> PaperRequest:
    """Returns one paper request."""
    return to_resource(context, request)


@creates(PAPER_REQUEST, "paperRequestId", requested_paper)
@loads(MEETING, AGENDA, own_committees)
@finds(visible_meeting)
def create_paper_request(context: Context, meeting: StoredMeeting, body: PaperRequestCreate) -> Outcome[PaperRequest]:
    """Asks a member, or a person without an account, for a paper, and notifies them.

    Raises 400 for an agenda item, a member or a person that the board does not have; 409: `MEETING_IS_DRAFT`,
    `MEETING_FINALIZED`, `MEETING_CANCELLED`, or `LIMIT_REACHED` for a meeting with as many requests as it may have.
    """
    check_asking(meeting)
    agenda = context.stored_or_none(AGENDA, StoredAgenda)
    user_id = context.principal.named_user_id
    request = paper_request_rules.created(meeting, body, user_id, agenda, context.now)
    people = {"from.userId": request.asked.user_id, "reviewerUserId": request.reviewer_user_id}
    writes = [
        meetings.check_open_state(meeting),
        *paper_requests.create(request),
        *_check_members(request, people),
        *_check_person(request),
        *record(context, events.PAPER_REQUEST_CREATED, meeting, request),
    ]
    return Outcome(to_resource(context, request), writes)


def check_asking(meeting: StoredMeeting) -> None:
    """Raises 409 for a meeting for which nobody is asked: a draft, a finalized or a cancelled one."""
    if meeting.status == "draft":
        raise conflict(Reason.MEETING_IS_DRAFT)
    meeting_rules.check_editable(meeting)
    meeting_rules.check_takes_place(meeting)


def _check_members(request: StoredPaperRequest, named: dict[str, UserId | None]) -> list[Write]:
    """Returns the checks that the users in these fields are members; the error names all fields of a user."""
    fields: dict[UserId, dict[str, str]] = {}
    for field, user_id in named.items():
        if user_id is not None:
            fields.setdefault(user_id, {})[field] = paper_request_rules.UNKNOWN_MEMBER
    return [_check_member(request, user_id, errors) for user_id, errors in fields.items()]


def _check_member(request: StoredPaperRequest, user_id: UserId, errors: dict[str, str]) -> Write:
    return boards.check_is_member(request.board_id, user_id, lambda _: invalid_body(errors))


def _check_person(request: StoredPaperRequest) -> list[Write]:
    person_id = request.asked.unregistered_user_id
    if person_id is None:
        return []
    error = invalid_body({"from.unregisteredUserId": NOT_ACTIVE})
    return [unregistered_users.check_active(request.board_id, person_id, error)]


E = TypeVar("E", bound=events.OfPaperRequest)


def record(
    context: Context, kind: EventKind[E], meeting: StoredMeeting, request: StoredPaperRequest, **more: Any
) -> list[Write]:
    """Returns the writes of an event of a request, whose payload may have `more` fields."""
    payload = kind.payload(
        paper_request_id=request.id,
        meeting_id=meeting.id,
        title=request.title,
        due_at=request.due_at,
        asked_user_id=request.asked.user_id,
        reviewer_user_id=request.reviewer_user_id,
        requester_user_id=request.created_by_user_id,
        **more,
    )
    return record_meeting_event(context, kind, meeting, payload)


@loads(MEETING, PAPER_REQUEST, AGENDA, own_committees)
@finds(visible_meeting, requested_paper)
def update_paper_request(
    context: Context, meeting: StoredMeeting, old: StoredPaperRequest, body: PaperRequestPatch
) -> Outcome[PaperRequest]:
    """Changes the fields of a request that the body names, or cancels it; setting the same values changes nothing.

    Raises 400 for an item or a reviewer that is unknown and a due time that is past, 409 `DECIDED` or
    `MEETING_FINALIZED`.
    """
    new = paper_request_rules.patched(old, body, context.stored_or_none(AGENDA, StoredAgenda), context.now)
    if new is old:
        return Outcome(to_resource(context, old), [])
    meeting_rules.check_editable(meeting)
    reviewer = {"reviewerUserId": new.reviewer_user_id} if new.reviewer_user_id != old.reviewer_user_id else {}
    writes = [
        meetings.check_open_state(meeting),
        *paper_requests.replace(old, new, context.now),
        *_check_members(new, reviewer),
        *record(context, events.PAPER_REQUEST_UPDATED, meeting, new),
    ]
    return Outcome(to_resource(context, new), writes)


@loads(MEETING, PAPER_REQUEST)
@finds(visible_meeting, requested_paper)
def delete_paper_request(context: Context, meeting: StoredMeeting, request: StoredPaperRequest) -> Outcome[Deleted]:
    """Deletes a request, whatever its status, and files that were sent for it and not approved.

    Other delivered documents stay.
    """
    writes = [
        *paper_requests.delete(request, context.now),
        *record(context, events.PAPER_REQUEST_DELETED, meeting, request),
    ]
    return Outcome(Deleted(), writes)
