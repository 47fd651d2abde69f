"""Deletes what a deleted resource leaves behind: items that cannot be reached from the deletion on (ADR cleanup).

A board has more items under it than fit into a transaction, or into a function's time. So its deletion is one write,
after which none of them can be reached. The event of the deletion then starts the cleanup. It deletes page by page, and
before an item the rows elsewhere that only this item names. So it may be stopped anywhere, and continues there when it
is repeated.

An event proves nothing: public functions write events, too. So every attempt reads the resource that the event names,
and deletes nothing while it exists. A deleted resource cannot come back, because no id is given twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple

from governance import deadline, telemetry
from governance.domain.events.boards import BoardDeleted
from governance.domain.events.documents import OfDocument
from governance.domain.events.kind import Leftovers, P
from governance.domain.events.meetings import OfMeeting, SlotNamed
from governance.domain.events.members import LosesRights, OfPerson
from governance.domain.events.paper_requests import OfPaperRequest
from governance.domain.events.registry import KINDS
from governance.domain.events.reports import OfDashboard, ReportNamed
from governance.domain.events.resolutions import OfResolution, ResolutionDeleted
from governance.domain.events.series import OfSeries
from governance.domain.events.webhooks import WebhookNamed
from governance.ids import BoardId
from governance.instants import now
from governance.limits import TRANSACTION_WRITES
from governance.models.documents.document_version import StoredVersions
from governance.models.history.event import StoredEvent
from governance.models.meetings.meeting import StoredMeeting
from governance.store.account import tokens
from governance.store.action_items import action_items
from governance.store.batches import batches
from governance.store.boards import board_lists, boards, example_boards
from governance.store.calendars import calendars
from governance.store.comments import comments
from governance.store.documents import document_versions, file_bytes, papers
from governance.store.history import audit, events, leaves
from governance.store.invites import invites
from governance.store.meetings import guest_votes, meetings, rsvps, slots
from governance.store.members import unregistered_users
from governance.store.paper_requests import paper_requests
from governance.store.reports import dashboards
from governance.store.resolutions import resolutions, secret_choices
from governance.store.schema.entities import (
    BOARD,
    DASHBOARD,
    DOCUMENT,
    MEETING,
    PAPER_REQUEST,
    REPORT,
    RESOLUTION,
    SERIES,
    SLOT,
)
from governance.store.schema.keys import Entity, Item, Key, key_of
from governance.store.schema.sizes import most_bytes
from governance.store.series import series
from governance.store.table import read_one
from governance.store.transactions import delete_all, transact
from governance.store.webhooks import webhook_deliveries, webhooks
from governance.store.writes import Write
from governance.usecases.members import departures, scrubbing

_PAGE = TRANSACTION_WRITES
"""Items that are deleted together, with the rows elsewhere that they name."""

_Row = tuple[Item, list[Key]]
"""A row, and the keys of the rows elsewhere that it names."""


def leaves_something(event: StoredEvent) -> bool:
    """Returns whether the event is a deletion that leaves items behind."""
    return KINDS[event.type].leaves is not None


def delete_leftovers(event: StoredEvent) -> bool:
    """Deletes what the deletion that the event records has left behind; other events leave nothing.

    Deletes nothing if what the event names still exists. Returns False if the time was over before everything was
    deleted. Then repeat it.
    """
    leftovers = KINDS[event.type].leaves
    if leftovers is None:
        return True
    cleanup = _CLEANUPS[leftovers]
    payload = cleanup.payload.of(event)
    if not cleanup.is_gone(event, payload):
        telemetry.logger().warning("cleanup refused", event_type=event.type, board=event.board_id, event_id=event.id)
        return True
    return cleanup.clean(event, payload)


class _Cleanup(NamedTuple, Generic[P]):
    """How to read that what an event names is gone, and how to delete, or to release, what it left.

    `payload` is as much of the event as that needs.
    """

    payload: type[P]
    is_gone: Callable[[StoredEvent, P], bool]
    clean: Callable[[StoredEvent, P], bool]


def _is_gone(entity: Entity, id_of: Callable[[P], str | None]) -> Callable[[StoredEvent, P], bool]:
    """Returns a function that reads whether the item of this kind that a payload names no longer exists."""

    def read_gone(event: StoredEvent, payload: P) -> bool:
        item = read_one(entity.key_for(**{**event.refs, "boardId": event.board_id}))
        return item is None or item["id"] != id_of(payload)  # a slot's key may have passed to another slot

    return read_gone


def _is_board_gone(event: StoredEvent, _deleted: BoardDeleted) -> bool:
    return read_one(BOARD.key_for(boardId=event.board_id)) is None


def _is_webhook_gone(event: StoredEvent, deleted: WebhookNamed) -> bool:
    return deleted.webhook_id not in [webhook.id for webhook in webhooks.of_board(event.board_id).webhooks]


def _clean_meeting(event: StoredEvent, deleted: OfMeeting) -> bool:
    board_id, meeting_id = event.board_id, deleted.meeting_id
    return (
        _delete_rows(slots.rows_under_meeting(board_id, meeting_id))  # the link first: no guest writes after that
        and _delete_rows(guest_votes.rows_of_meeting(board_id, meeting_id))
        and _delete_rows(rsvps.rows_of_meeting(board_id, meeting_id))
        and _delete_files(paper_requests.versions_of_meeting(board_id, meeting_id))
        and _delete_rows(paper_requests.rows_of_meeting(board_id, meeting_id))
        and _delete_rows(action_items.rows_of_meeting(board_id, meeting_id), action_items.keys_elsewhere)
    )


def _is_version_gone(event: StoredEvent, deleted: OfDocument) -> bool:
    versions = document_versions.of_document(event.board_id, deleted.document_id)
    return versions is None or deleted.version_id not in {version.id for version in versions.versions}


def _clean_version(event: StoredEvent, deleted: OfDocument) -> bool:
    """Deletes the file of a version; a version that was free text had none."""
    if deleted.version_id is not None:
        papers.delete(papers.keys(event.board_id, deleted.document_id, deleted.version_id))
    return True


def _clean_dashboard(event: StoredEvent, deleted: OfDashboard) -> bool:
    return _delete_rows(comments.rows_under_dashboard(event.board_id, deleted.report_id, deleted.dashboard_id))


def _clean_document(event: StoredEvent, deleted: OfDocument) -> bool:
    """Deletes the comments on a document and its files, then the item that names the files."""
    if not _delete_rows(comments.rows_under_document(event.board_id, deleted.document_id)):
        return False
    versions = document_versions.of_document(event.board_id, deleted.document_id)
    return _delete_files([versions] if versions else [])


def _clean_paper_request(event: StoredEvent, deleted: OfPaperRequest) -> bool:
    """Deletes the files that were delivered by a request and never approved."""
    versions = document_versions.of_paper(event.board_id, deleted.paper_request_id)
    return _delete_files([versions] if versions else [])


def _delete_files(of_documents: Iterable[StoredVersions]) -> bool:
    """Deletes the files of documents, then the items that name them. Returns False if time is over."""
    for versions in of_documents:
        if not deadline.has_time(deadline.PAGE_SECONDS):
            return False
        papers.delete(document_versions.file_keys(document_versions.to_item(versions)))
        transact([document_versions.delete(versions), *file_bytes.changes(versions, None)])
    return True


def _clean_report(event: StoredEvent, deleted: ReportNamed) -> bool:
    rows = dashboards.rows_under_report(event.board_id, deleted.report_id)
    return _delete_rows(rows, dashboards.keys_elsewhere)


def _clean_slot(event: StoredEvent, removed: SlotNamed) -> bool:
    ids = event.board_id, removed.meeting_id, removed.slot_id or ""
    return _delete_rows(slots.rows_of_votes(*ids)) and _delete_rows(guest_votes.rows_of_slot(*ids))


def _discard_votes(event: StoredEvent, closed: OfMeeting) -> bool:
    """Deletes the guests' votes that are discarded according to the meeting itself."""
    item = read_one(MEETING.key_for(boardId=event.board_id, meetingId=closed.meeting_id))
    until = StoredMeeting.model_validate(item).guest_votes_discarded_at if item else None
    if until is None:
        return True
    for writes in guest_votes.delete_until(event.board_id, closed.meeting_id, until):
        if not deadline.has_time(deadline.PAGE_SECONDS):
            return False
        transact(writes)
    return True


def _clean_webhook(event: StoredEvent, deleted: WebhookNamed) -> bool:
    return _delete_rows(webhook_deliveries.rows_of_webhook(event.board_id, deleted.webhook_id))


def _clean_series(event: StoredEvent, deleted: OfSeries) -> bool:
    return _delete_rows(series.rows_under(event.board_id, deleted.series_id))


def _is_vote_over(event: StoredEvent, ended: OfResolution) -> bool:
    """Returns whether a resolution is closed or withdrawn: nobody counts its ballots any more."""
    resolution = resolutions.find(event.board_id, ended.resolution_id)
    return resolution is None or resolution.status not in ("draft", "open")


def _clean_choices(event: StoredEvent, ended: OfResolution) -> bool:
    delete_all(secret_choices.keys(event.board_id, ended.resolution_id))
    return True


def _expire_events(event: StoredEvent, deleted: ResolutionDeleted) -> bool:
    """Lets the events of a deleted draft expire, its deletion too; those of other resolutions live as long as these."""
    drafted_at = deleted.drafted_at or event.created_at
    for row in events.iter_logged(event.board_id, drafted_at, now(), deleted.resolution_id):
        if not deadline.has_time(deadline.PAGE_SECONDS):
            return False
        transact([events.expire(key_of(row), event.created_at)])
    return True


def _delete_events(event: StoredEvent, deleted: BoardDeleted) -> bool:
    """Deletes the events of a board's resolutions, which do not expire."""
    created_at = deleted.board_created_at or event.created_at
    return _delete_rows(events.iter_logged(event.board_id, created_at, now()))


def _clean_board(event: StoredEvent, deleted: BoardDeleted) -> bool:
    board_id = event.board_id
    return (
        _clean_webhooks(board_id)
        and _delete_rows(
            boards.rows_under_board(board_id),
            keys_elsewhere(deleted.invite_code),
            files=document_versions.file_keys,
        )
        and _delete_rows(
            meetings.rows_of_board(board_id), remembered=lambda item: meetings.keep_hidden(item, event.created_at)
        )
        and _delete_rows(guest_votes.rows_of_board(board_id))
        and _delete_rows(paper_requests.rows_of_board(board_id), files=document_versions.file_keys)
        and _delete_rows(resolutions.rows_of_board(board_id), resolutions.keys_elsewhere)
        and _delete_events(event, deleted)
        and _delete_characters(event, deleted)
        and _end_salts(board_id)
    )


def _end_salts(board_id: BoardId) -> bool:
    """Ends the salts of a board's audit entries: nobody can open them in the log any more (ADR log)."""
    salted = (row for row in audit.rows_of_board(board_id, now()) if leaves.may_be_opened(row))
    for page in batches(salted, lambda _: 0, _PAGE):
        if not deadline.has_time(deadline.PAGE_SECONDS):
            return False
        leaves.end_salts(page)
    return True


def _delete_characters(event: StoredEvent, deleted: BoardDeleted) -> bool:
    """Deletes the made-up members of an example board, who are on no other board."""
    if deleted.is_example:
        delete_all(example_boards.keys_of_characters(event.board_id))
    return True


def _clean_webhooks(board_id: BoardId) -> bool:
    """Deletes a board's webhooks with their deliveries and the rows that find them, and the stamp of its calendar.

    Returns False if time is over.
    """
    for webhook in webhooks.of_board(board_id).webhooks:
        if not _delete_rows(webhook_deliveries.rows_of_webhook(board_id, webhook.id)):
            return False
        delete_all([webhooks.location_key(webhook.id)])
    delete_all([webhooks.key(board_id), calendars.stamp_key(board_id)])
    return True


def keys_elsewhere(code: str | None) -> Callable[[Item], Iterable[Key]]:
    """Returns a function that names the rows outside a board's partition that only an item inside it can name."""
    named: list[Callable[[Item], Iterable[Key]]] = [
        action_items.keys_elsewhere,
        board_lists.keys_elsewhere,
        dashboards.keys_elsewhere,
        invites.keys_elsewhere(code),
        tokens.keys_elsewhere,
        unregistered_users.keys_elsewhere,
    ]
    return lambda item: [key for keys in named for key in keys(item)]


def _delete_rows(
    rows: Iterator[Item],
    elsewhere: Callable[[Item], Iterable[Key]] = lambda _: (),
    remembered: Callable[[Item], Iterable[Write]] = lambda _: (),
    files: Callable[[Item], Iterable[str]] = lambda _: (),
) -> bool:
    """Deletes rows page by page, and before each page the rows elsewhere that it names. Returns False if time is over.

    `files` returns the object keys of the documents' files that a row names, `remembered` the write that keeps what
    must be known of a row after its deletion, if any.
    """
    for page in batches(((row, [*elsewhere(row)]) for row in rows), _bytes_of, _PAGE):
        if not deadline.has_time(deadline.PAGE_SECONDS):
            return False
        if kept := [write for row, _ in page for write in remembered(row)]:
            transact(kept)
        papers.delete([key for row, _ in page for key in files(row)])
        delete_all(dict.fromkeys(key for _, keys in page for key in keys))
        delete_all(key_of(row) for row, _ in page)
    return True


def _bytes_of(row: _Row) -> int:
    return sum(map(most_bytes, [key_of(row[0]), *row[1]]))


_CLEANUPS: Mapping[Leftovers, _Cleanup[Any]] = {
    Leftovers.BOARD: _Cleanup(BoardDeleted, _is_board_gone, _clean_board),
    Leftovers.MEMBER: _Cleanup(LosesRights, departures.has_left, departures.release),
    Leftovers.MEETING: _Cleanup(OfMeeting, _is_gone(MEETING, lambda deleted: deleted.meeting_id), _clean_meeting),
    Leftovers.SLOT: _Cleanup(SlotNamed, _is_gone(SLOT, lambda removed: removed.slot_id), _clean_slot),
    Leftovers.GUEST_VOTES: _Cleanup(OfMeeting, lambda *_: True, _discard_votes),
    Leftovers.DOCUMENT: _Cleanup(OfDocument, _is_gone(DOCUMENT, lambda deleted: deleted.document_id), _clean_document),
    Leftovers.DOCUMENT_VERSION: _Cleanup(OfDocument, _is_version_gone, _clean_version),
    Leftovers.REPORT: _Cleanup(ReportNamed, _is_gone(REPORT, lambda deleted: deleted.report_id), _clean_report),
    Leftovers.DASHBOARD: _Cleanup(
        OfDashboard, _is_gone(DASHBOARD, lambda deleted: deleted.dashboard_id), _clean_dashboard
    ),
    Leftovers.WEBHOOK: _Cleanup(WebhookNamed, _is_webhook_gone, _clean_webhook),
    Leftovers.RESOLUTION_EVENTS: _Cleanup(
        ResolutionDeleted, _is_gone(RESOLUTION, lambda ended: ended.resolution_id), _expire_events
    ),
    Leftovers.SECRET_CHOICES: _Cleanup(OfResolution, _is_vote_over, _clean_choices),
    Leftovers.SERIES: _Cleanup(OfSeries, _is_gone(SERIES, lambda deleted: deleted.series_id), _clean_series),
    Leftovers.PAPER_REQUEST: _Cleanup(
        OfPaperRequest, _is_gone(PAPER_REQUEST, lambda deleted: deleted.paper_request_id), _clean_paper_request
    ),
    Leftovers.SCRUBBED: _Cleanup(OfPerson, scrubbing.is_scrubbed, scrubbing.clean),
}
