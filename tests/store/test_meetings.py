"""Meetings as they are stored: what a calendar reads, and what is kept of a draft that is deleted."""

from __future__ import annotations

import pytest

from governance.ids import UserId, new_id
from governance.instants import Instant, shift
from governance.models.meetings.meeting import StoredMeeting
from governance.store import due
from governance.store.meetings import meetings
from governance.store.schema.entities import MEETING as MEETING_ENTITY
from governance.store.schema.entities import REPORT
from governance.store.schema.keys import make_item
from governance.store.transactions import transact
from tests.store import stored_items
from tests.store.stored_items import BOARD, MEETING, NOW, REPORT_ITEM, USER


def meeting(id_: str, status: str, start: Instant | None, creator: UserId = USER) -> StoredMeeting:
    """Stores a meeting and returns it."""
    changed = {"id": id_, "start_time": start, "creator_id": creator}
    made = stored_items.meeting(status).model_copy(update=changed)
    transact(meetings.create(made))
    return made


@pytest.mark.usefixtures("store")
def test_a_calendar_reads_what_starts_later_what_has_no_start_and_the_users_own_drafts() -> None:
    meeting("1" * 24, "scheduled", shift(NOW, hours=-1))
    later = meeting("2" * 24, "scheduled", shift(NOW, hours=1))
    open_ = meeting("3" * 24, "scheduled", None)
    draft = meeting("4" * 24, "draft", None)
    meeting("5" * 24, "draft", None, UserId("9" * 24))
    found = [read() for read in meetings.calendar_reads(BOARD, USER, NOW, 10)]
    assert found == [[later], [open_], [draft]]


@pytest.mark.usefixtures("store")
def test_a_meeting_is_created_with_its_reminder() -> None:
    made = meeting(MEETING, "scheduled", shift(NOW, days=3))
    assert [message.due_at for part in due.due_before(shift(NOW, days=3), 10) for message in part.values()] == [
        shift(NOW, days=2)
    ]
    assert meetings.find(BOARD, MEETING) == made
    assert meetings.find(BOARD, new_id()) is None


def test_only_a_draft_of_a_meeting_is_kept_hidden() -> None:
    draft, scheduled = (stored_items.meeting(status) for status in ("draft", "scheduled"))
    key = MEETING_ENTITY.key_for(boardId=BOARD, meetingId=MEETING)
    of_report = REPORT.key_for(boardId=BOARD, reportId=REPORT_ITEM.id)
    assert len(meetings.keep_hidden(make_item(key, draft.item()), NOW)) == 1
    assert meetings.keep_hidden(make_item(key, scheduled.item()), NOW) == []
    assert meetings.keep_hidden(make_item(of_report, {**REPORT_ITEM.item(), "status": "draft"}), NOW) == []
