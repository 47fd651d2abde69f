"""The rules of paper requests: who reads one, who delivers and decides, and what follows (ADR paper-requests)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from governance.agenda_limits import AGENDA_ITEM_PAPERS
from governance.domain.documents.document_version import as_latest, newest_ready
from governance.domain.events.reminders import About, ReminderSent
from governance.domain.paper_requests import paper_link
from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant
from governance.limits import DOCUMENT_MEETINGS
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import StoredVersions
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.paper_requests.paper_request import (
    MISSING,
    OPEN,
    AskedFor,
    PaperDecisionBody,
    PaperRequest,
    PaperRequestCreate,
    PaperRequestPatch,
    StoredPaperRequest,
)
from governance.scopes import Tier

UNKNOWN_ITEM = {"agendaItemId": "must be the id of an item of the meeting's agenda"}
UNKNOWN_MEMBER = "must be the user id of a member of the board"
UNKNOWN_DOCUMENT = {"documentId": "must be the id of a document of this board that you can see and that has a file"}


def created(
    meeting: StoredMeeting, body: PaperRequestCreate, user_id: UserId, agenda: StoredAgenda | None, now: Instant
) -> StoredPaperRequest:
    """Returns the new request that the body describes. Raises 400 for an item that is not on the agenda."""
    check_item(body.agenda_item_id, agenda)
    return StoredPaperRequest(
        **body.model_dump(by_alias=False, exclude={"asked"}),
        asked=AskedFor(**body.asked.model_dump(by_alias=False)),
        id=new_id(),
        board_id=BoardId(meeting.board_id),
        meeting_id=meeting.id,
        created_by_user_id=user_id,
        created_at=now,
        updated_at=now,
    )


def patched(
    request: StoredPaperRequest, body: PaperRequestPatch, agenda: StoredAgenda | None, now: Instant
) -> StoredPaperRequest:
    """Returns the request with these changes; the same object if they change nothing.

    Raises 400 for an item that is not on the agenda and for another due time that is past, 409 `DECIDED` once it is
    approved or cancelled.
    """
    changes: dict[str, Any] = body.changes()
    new = request.model_copy(update=changes)
    if new == request:
        return request
    check_wanted(request)
    if new.agenda_item_id != request.agenda_item_id:
        check_item(new.agenda_item_id, agenda)
    if new.due_at != request.due_at and new.due_at <= now:
        raise invalid_body({"dueAt": "must be in the future"})
    return _changed(new, now, link=paper_link.prolonged(request.link, new.due_at))


def check_item(item_id: str | None, agenda: StoredAgenda | None) -> None:
    """Raises 400 for the id of an item that the agenda does not have, or that is in camera."""
    ids = {item.id for item in (agenda.items if agenda else ()) if item.audience is None}
    if item_id is not None and item_id not in ids:
        raise invalid_body(UNKNOWN_ITEM)


def _changed(request: StoredPaperRequest, now: Instant, **changes: Any) -> StoredPaperRequest:
    return request.model_copy(update={**changes, "updated_at": now, "version": request.version + 1})


def is_reader(request: StoredPaperRequest, user_id: UserId | None, tier: Tier | None) -> bool:
    """Returns whether a caller sees the request: collaborators do, and a guest who delivers or reviews it."""
    if tier is not None and tier >= Tier.COLLABORATOR:
        return True
    return user_id is not None and user_id in (request.asked.user_id, request.reviewer_user_id)


def sees_made(request: StoredPaperRequest, user_id: UserId | None, tier: Tier | None) -> bool:
    """Returns whether a caller sees a document that was made for the request and is not approved.

    Who delivers, reviews or asked for it does, and managers, while they are members.
    """
    if user_id is None or tier is None:
        return False
    is_named = user_id in (request.asked.user_id, request.reviewer_user_id, request.created_by_user_id)
    return is_named or tier >= Tier.MANAGER


def made_document(request: StoredPaperRequest, versions: StoredVersions | None) -> StoredDocument:
    """Returns the document that is made for the request of the files in it, and that the requester has made."""
    latest = newest_ready(versions) if versions else None
    return StoredDocument(
        id=request.id,
        board_id=request.board_id,
        title=request.title,
        **as_latest(latest),
        creator_id=request.created_by_user_id,
        created_by_user_id=request.created_by_user_id,
        created_at=request.created_at,
        updated_at=request.updated_at,
    )


def check_deliverer(request: StoredPaperRequest, user_id: UserId | None) -> None:
    """Raises 403 unless the caller is the member who is asked."""
    if user_id is None or request.asked.user_id != user_id:
        raise forbidden("Only who is asked for the paper can deliver it.")


def delivered(request: StoredPaperRequest, document_id: str, now: Instant) -> StoredPaperRequest:
    """Returns the request with this paper, which waits for a decision. Raises 409 `DECIDED` if nobody waits for it."""
    check_wanted(request)
    decided = {"decided_at": None, "decided_by_user_id": None, "note": None}
    return _changed(request, now, status="delivered", document_id=document_id, delivered_at=now, **decided)


def check_decider(request: StoredPaperRequest, user_id: UserId | None, tier: Tier | None) -> None:
    """Raises 403 unless the caller decides: the reviewer, or a collaborator if there is none."""
    if request.reviewer_user_id is not None:
        if user_id != request.reviewer_user_id:
            raise forbidden("Only the reviewer can decide on the paper.")
    elif tier is None or tier < Tier.COLLABORATOR:
        raise forbidden()


def decided(request: StoredPaperRequest, body: PaperDecisionBody, user_id: UserId, now: Instant) -> StoredPaperRequest:
    """Returns the request after a decision. Raises 409: `DECIDED` once approved, `NOT_DELIVERED` if no paper waits."""
    if request.status == "approved":
        raise conflict(Reason.DECIDED)
    if request.status != "delivered":
        raise conflict(Reason.NOT_DELIVERED)
    return _changed(request, now, status=body.decision, note=body.note, decided_at=now, decided_by_user_id=user_id)


def with_paper(agenda: StoredAgenda | None, request: StoredPaperRequest, now: Instant) -> StoredAgenda | None:
    """Returns the agenda with the approved paper on its item.

    The same object if the item has it, None if there is no such item. Raises 409 `LIMIT_REACHED` for a full item,
    `IN_CAMERA` for one in camera.
    """
    items = agenda.items if agenda else ()
    item = next((item for item in items if item.id == request.agenda_item_id), None)
    if agenda is None or item is None or request.document_id is None:
        return None
    if item.audience is not None:
        raise conflict(Reason.IN_CAMERA)
    if request.document_id in item.document_ids:
        return agenda
    if len(item.document_ids) >= AGENDA_ITEM_PAPERS:
        raise conflict(Reason.LIMIT_REACHED)
    filled = item.model_copy(update={"document_ids": (*item.document_ids, request.document_id)})
    changed = tuple(filled if other is item else other for other in items)
    return agenda.model_copy(update={"items": changed, "updated_at": now, "version": agenda.version + 1})


def linked(document: StoredDocument, meeting_id: str) -> tuple[str, ...] | None:
    """Returns the meetings of a document with one more; None if it has it. Raises 409 `LIMIT_REACHED` if it is full."""
    if meeting_id in document.meeting_ids:
        return None
    if len(document.meeting_ids) >= DOCUMENT_MEETINGS:
        raise conflict(Reason.LIMIT_REACHED)
    return (*document.meeting_ids, meeting_id)


def without_reviewer(request: StoredPaperRequest, user_id: UserId, now: Instant) -> StoredPaperRequest | None:
    """Returns the request without this reviewer, who has left; None if it does not change."""
    if request.reviewer_user_id != user_id or request.status not in OPEN:
        return None
    return _changed(request, now, reviewer_user_id=None)


def of_member(request: StoredPaperRequest, user_id: UserId, now: Instant) -> StoredPaperRequest:
    """Returns the request with a member in place of the person without an account, whose link ends."""
    return _changed(request, now, asked=AskedFor(user_id=user_id), link=None)


def reminder(request: StoredPaperRequest, about: About) -> ReminderSent:
    """Returns the reminder of a paper."""
    return ReminderSent(
        about=about,
        meeting_id=request.meeting_id,
        paper_request_id=request.id,
        title=request.title,
        due_at=request.due_at,
    )


def check_wanted(request: StoredPaperRequest) -> None:
    """Raises 409 `DECIDED` for a request that is approved or cancelled."""
    if request.status not in OPEN:
        raise conflict(Reason.DECIDED)


def missing(requests: Iterable[StoredPaperRequest]) -> list[StoredPaperRequest]:
    """Returns the requests whose paper somebody still owes, in their order."""
    return [request for request in requests if request.status in MISSING]


def not_approved(requests: Iterable[StoredPaperRequest]) -> set[str]:
    """Returns the ids of the documents that were delivered for these requests and are approved for none of them."""
    delivered_for = [(request.document_id, request.status) for request in requests if request.document_id]
    approved = {document_id for document_id, status in delivered_for if status == "approved"}
    return {document_id for document_id, _ in delivered_for} - approved


def is_made(request: StoredPaperRequest) -> bool:
    """Returns whether the delivered document was made for the request: it has its id."""
    return request.document_id == request.id


def to_resource(request: StoredPaperRequest, *, sees_document: bool) -> PaperRequest:
    """Returns the request as a caller sees it, who may not see its document."""
    shown = request if sees_document else request.model_copy(update={"document_id": None})
    return PaperRequest.model_validate(vars(shown))
