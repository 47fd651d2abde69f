"""Paper requests: one item each, in the lists of their meeting, agenda item, person asked and reviewer."""

from __future__ import annotations

from collections.abc import Iterator

from governance.agenda_limits import PAPER_REQUESTS_PER_MEETING
from governance.domain.notifications import due as due_rules
from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.models.documents.document_version import StoredVersions
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.store import counters, due
from governance.store.decoding import decode_all, decode_or_none
from governance.store.schema import ranges
from governance.store.schema.entities import PAPER_REQUEST, PAPER_REQUEST_COUNT, VERSIONS_OF_PAPER, papers_partition
from governance.store.schema.keys import PK, SK, Item, Key, Range, SortedList, key_of, make_item, position
from governance.store.table import iter_range, query, read, read_one
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals


def key(board_id: BoardId, request_id: str) -> Key:
    """Returns the key of a request."""
    return PAPER_REQUEST.key_for(boardId=board_id, paperRequestId=request_id)


def _item(request: StoredPaperRequest) -> Item:
    at = position(request.created_at, request.id)
    entries = ranges.paper_requests_of_meeting(request.meeting_id).entry(at)
    if request.agenda_item_id:
        entries |= ranges.paper_requests_of_item(request.agenda_item_id).entry(at)
    if request.asked.unregistered_user_id:
        entries |= ranges.paper_requests_to(request.asked.unregistered_user_id).entry(at)
    if request.reviewer_user_id:
        entries |= ranges.paper_requests_reviewed_by(request.reviewer_user_id).entry(at)
    return make_item(key(request.board_id, request.id), request.item(), **entries)


def _count_key(request: StoredPaperRequest) -> Key:
    return PAPER_REQUEST_COUNT.key_for(boardId=request.board_id, meetingId=request.meeting_id)


def create(request: StoredPaperRequest) -> list[Write]:
    """Returns the writes of a new request; they fail with 409 `LIMIT_REACHED` at the limit of a meeting."""
    counted = counters.add(_count_key(request), PAPER_REQUESTS_PER_MEETING)
    reminders = due.move_reminders([], due_rules.of_paper_request(request, request.created_at))
    return [Put(_item(request), ABSENT), counted, *reminders]


def replace(old: StoredPaperRequest, new: StoredPaperRequest, now: Instant) -> list[Write]:
    """Returns the writes that change a request and its reminders, also one that moves to another meeting.

    They fail with `StaleRead` if it changed since it was read, and with 409 `LIMIT_REACHED` if that meeting is full.
    """
    put = Put(_item(new), equals(version=old.version))
    reminders = due.move_reminders(due_rules.of_paper_request(old, now), due_rules.of_paper_request(new, now))
    if old.meeting_id == new.meeting_id:
        return [put, *reminders]
    moved = counters.add(_count_key(new), PAPER_REQUESTS_PER_MEETING)
    return [put, *reminders, counters.subtract(_count_key(old)), moved]


def delete(request: StoredPaperRequest, now: Instant) -> list[Write]:
    """Returns the writes that delete a request. They fail with `StaleRead` if it changed since it was read."""
    removed = Delete(key(request.board_id, request.id), equals(version=request.version))
    reminders = due.move_reminders(due_rules.of_paper_request(request, now), [])
    return [removed, counters.subtract(_count_key(request)), *reminders]


def check_unchanged(request: StoredPaperRequest) -> Write:
    """Returns a check that a request is as it was read. It fails with `StaleRead`."""
    return Check(key(request.board_id, request.id), equals(version=request.version))


def find(board_id: BoardId, request_id: str) -> StoredPaperRequest | None:
    """Returns a request; None if there is none, or one that cannot be read."""
    named = PAPER_REQUEST.key_or_none(boardId=board_id, paperRequestId=request_id)
    return decode_or_none(StoredPaperRequest, read_one(named)) if named else None


def requests_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredPaperRequest]:
    """Returns the requests of a meeting, by creation: `PAPER_REQUESTS_PER_MEETING` at most."""
    return _listed(board_id, ranges.paper_requests_of_meeting(meeting_id))


def requests_of_item(board_id: BoardId, agenda_item_id: str) -> list[StoredPaperRequest]:
    """Returns the requests for an agenda item, by creation."""
    return _listed(board_id, ranges.paper_requests_of_item(agenda_item_id))


def _listed(board_id: BoardId, listed: SortedList) -> list[StoredPaperRequest]:
    return decode_all(StoredPaperRequest, query(listed.within(papers_partition(board_id))))


def versions_of_meeting(board_id: BoardId, meeting_id: str) -> list[StoredVersions]:
    """Returns the files of the papers of a meeting that wait for their approval."""
    rows = iter_range(ranges.paper_requests_of_meeting(meeting_id).within(papers_partition(board_id)), PK, SK)
    ids = (PAPER_REQUEST.ids_of(key_of(row))["paperRequestId"] for row in rows)
    return decode_all(StoredVersions, read(versions_key(board_id, id_) for id_ in ids).values())


def versions_key(board_id: BoardId, request_id: str) -> Key:
    """Returns the key of the files that were delivered by a request and wait for its approval."""
    return VERSIONS_OF_PAPER.key_for(boardId=board_id, documentId=request_id)


def keys_of_person(board_id: BoardId, person_id: PersonId) -> Iterator[Key]:
    """Yields the keys of the requests to a person without an account."""
    for row in query(ranges.paper_requests_to(person_id).within(papers_partition(board_id))):
        yield key_of(row)


def rows_of_meeting(board_id: BoardId, meeting_id: str) -> Iterator[Item]:
    """Yields the keys of the requests of a deleted meeting, and then of their count."""
    yield from iter_range(ranges.paper_requests_of_meeting(meeting_id).within(papers_partition(board_id)), PK, SK)
    yield dict(PAPER_REQUEST_COUNT.key_for(boardId=board_id, meetingId=meeting_id).attributes)


def rows_of_board(board_id: BoardId) -> Iterator[Item]:
    """Yields the keys of everything in the partition of a board's paper requests, and what names their files."""
    return iter_range(Range(papers_partition(board_id)), PK, SK, "versions")


def keys_of_reviewer(board_id: BoardId, user_id: UserId) -> list[Key]:
    """Returns the keys of the requests that a member reviews."""
    return [key_of(row) for row in query(ranges.paper_requests_reviewed_by(user_id).within(papers_partition(board_id)))]
