"""How long the rows are kept that the store deletes by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from governance import limits
from governance.instants import Instant, epoch, shift
from governance.models.exports.export import StoredExport
from governance.models.meetings.slot_windows import StoredSlotWindows
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.queue import DeliveryKind, DueMessage
from governance.store import due
from governance.store.calendars import calendar_invitations
from governance.store.documents import document_views
from governance.store.exports import exports
from governance.store.history import audit, events
from governance.store.meetings import guest_links, meetings, slot_windows, vote_requests
from governance.store.notifications import notifications
from governance.store.schema.keys import TTL
from governance.store.writes import Put, Write
from tests.store.stored_items import BOARD, INVITATION, LINK, MEETING, NOTIFICATION, NOW, ONE, USER, event, meeting
from tests.store.written_elsewhere import audit_entry

LATER = INVITATION.event.end
LINK_OF_A_WEEK = LINK.model_copy(update={"expires_at": shift(NOW, days=7)})
ENTRY = audit_entry("meetingCreate")
MESSAGE = DueMessage(kind=DeliveryKind.WEBHOOK, due_at=NOW, group=BOARD, subject_id=ONE, body={})
EXPORT = StoredExport(id=ONE, user_id=USER, board_id=BOARD, created_at=NOW)

KEPT_UNTIL: dict[str, tuple[Callable[[], Iterable[Write]], Instant]] = {
    "audit entry": (lambda: [audit.put(ENTRY)], shift(NOW, days=limits.AUDIT_DAYS)),
    "audit entries together": (lambda: audit.put_together([ENTRY, ENTRY]), shift(NOW, days=limits.AUDIT_DAYS)),
    "calendar invitation to a future meeting": (
        lambda: calendar_invitations.put(None, INVITATION, NOW),
        shift(LATER, days=limits.CALENDAR_INVITATION_DAYS),
    ),
    "calendar invitation to a past meeting": (
        lambda: calendar_invitations.put(None, INVITATION, shift(LATER, days=1)),
        shift(LATER, days=1 + limits.CALENDAR_INVITATION_DAYS),
    ),
    "deleted draft": (lambda: meetings.delete(meeting("draft"), NOW)[1:2], shift(NOW, days=limits.AUDIT_DAYS)),
    "event": (lambda: [events.put(event())], Instant("2027-05-30T09:00:00.000Z")),
    "export": (lambda: exports.create(EXPORT)[:1], shift(NOW, days=limits.EXPORT_DAYS)),
    "running export": (lambda: exports.create(EXPORT)[1:], shift(NOW, hours=limits.EXPORT_HOURS)),
    "guest link": (lambda: [guest_links.put(meeting("scheduled"), LINK_OF_A_WEEK)], LINK_OF_A_WEEK.expires_at),
    "message that is due": (lambda: [due.put(MESSAGE)], shift(NOW, days=limits.DUE_ROW_DAYS)),
    "notification": (lambda: [notifications.create(NOTIFICATION)], shift(NOW, days=limits.NOTIFICATION_DAYS)),
    "windows of slots": (
        lambda: [slot_windows.put(MEETING, StoredSlotWindows(), StoredSlotWindows(), NOW)],
        shift(NOW, days=limits.NOTIFICATION_DAYS),
    ),
    "request for votes": (
        lambda: [vote_requests.put(MEETING, StoredVoteRequest(), StoredVoteRequest(sent_at=NOW))],
        shift(NOW, days=limits.NOTIFICATION_DAYS),
    ),
    "view of a document": (lambda: [document_views.note(USER, ONE, NOW)], shift(NOW, hours=limits.DOCUMENT_VIEW_HOURS)),
}


@pytest.mark.parametrize("kind", KEPT_UNTIL)
def test_a_row_is_kept_for_its_time_in_whole_seconds(kind: str) -> None:
    make, until = KEPT_UNTIL[kind]
    assert {write.item[TTL] for write in make() if isinstance(write, Put)} == {epoch(until)}
