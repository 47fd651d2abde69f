"""Meetings, slots, votes and answers as they are stored."""

from __future__ import annotations

import pytest

from governance.errors import ApiError, Code
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant, shift
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import StoredRsvp
from governance.store import due
from governance.store.meetings import guest_votes, meetings, rsvps, slots
from governance.store.schema.entities import MEETING as MEETING_ENTITY
from governance.store.schema.entities import MEMBER_VOTE, REPORT
from governance.store.schema.keys import make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.domain import samples
from tests.store import stored_items
from tests.store.stored_items import BOARD, MEETING, NOW, ONE, REPORT_ITEM, SLOT, SLOT_AT, USER, vote

pytestmark = pytest.mark.usefixtures("store")


def meeting(id_: str, status: str, start: Instant | None, creator: UserId = USER) -> StoredMeeting:
    changed = {"id": id_, "start_time": start, "creator_id": creator}
    made = stored_items.meeting(status).model_copy(update=changed)
    transact(meetings.create(made))
    return made


def test_a_calendar_reads_what_starts_later_what_has_no_start_and_the_users_own_drafts() -> None:
    meeting("1" * 24, "scheduled", shift(NOW, hours=-1))
    later = meeting("2" * 24, "scheduled", shift(NOW, hours=1))
    open_ = meeting("3" * 24, "scheduled", None)
    draft = meeting("4" * 24, "draft", None)
    meeting("5" * 24, "draft", None, UserId("9" * 24))
    listed = [read() for read in meetings.calendar_reads(BOARD, USER, NOW, 10)]
    assert listed == [[later], [open_], [draft]]


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


KEY = MEMBER_VOTE.key_for(boardId=BOARD, meetingId=MEETING, slotId=SLOT, userId=USER)


def test_the_comment_of_a_vote_is_deleted_and_the_vote_stays() -> None:
    cast = vote(user_id=USER, join_id=ONE).model_copy(update={"comment": "On a train"})
    transact([slots.put_vote(SLOT_AT, cast)])
    transact([slots.delete_comment(KEY)])
    assert read_one(KEY) == {**KEY.attributes, **cast.model_copy(update={"comment": None}).item()}


def test_deleting_the_comment_of_a_vote_that_was_deleted_brings_no_row_back() -> None:
    with pytest.raises(StaleRead):
        transact([slots.delete_comment(KEY)])
    assert read_one(KEY) is None


def test_a_meeting_has_slots_from_its_first_to_its_last() -> None:
    assert not slots.has_slots(BOARD, MEETING)
    transact(slots.create(SLOT_AT))
    assert slots.has_slots(BOARD, MEETING)
    assert slots.list_of_meeting(BOARD, MEETING).slots == [SLOT_AT]
    transact(slots.delete(SLOT_AT, {}, NOW))
    assert not slots.has_slots(BOARD, MEETING)


def test_the_open_slots_of_a_board_are_those_that_start_at_an_instant_or_later() -> None:
    transact(slots.create(SLOT_AT))
    assert [slot.id for slot in slots.list_open(BOARD, NOW, 5)] == [SLOT]
    assert slots.list_open(BOARD, shift(NOW, seconds=1), 5) == []


def test_a_start_is_proposed_once_and_a_slot_that_is_gone_meanwhile_is_proposed_again() -> None:
    transact(slots.create(SLOT_AT))
    with pytest.raises(ApiError) as refusal:
        transact(slots.create(SLOT_AT.model_copy(update={"id": SLOT[:12] + "3" * 12})))
    assert (refusal.value.code, refusal.value.details) == (Code.CONFLICT, {"slotId": SLOT})
    assert isinstance(slots._already_proposed(None), StaleRead)


ANN = UserId(new_id())
FIRST, SECOND, THIRD = (new_id() for _ in range(3))


def answer(meeting_id: str, board_id: BoardId = BOARD, user_id: UserId = ANN) -> StoredRsvp:
    made = samples.rsvp(board_id=board_id, meeting_id=meeting_id, user_id=user_id)
    transact([rsvps.put(None, made)])
    return made


def test_a_user_s_answers_to_some_meetings_are_found_and_no_others() -> None:
    of_first, of_second = answer(FIRST), answer(SECOND)
    answer(THIRD, user_id=UserId(new_id()))
    answer(THIRD, board_id=BoardId(new_id()))
    assert rsvps.of_user(BOARD, ANN, [SECOND, THIRD, FIRST]) == [of_second, of_first]
    assert rsvps.of_user(BOARD, ANN, []) == []


def test_malformed_ids_of_meetings_and_slots_name_nothing() -> None:
    assert slots.list_of_meeting(BOARD, "x") == slots.SlotsAndVotes([], [])
    empty = (rsvps.list_of_meeting, guest_votes.list_of_meeting)
    assert [read(BOARD, "x") for read in empty] == [[], []]
    assert [read(BOARD, MEETING, "x") for read in (slots.votes_on, guest_votes.list_of_slot)] == [[], []]
