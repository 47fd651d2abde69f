"""The delivery of papers, and the decisions on them (an extension of the API, ADR paper-requests)."""

from __future__ import annotations

from governance.domain.access.visibility import can_see_document
from governance.domain.documents import document as document_rules
from governance.domain.documents.document_version import newest_ready
from governance.domain.events import meetings as meeting_events
from governance.domain.events import paper_requests as events
from governance.domain.events.documents import DOCUMENT_VERSION_ADDED
from governance.domain.events.reminders import REMINDER_SENT
from governance.domain.meetings import meeting as meeting_rules
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.domain.quota import REMINDERS
from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.models.documents.document import StoredDocument
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.paper_requests.paper_request import (
    MISSING,
    PaperDecisionBody,
    PaperDeliveryBody,
    PaperRequest,
    StoredPaperRequest,
)
from governance.store import quotas
from governance.store.decoding import decode_or_none
from governance.store.documents import document_versions, documents
from governance.store.meetings import agendas, meetings
from governance.store.paper_requests import paper_requests
from governance.store.schema.entities import AGENDA, DOCUMENT, MEETING, PAPER_REQUEST, VERSIONS_OF_DOCUMENT
from governance.store.schema.keys import Key
from governance.store.table import read
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, own_committees
from governance.usecases.documents.documents import record_document_event
from governance.usecases.documents.readers import may_name
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.paper_requests.paper_files import deliverable
from governance.usecases.paper_requests.paper_requests import check_asking, record, requested_paper, to_resource


@loads(MEETING, PAPER_REQUEST, own_committees)
@finds(visible_meeting, deliverable)
def deliver_paper_request(
    context: Context, meeting: StoredMeeting, old: StoredPaperRequest, body: PaperDeliveryBody
) -> Outcome[PaperRequest]:
    """Delivers a document, in place of one that was delivered before.

    Raises 400 for a document that the caller does not see or that has no file, 409 `DECIDED` or `MEETING_FINALIZED`.
    """
    meeting_rules.check_editable(meeting)
    new = paper_request_rules.delivered(old, body.document_id, context.now)
    writes = [
        meetings.check_open_state(meeting),
        *_check_deliverable(context, old, body.document_id),
        *paper_requests.replace(old, new, context.now),
        *record(context, events.PAPER_REQUEST_DELIVERED, meeting, new),
    ]
    return Outcome(paper_request_rules.to_resource(new, sees_document=True), writes)


def _check_deliverable(context: Context, request: StoredPaperRequest, document_id: str) -> list[Write]:
    """Returns the check of a document that the caller sees and of which they can read a file. Raises 400 for others.

    One in camera is not delivered: a request is not for its audience alone.
    The files that were sent for the request itself may be delivered again.
    """
    ids = {"boardId": context.board.id, "documentId": document_id}
    if document_id == request.id:
        sent = document_versions.of_paper(context.board.id, document_id)
        if sent is None or newest_ready(sent) is None:
            raise invalid_body(paper_request_rules.UNKNOWN_DOCUMENT)
        return [document_versions.check_unchanged(sent)]
    key, versions_key = DOCUMENT.key_for(**ids), VERSIONS_OF_DOCUMENT.key_for(**ids)
    items = read([key, versions_key])
    document = decode_or_none(StoredDocument, items.get(key))
    versions = document_versions.from_item(items.get(versions_key))
    if document is None or versions is None or newest_ready(versions) is None:
        raise invalid_body(paper_request_rules.UNKNOWN_DOCUMENT)
    if not may_name(context, document):
        raise invalid_body(paper_request_rules.UNKNOWN_DOCUMENT)
    return [documents.check_unchanged(document)]


def _reminder_quota(info: RequestInfo) -> list[Key]:
    return [quotas.key(REMINDERS, info.params["paperRequestId"], "paper")]


@loads(MEETING, PAPER_REQUEST, _reminder_quota, own_committees)
@finds(visible_meeting, requested_paper)
def remind_paper_request(
    context: Context, meeting: StoredMeeting, request: StoredPaperRequest
) -> Outcome[PaperRequest]:
    """Reminds who is asked for the paper; nobody while a delivered one waits for its decision.

    Raises 409: `DECIDED`, `MEETING_IS_DRAFT`, `MEETING_FINALIZED`, `MEETING_CANCELLED`; 429 within a day of the last
    reminder that a member sent.
    """
    check_asking(meeting)
    paper_request_rules.check_wanted(request)
    resource = to_resource(context, request)
    if request.status not in MISSING:
        return Outcome(resource, [])
    usage = quotas.usage_at(REMINDERS, quotas.key(REMINDERS, request.id, "paper"), context.loaded)
    usage.check(context.now)
    reminder = paper_request_rules.reminder(request, "paper")
    writes = [
        meetings.check_open_state(meeting),
        paper_requests.check_unchanged(request),
        usage.claim(context.now).take,
        *record_meeting_event(context, REMINDER_SENT, meeting, reminder),
    ]
    return Outcome(resource, writes)


def _decidable(context: Context) -> StoredPaperRequest:
    request = context.find(requested_paper)
    paper_request_rules.check_decider(request, context.user_id, context.tier)
    return request


@loads(MEETING, PAPER_REQUEST, AGENDA, own_committees)
@finds(visible_meeting, _decidable)
def decide_paper_request(
    context: Context, meeting: StoredMeeting, old: StoredPaperRequest, body: PaperDecisionBody
) -> Outcome[PaperRequest]:
    """Approves the delivered paper, which becomes one of the meeting, or returns it.

    Raises 403 for a document that the caller does not see; 409: `DECIDED`, `NOT_DELIVERED`, `MEETING_FINALIZED`, and
    `LIMIT_REACHED` if the agenda item, or the document, has as many papers, or meetings, as it may have.
    """
    meeting_rules.check_editable(meeting)
    user_id = context.principal.named_user_id
    new = paper_request_rules.decided(old, body, user_id, context.now)
    is_approved = new.status == "approved"
    writes = [
        meetings.check_open_state(meeting),
        *paper_requests.replace(old, new, context.now),
        *(_placed(context, meeting, new) if is_approved else []),
        *record(context, events.PAPER_REQUEST_DECIDED, meeting, new, decision=new.status),
    ]
    resource = paper_request_rules.to_resource(new, sees_document=True) if is_approved else to_resource(context, new)
    return Outcome(resource, writes)


def _placed(context: Context, meeting: StoredMeeting, request: StoredPaperRequest) -> list[Write]:
    """Returns the writes that put the approved paper on its agenda item, or link it to the meeting without one."""
    old = context.stored_or_none(AGENDA, StoredAgenda)
    agenda = paper_request_rules.with_paper(old, request, context.now)
    linked = [] if agenda else [meeting.id]
    if paper_request_rules.is_made(request):
        writes = _shown(context, request, linked)
    else:
        writes = _linked(context, _decided_document(context, request), linked)
    if agenda is None or agenda is old:
        return writes
    updated = meeting_events.OfMeeting(meeting_id=meeting.id)
    changed = record_meeting_event(context, meeting_events.AGENDA_UPDATED, meeting, updated)
    return [*writes, agendas.put_agenda(old, agenda), *changed]


def _shown(context: Context, request: StoredPaperRequest, meeting_ids: list[str]) -> list[Write]:
    """Returns the writes that move a document that was made for the request among those of the board.

    Raises 403 if the caller does not see it, 409 `NOT_DELIVERED` for one without a file.
    """
    if not paper_request_rules.sees_made(request, context.user_id, context.tier):
        raise forbidden()
    versions = document_versions.of_paper(context.board.id, request.id)
    newest = newest_ready(versions) if versions else None
    if versions is None or newest is None:
        raise conflict(Reason.NOT_DELIVERED)
    made = paper_request_rules.made_document(request, versions)
    shown = {"meeting_ids": tuple(meeting_ids), "created_at": context.now, "updated_at": context.now}
    document = made.model_copy(update=shown)
    added = record_document_event(context, DOCUMENT_VERSION_ADDED, document, newest.id)
    return [*documents.create(document), *document_versions.approve(versions), *added]


def _decided_document(context: Context, request: StoredPaperRequest) -> StoredDocument:
    """Returns the delivered document.

    Raises 409 `NOT_DELIVERED` once it was deleted or went in camera, 403 if the caller does not see it.
    """
    id_ = request.document_id or ""
    document = documents.get_by_ids(context.board.id, [id_]).get(id_)
    if document is None or document.audience is not None:
        raise conflict(Reason.NOT_DELIVERED)
    if not can_see_document(context.committee_ids, document.committee_id):
        raise forbidden()
    return document


def _linked(context: Context, document: StoredDocument, to: list[str]) -> list[Write]:
    """Returns the writes that link a document to one more meeting, if to any."""
    linked = [paper_request_rules.linked(document, meeting_id) for meeting_id in to]
    meeting_ids = next(iter(linked), None)
    if meeting_ids is None:
        return [documents.check_unchanged(document)]
    return documents.replace(document, document_rules.patched(document, {"meeting_ids": meeting_ids}, context.now))
