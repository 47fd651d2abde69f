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

from governance import deadline, telemetry
from governance.domain.events.boards import BoardDeleted
from governance.domain.events.kind import Leftovers
from governance.domain.events.registry import KINDS
from governance.domain.events.resolutions import ResolutionDeleted
from governance.domain.reports import bet as bet_rules
from governance.ids import BoardId, UserId
from governance.instants import now
from governance.limits import TRANSACTION_WRITES
from governance.models.event import StoredEvent
from governance.models.meetings.meeting import StoredMeeting
from governance.store import audit, comments, events, leaves
from governance.store.account import tokens
from governance.store.batches import batches
from governance.store.boards import board_lists, boards, example_boards, unregistered_users
from governance.store.calendars import calendars
from governance.store.documents import document_versions, file_bytes, papers
from governance.store.invites import invites
from governance.store.meetings import action_items, guest_votes, meetings, rsvps, slots
from governance.store.reports import bets, dashboards
from governance.store.resolutions import resolutions, secret_choices
from governance.store.schema.entities import (
    BOARD,
    DASHBOARD,
    DOCUMENT,
    MEETING,
    MEMBER,
    REPORT,
    RESOLUTION,
    SLOT,
)
from governance.store.schema.keys import Entity, Item, Key, key_of
from governance.store.schema.sizes import most_bytes
from governance.store.table import read_one
from governance.store.transactions import delete_all, transact
from governance.store.webhooks import webhook_deliveries, webhooks
from governance.store.writes import Write
from governance.usecases.members import scrubbing

_PAGE = TRANSACTION_WRITES
"""Items that are deleted together, with the rows elsewhere that they name."""
_PAGE_SECONDS = 5 * deadline.STORE_ATTEMPT_SECONDS
"""Time to read a page, and to delete it with its rows elsewhere."""

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
    is_gone, clean = _CLEANUPS[leftovers]
    if not is_gone(event):
        telemetry.logger().warning("cleanup refused", event_type=event.type, board=event.board_id, event_id=event.id)
        return True
    return clean(event)


def _is_gone(entity: Entity, id_of: Callable[[StoredEvent], str]) -> Callable[[StoredEvent], bool]:
    """Returns a function that reads whether the item of this kind that an event names no longer exists."""

    def read_gone(event: StoredEvent) -> bool:
        item = read_one(entity.key_for(**{**event.refs, "boardId": event.board_id}))
        return item is None or item["id"] != id_of(event)  # a slot's key may have passed to another slot

    return read_gone


def _is_webhook_gone(event: StoredEvent) -> bool:
    return event.refs["webhookId"] not in [webhook.id for webhook in webhooks.of_board(event.board_id).webhooks]


def _clean_meeting(event: StoredEvent) -> bool:
    board_id, meeting_id = event.board_id, event.refs["meetingId"]
    return (
        _delete_rows(slots.rows_under_meeting(board_id, meeting_id))  # the link first: no guest writes after that
        and _delete_rows(guest_votes.rows_of_meeting(board_id, meeting_id))
        and _delete_rows(rsvps.rows_of_meeting(board_id, meeting_id))
        and _delete_rows(action_items.rows_of_meeting(board_id, meeting_id), action_items.keys_elsewhere)
    )


def _is_version_gone(event: StoredEvent) -> bool:
    versions = document_versions.of_document(event.board_id, event.refs["documentId"])
    return versions is None or event.refs.get("versionId") not in {version.id for version in versions.versions}


def _clean_version(event: StoredEvent) -> bool:
    """Deletes the file of a version; a version that was free text had none."""
    if "versionId" in event.refs:
        papers.delete(papers.keys(event.board_id, event.refs["documentId"], event.refs["versionId"]))
    return True


def _clean_dashboard(event: StoredEvent) -> bool:
    ids = event.refs["reportId"], event.refs["dashboardId"]
    return _delete_rows(comments.rows_under_dashboard(event.board_id, *ids))


def _clean_document(event: StoredEvent) -> bool:
    """Deletes the comments on a document and its files, then the item that names the files."""
    if not _delete_rows(comments.rows_under_document(event.board_id, event.refs["documentId"])):
        return False
    versions = document_versions.of_document(event.board_id, event.refs["documentId"])
    if versions is not None:
        papers.delete(document_versions.file_keys(document_versions.to_item(versions)))
        transact([document_versions.delete(versions), *file_bytes.changes(versions, None)])
    return True


def _clean_report(event: StoredEvent) -> bool:
    rows = dashboards.rows_under_report(event.board_id, event.refs["reportId"])
    return _delete_rows(rows, dashboards.keys_elsewhere)


def _clean_slot(event: StoredEvent) -> bool:
    ids = event.board_id, event.refs["meetingId"], event.refs["slotId"]
    return _delete_rows(slots.rows_of_votes(*ids)) and _delete_rows(guest_votes.rows_of_slot(*ids))


def _discard_votes(event: StoredEvent) -> bool:
    """Deletes the guests' votes that are discarded according to the meeting itself."""
    item = read_one(MEETING.key_for(boardId=event.board_id, meetingId=event.refs["meetingId"]))
    until = StoredMeeting.model_validate(item).guest_votes_discarded_at if item else None
    if until is None:
        return True
    for writes in guest_votes.delete_until(event.board_id, event.refs["meetingId"], until):
        if not deadline.has_time(_PAGE_SECONDS):
            return False
        transact(writes)
    return True


def _has_left(event: StoredEvent) -> bool:
    """Returns whether the user is not a member, or joined again after the event."""
    item = read_one(MEMBER.key_for(boardId=event.board_id, userId=event.refs["userId"]))
    return item is None or item["createdAt"] > event.created_at


def _release_bets(event: StoredEvent) -> bool:
    """Removes a departed member as the owner of their bets, except bets assigned after they rejoined."""
    user_id = UserId(event.refs["userId"])
    for bet in bets.all_of_board(event.board_id):
        if not deadline.has_time(_PAGE_SECONDS):
            return False
        at = now()
        released = bet_rules.without_owner(bet, user_id, event.created_at, at)
        if released is not None:
            transact(bets.replace(bet, released, at))
    return True


def _clean_webhook(event: StoredEvent) -> bool:
    return _delete_rows(webhook_deliveries.rows_of_webhook(event.board_id, event.refs["webhookId"]))


def _is_vote_over(event: StoredEvent) -> bool:
    """Returns whether a resolution is closed or withdrawn: nobody counts its ballots any more."""
    resolution = resolutions.find(event.board_id, event.refs["resolutionId"])
    return resolution is None or resolution.status not in ("draft", "open")


def _clean_choices(event: StoredEvent) -> bool:
    delete_all(secret_choices.keys(event.board_id, event.refs["resolutionId"]))
    return True


def _expire_events(event: StoredEvent) -> bool:
    """Lets the events of a deleted draft expire, its deletion too; those of other resolutions live as long as these."""
    drafted_at = ResolutionDeleted.of(event).drafted_at or event.created_at
    for row in events.iter_logged(event.board_id, drafted_at, now(), event.refs["resolutionId"]):
        if not deadline.has_time(_PAGE_SECONDS):
            return False
        transact([events.expire(key_of(row), event.created_at)])
    return True


def _delete_events(event: StoredEvent) -> bool:
    """Deletes the events of a board's resolutions, which do not expire."""
    created_at = BoardDeleted.of(event).board_created_at or event.created_at
    return _delete_rows(events.iter_logged(event.board_id, created_at, now()))


def _clean_board(event: StoredEvent) -> bool:
    board_id = event.board_id
    return (
        _clean_webhooks(board_id)
        and _delete_rows(
            boards.rows_under_board(board_id),
            keys_elsewhere(BoardDeleted.of(event).invite_code),
            files=document_versions.file_keys,
        )
        and _delete_rows(
            meetings.rows_of_board(board_id), remembered=lambda item: meetings.keep_hidden(item, event.created_at)
        )
        and _delete_rows(guest_votes.rows_of_board(board_id))
        and _delete_rows(resolutions.rows_of_board(board_id), resolutions.keys_elsewhere)
        and _delete_events(event)
        and _delete_characters(event)
        and _end_salts(board_id)
    )


def _end_salts(board_id: BoardId) -> bool:
    """Ends the salts of a board's audit entries: nobody can open them in the log any more (ADR log)."""
    salted = (row for row in audit.rows_of_board(board_id, now()) if leaves.may_be_opened(row))
    for page in batches(salted, lambda _: 0, _PAGE):
        if not deadline.has_time(_PAGE_SECONDS):
            return False
        leaves.end_salts(page)
    return True


def _delete_characters(event: StoredEvent) -> bool:
    """Deletes the made-up members of an example board, who are on no other board."""
    if BoardDeleted.of(event).is_example:
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
        if not deadline.has_time(_PAGE_SECONDS):
            return False
        if kept := [write for row, _ in page for write in remembered(row)]:
            transact(kept)
        papers.delete([key for row, _ in page for key in files(row)])
        delete_all(dict.fromkeys(key for _, keys in page for key in keys))
        delete_all(key_of(row) for row, _ in page)
    return True


def _bytes_of(row: _Row) -> int:
    return sum(map(most_bytes, [key_of(row[0]), *row[1]]))


_CLEANUPS: Mapping[Leftovers, tuple[Callable[[StoredEvent], bool], Callable[[StoredEvent], bool]]] = {
    Leftovers.BOARD: (_is_gone(BOARD, lambda event: event.board_id), _clean_board),
    Leftovers.MEMBER: (_has_left, _release_bets),
    Leftovers.MEETING: (_is_gone(MEETING, lambda event: event.refs["meetingId"]), _clean_meeting),
    Leftovers.SLOT: (_is_gone(SLOT, lambda event: event.refs["slotId"]), _clean_slot),
    Leftovers.GUEST_VOTES: (lambda _: True, _discard_votes),
    Leftovers.DOCUMENT: (_is_gone(DOCUMENT, lambda event: event.refs["documentId"]), _clean_document),
    Leftovers.DOCUMENT_VERSION: (_is_version_gone, _clean_version),
    Leftovers.REPORT: (_is_gone(REPORT, lambda event: event.refs["reportId"]), _clean_report),
    Leftovers.DASHBOARD: (_is_gone(DASHBOARD, lambda event: event.refs["dashboardId"]), _clean_dashboard),
    Leftovers.WEBHOOK: (_is_webhook_gone, _clean_webhook),
    Leftovers.RESOLUTION_EVENTS: (_is_gone(RESOLUTION, lambda event: event.refs["resolutionId"]), _expire_events),
    Leftovers.SECRET_CHOICES: (_is_vote_over, _clean_choices),
    Leftovers.SCRUBBED: (scrubbing.is_scrubbed, scrubbing.clean),
}
"""For each: how to read that the resource of its event is gone, and how to delete, or to release, what that left."""
