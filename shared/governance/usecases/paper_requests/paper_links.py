"""What a person without an account does with the link to a paper that they are asked for (an extension of the API, ADR
paper-requests)."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain.meetings import personal_link
from governance.domain.paper_requests import paper_link
from governance.errors import not_found
from governance.models.documents.document_version import DocumentVersion, DocumentVersionCreate
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import NoParameters
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.paper_requests.paper_request import PaperSlot, PaperSlotVersion, StoredPaperRequest
from governance.store.account import users
from governance.store.boards import boards
from governance.store.meetings import meetings
from governance.store.members import unregistered_users
from governance.store.schema.entities import FILE_BYTES_COUNT, PAPER_REQUEST, UNREGISTERED_USER, VERSIONS_OF_PAPER
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, resolve_board
from governance.usecases.documents.document_versions import Requested
from governance.usecases.paper_requests.paper_files import (
    complete_file,
    declare_file,
    requested_file,
    stored_versions,
)


def find_request(params: Mapping[str, str]) -> Mapping[str, str] | None:
    """Finds what the link of a paper names: board, request and person; None if it is not a link."""
    named = personal_link.parse(params["paperToken"])
    if named is None:
        return None
    ids = {"paperRequestId": named.subject_id, "documentId": named.subject_id}  # that is made of its files
    return {"boardId": named.board_id, "unregisteredUserId": named.person_id, **ids}


def _person(context: Context) -> StoredUnregisteredUser | None:
    return context.stored_or_none(UNREGISTERED_USER, StoredUnregisteredUser)


def linked_request(context: Context) -> StoredPaperRequest:
    """Returns the request that the link opens; raises 404 for none, and while a member has its person's address."""
    request, person = context.stored_or_none(PAPER_REQUEST, StoredPaperRequest), _person(context)
    opens = paper_link.opens(context.params["paperToken"], request, person, context.now)
    if not opens or request is None or person is None or person.email is None:
        raise not_found()
    if boards.has_any_member(request.board_id, users.user_ids_by_email(person.email)):
        raise not_found()
    return request


def _meeting(context: Context) -> StoredMeeting:
    """Returns the meeting of the linked request; raises 404 while nobody is asked for papers of it."""
    request = context.find(linked_request)
    meeting = meetings.find(request.board_id, request.meeting_id)
    if meeting is None or meeting.status == "draft":
        raise not_found()
    return meeting


def _requested(context: Context) -> Requested:
    context.find(_meeting)
    return requested_file(context, context.find(linked_request))


@loads(PAPER_REQUEST, UNREGISTERED_USER, VERSIONS_OF_PAPER)
@resolve_board(find_request, linked_request)
@finds(linked_request, _meeting)
def get_paper_slot(
    context: Context, request: StoredPaperRequest, _meeting: StoredMeeting, _query: NoParameters
) -> PaperSlot:
    """Returns what the person is asked for, and the files that they sent."""
    return paper_link.to_slot(request, stored_versions(context))


@loads(PAPER_REQUEST, UNREGISTERED_USER, VERSIONS_OF_PAPER, FILE_BYTES_COUNT)
@resolve_board(find_request, linked_request)
@finds(linked_request, _meeting)
def create_paper_slot_version(
    context: Context, request: StoredPaperRequest, meeting: StoredMeeting, body: DocumentVersionCreate
) -> Outcome[PaperSlotVersion]:
    """Declares a file of the paper, and returns the form by which it is sent to the bucket.

    Raises 409: `MEETING_FINALIZED`, or `LIMIT_REACHED` for as many files, or bytes of the board, as may be.
    """
    return _seen(context, declare_file(context, meeting, request, body, request.created_by_user_id))


@loads(PAPER_REQUEST, UNREGISTERED_USER, VERSIONS_OF_PAPER)
@resolve_board(find_request, linked_request)
@finds(linked_request, _requested)
def complete_paper_slot_version(
    context: Context, request: StoredPaperRequest, requested: Requested
) -> Outcome[PaperSlotVersion]:
    """Delivers the paper, once the bucket has the declared file; repeated, it does nothing.

    Raises 409: `UPLOAD_INCOMPLETE` if the file is absent, or not the declared one, or `MEETING_FINALIZED`.
    """
    return _seen(context, complete_file(context, context.find(_meeting), request, requested))


def _seen(context: Context, outcome: Outcome[DocumentVersion]) -> Outcome[PaperSlotVersion]:
    """Returns the outcome as the person sees it, with a check that the link is still theirs."""
    person = _person(context)
    theirs = [unregistered_users.check_as_read(person)] if person and outcome.writes else []
    seen = {name: getattr(outcome.response, name) for name in ("id", "file_name", "size", "status", "upload")}
    return Outcome(PaperSlotVersion(**seen), [*theirs, *outcome.writes])
