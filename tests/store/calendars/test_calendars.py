"""Calendar feeds, and invitations: a mail that was not sent takes its invitation back, and no other one."""

from __future__ import annotations

import pytest

from governance.models.calendars.calendar import StoredCalendarInvitation
from governance.store.calendars import calendar_invitations, calendars
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.store.stored_items import BOARD, INVITATION, NOW

pytestmark = pytest.mark.usefixtures("store")
OLD = INVITATION
NEW = OLD.model_copy(update={"cancelled": not OLD.cancelled, "version": OLD.version + 1})
LATER = NEW.model_copy(update={"version": NEW.version + 1})
KEY = calendar_invitations.key(OLD.user_id, OLD.meeting_id)


def test_a_first_invitation_that_is_taken_back_is_gone() -> None:
    transact(calendar_invitations.put(None, OLD, NOW))
    transact(calendar_invitations.take_back(None, OLD, NOW))
    assert read_one(KEY) is None


def test_of_a_later_invitation_that_is_taken_back_the_earlier_one_stays_and_whoever_read_either_reads_again() -> None:
    transact(calendar_invitations.put(None, OLD, NOW))
    transact(calendar_invitations.put(OLD, NEW, NOW))
    transact(calendar_invitations.take_back(OLD, NEW, NOW))
    left = calendar_invitations.from_item(read_one(KEY))
    assert left is not None
    assert left == OLD.model_copy(update={"version": left.version})
    for read_before in (OLD, NEW):
        with pytest.raises(StaleRead):
            transact(calendar_invitations.put(read_before, LATER, NOW))


@pytest.mark.parametrize("old", [None, OLD], ids=["first", "later"])
def test_an_invitation_that_followed_meanwhile_is_not_taken_back(old: StoredCalendarInvitation | None) -> None:
    transact(calendar_invitations.put(None, LATER, NOW))
    with pytest.raises(StaleRead):
        transact(calendar_invitations.take_back(old, NEW, NOW))
    assert calendar_invitations.from_item(read_one(KEY)) == LATER


def test_a_feed_without_a_row_of_its_boards_showed_none() -> None:
    assert calendars.boards_of(None) == []
    assert calendars.boards_of({"PK": "FEED", "SK": "BOARDS", "boardIds": [BOARD]}) == [BOARD]
