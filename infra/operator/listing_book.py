"""Enters in the minute book what earlier releases approved and carried: a part of `boardctl migrate`."""

from __future__ import annotations

import hashlib
from itertools import zip_longest

from governance.domain.access.visibility import event_visibilities
from governance.domain.meetings import minute_book as book_rules
from governance.ids import BoardId
from governance.models.history.event import Event
from governance.models.meetings.minutes_versions import StoredMinutesApproval, StoredVersionApproval
from governance.models.resolutions.resolution import StoredResolution
from governance.store.history import events
from governance.store.meetings import meetings, minute_book, minutes_versions
from governance.store.paging import strictly_after, strictly_before
from governance.store.resolutions import certificates, resolutions
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write
from infra.operator.kinds import model_of
from infra.operator.log import all_rows

_AT_ONCE = 100
"""Events of one instant among which that of an approval is."""


def enter_older(*, dry_run: bool) -> int:
    """Writes the entries that are missing; returns of how many meetings and resolutions.

    A row that another writer changes meanwhile is entered when the command is repeated.
    """
    number = 0
    for row in all_rows():
        model, writes = model_of(row), list[Write]()
        if model is StoredMinutesApproval:
            writes = entries_of_minutes(StoredMinutesApproval.model_validate(row))
        if model is StoredResolution:
            writes = entry_of_resolution(StoredResolution.model_validate(row))
        number += bool(writes)
        if writes and not dry_run:
            try:
                transact(writes)
            except StaleRead:
                continue
    return number


def entries_of_minutes(approval: StoredMinutesApproval) -> list[Write]:
    """Returns the writes of the entries that approved versions lack, and of the approval, which names their events."""
    meeting = meetings.find(approval.board_id, approval.meeting_id)
    approved = [each for each in (*approval.superseded, approval) if each.book_number is not None]
    missing = [each for each in approved if not _is_entered(approval, each)]
    if meeting is None or not missing:
        return []
    named = {each.number: _event_id(approval, each) for each in missing}
    new = _with_events(approval, named)
    later = [each.book_number for each in approved[1:]]
    return [
        minutes_versions.put_approval(approval, new),
        *(
            minute_book.put(book_rules.entry_of_minutes(meeting, each, successor))
            for each, successor in zip_longest([new.of_version(each.number) or each for each in approved], later)
            if each.number in named
        ),
    ]


def _is_entered(approval: StoredMinutesApproval, version: StoredVersionApproval) -> bool:
    return minute_book.find(approval.board_id, "minutes", version.book_number or "") is not None


def _with_events(approval: StoredMinutesApproval, named: dict[int, str | None]) -> StoredMinutesApproval:
    superseded = tuple(
        each.model_copy(update={"event_id": named.get(each.number, each.event_id)}) for each in approval.superseded
    )
    changes = {"superseded": superseded, "event_id": named.get(approval.number, approval.event_id)}
    return approval.model_copy(update={**changes, "version": approval.version + 1})


def _event_id(approval: StoredMinutesApproval, version: StoredVersionApproval) -> str | None:
    """Returns the id of the event of an approval, which is of the same instant; None if it is not there any more."""
    at = version.approved_at or version.updated_at
    found, _ = events.list_page(
        approval.board_id, event_visibilities(None, ()), strictly_before(at), strictly_after(at), None, _AT_ONCE
    )
    kinds = (Event.MINUTES_APPROVED, Event.MINUTES_CORRECTED)
    ids = (each.id for each in found if each.type in kinds and each.refs.get("meetingId") == approval.meeting_id)
    return next(ids, None)


def entry_of_resolution(head: StoredResolution) -> list[Write]:
    """Returns the writes of the entry that a carried resolution lacks, and of its head, which nobody changed since."""
    if head.status != "carried" or minute_book.find(head.board_id, "resolution", head.number or "") is not None:
        return []
    certificate = certificates.find_written(head.board_id, head.id)
    if certificate is None:
        return []
    sha256 = hashlib.sha256(certificate.text.encode()).hexdigest()
    successor = _number_of(head.board_id, head.superseded_by_id)
    entry = book_rules.entry_of_resolution(head, sha256, certificate.event_id, successor)
    return [*resolutions.replace(head, head.model_copy(update={"version": head.version + 1})), minute_book.put(entry)]


def _number_of(board_id: BoardId, resolution_id: str | None) -> str | None:
    found = resolutions.find(board_id, resolution_id) if resolution_id else None
    return found.number if found else None
