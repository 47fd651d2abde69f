"""Cancellations of invitations when a membership or a board ends, or its user wants no more of them."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from governance.deliveries.calendars import mails, plans
from governance.deliveries.following import plan_event
from governance.errors import ApiError, unavailable
from governance.models.history.event import Event
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.usecases.cleanup import delete_leftovers
from tests.calendars.calendar_invitation_mails import calendar_of, schedule, settle, told
from tests.calendars.invited import want_calendar_invitations
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.history import event_items
from tests.harness.meeting_scenario import from_now, leave
from tests.harness.outbox import Outbox, text_of
from tests.harness.stream import new_event, process_records, record


def lose(scenario: BoardScenario, user: Person, end: str) -> None:
    """Takes the board away from a member."""
    if end == "left":
        leave(scenario, user)
    elif end == "removed":
        members = scenario.owner.client.all(f"{scenario.path}/members")
        (own,) = [member["id"] for member in members if member["userId"] == user.id]
        assert scenario.owner.client.delete(f"{scenario.path}/members/{own}").status == 200
    else:
        assert scenario.owner.client.delete(scenario.path).status == 200


@pytest.mark.parametrize("end", ["left", "removed", "deleted"])
def test_who_loses_the_board_has_its_coming_meetings_cancelled(
    scenario: BoardScenario, ben: Person, outbox: Outbox, end: str
) -> None:
    elsewhere = new_board_scenario("oscar")
    elsewhere.join(ben)
    schedule(elsewhere, title="Elsewhere")
    schedule(scenario, title="Over", startTime=from_now(days=-3))
    meeting = schedule(scenario)
    settle(elsewhere)
    settle(scenario)
    before, known = len(outbox.mails), event_items(scenario.board_id)
    lose(scenario, ben, end)
    (happened,) = [item for item in event_items(scenario.board_id) if item not in known]
    assert process_records([record(happened)]) == []
    assert told(outbox)[before:] == [(ben.email, "CANCEL", "Spring", 1)]
    settle(scenario)
    assert len(outbox.mails) == before + 1
    if end != "deleted":
        assert meeting.patch(title="Autumn").status == 200
        settle(scenario)
        assert len(outbox.mails) == before + 1


def test_a_cancellation_says_nothing_that_came_after(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    meeting = schedule(scenario, location="Room 3")
    settle(scenario)
    leave(scenario, ben)
    assert scenario.owner.client.patch(scenario.path, {"name": "Secret"}).status == 200
    assert meeting.patch(title="Secret", location="Secret", startTime=from_now(days=9)).status == 200
    settle(scenario)
    assert [method for _, method, *_ in told(outbox)] == ["REQUEST", "CANCEL"]
    (asked, cancelled) = (calendar_of(mail).walk("VEVENT")[0] for mail in outbox.mails)
    for name in ("uid", "dtstart", "dtend", "summary", "location", "description", "url"):
        assert cancelled[name].to_ical() == asked[name].to_ical()
    assert "Secret" not in text_of(outbox.last) + str(outbox.last["Subject"]) + str(cancelled["organizer"].params)


def test_one_who_switched_invitations_off_gets_no_cancellations_and_none_that_was_planned(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    schedule(scenario)
    settle(scenario)
    want_calendar_invitations(ben, wanted=False)
    planned = {"boardId": scenario.board_id, "userId": ben.id, "meetingId": schedule(scenario).path.rpartition("/")[2]}
    assert list(mails.mail_calendar_invitation(planned)) == []
    leave(scenario, ben)
    settle(scenario)
    assert len(outbox.mails) == 1


def test_a_cancellation_that_follows_the_cleanup_of_the_board_has_a_higher_number_too(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    meeting = schedule(scenario)
    settle(scenario)
    assert meeting.patch(startTime=from_now(days=9)).status == 200
    settle(scenario)
    assert scenario.owner.client.delete(scenario.path).status == 200
    assert delete_leftovers(new_event(scenario.board_id, Event.BOARD_DELETED))
    for message in plans.withdraw_calendar_invitations({"boardId": scenario.board_id, "userId": ben.id}):
        assert list(mails.mail_calendar_invitation(message.body)) == []
    assert told(outbox)[2:] == [(ben.email, "CANCEL", "Spring", 2)]


@pytest.mark.usefixtures("ben")
def test_no_cleanup_of_a_board_begins_before_its_invitations_are_withdrawn(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cleanup deletes the list of members, so a failure to read it must keep the cleanup back."""
    deleted = new_event(scenario.board_id, Event.BOARD_DELETED)
    assert [message.kind for message in plan_event(deleted.item())] == [
        DeliveryKind.CALENDAR_WITHDRAWAL,
        DeliveryKind.CLEANUP,
    ]
    sent: list[Message] = []
    monkeypatch.setattr("governance.queue.sending.send", sent.extend)
    monkeypatch.setattr("governance.store.boards.boards.roster", Mock(side_effect=unavailable()))
    with pytest.raises(ApiError):
        plan_event(deleted.item())
    assert DeliveryKind.CLEANUP not in {message.kind for message in sent}


def test_one_who_rejoined_keeps_the_meetings(scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
    schedule(scenario)
    settle(scenario)
    leave(scenario, ben)
    scenario.join(ben)
    settle(scenario)
    assert told(outbox) == [(ben.email, "REQUEST", "Spring", 0)]


def test_one_who_joined_again_is_told_in_numbers_above_that_of_the_cancellation(
    scenario: BoardScenario, ben: Person, outbox: Outbox
) -> None:
    """A calendar ignores a mail whose number is not above the one that it knows."""
    meeting = schedule(scenario)
    settle(scenario)
    for _ in range(2):
        leave(scenario, ben)
        settle(scenario)
        scenario.join(ben)
        for change in ({"title": "Summer"}, {"title": "Autumn"}, {"startTime": from_now(days=9)}):
            assert meeting.patch(**change).status == 200
            settle(scenario)
    assert [(method, sequence) for _, method, _, sequence in told(outbox)] == [
        *(("REQUEST", 0), ("CANCEL", 1), ("REQUEST", 2), ("REQUEST", 2), ("REQUEST", 3)),
        *(("CANCEL", 4), ("REQUEST", 5), ("REQUEST", 5), ("REQUEST", 6)),
    ]
