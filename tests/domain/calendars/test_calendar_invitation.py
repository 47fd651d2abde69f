"""Invitations by mail: what is mailed when, to which address, with which SEQUENCE."""

from __future__ import annotations

import re
from typing import Any

import pytest

from governance.domain.calendars import calendar_invitation as calendar_invitation_rules
from governance.domain.notifications.addressee import Addressee, of_user
from governance.models.calendars.calendar import MailedEvent, StoredCalendarInvitation
from tests.domain.samples import BOARD, NOW, THEN, board, changed, just_before, later, meeting
from tests.domain.samples import user as stored_user


def user(**members: Any) -> Addressee:
    return of_user(stored_user(**members))


TIMES = {"start_time": NOW, "end_time": later(hours=1), "timezone": "Europe/Paris"}


def invitation(**members: Any) -> StoredCalendarInvitation:
    event = members.pop("event", None) or {
        "start": NOW,
        "end": later(hours=1),
        "timezone": "Europe/Paris",
        "title": "Spring",
        "place": None,
        "description": "Board",
        "path": f"/boards/{BOARD}/meetings/m",
        "status": "CONFIRMED",
        "sequence": 4,
    }
    usual = {"user_id": "u", "board_id": BOARD, "meeting_id": "m", "token": "t", "email": "u@example.com"}
    return StoredCalendarInvitation.model_validate({**usual, "cancelled": False, "event": event, **members})


def due(last: StoredCalendarInvitation | None, **members: Any) -> StoredCalendarInvitation | None:
    return calendar_invitation_rules.next_calendar_invitation(
        user(), board(), meeting(**{**TIMES, "sequence": 4, **members}), last
    )


def mailed(last: StoredCalendarInvitation | None, **members: Any) -> StoredCalendarInvitation:
    """The invitation that is due, where one is."""
    new = due(last, **members)
    assert new is not None
    return new


def test_the_first_invitation_says_what_the_meeting_is() -> None:
    first = mailed(None)
    assert first == invitation(token=first.token)
    assert re.fullmatch(r"[a-z2-7]{32}", first.token)
    assert mailed(None).token != first.token


def test_neither_a_repeated_delivery_nor_another_status_alone_is_mailed() -> None:
    assert due(invitation()) is None
    assert due(invitation(), sequence=9) is None
    assert due(invitation(), status="in_progress", sequence=5) is None


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"start_time": later(minutes=1)}, {"start": later(minutes=1)}),
        ({"end_time": later(minutes=1)}, {"end": later(minutes=1)}),
        ({"timezone": "UTC"}, {"timezone": "UTC"}),
        ({"title": "Autumn"}, {"title": "Autumn"}),
        ({"location": "Room"}, {"place": "Room"}),
        ({"location": None, "virtual_meeting_url": "tel:1"}, {"place": "tel:1", "description": "Board\ntel:1"}),
    ],
)
def test_what_a_calendar_shows_of_time_title_and_place_is_mailed_when_it_changes(
    members: dict[str, Any], told: dict[str, Any]
) -> None:
    last = invitation()
    new = mailed(last, **members, sequence=5)
    assert changed(last, new) == {"event": last.event.model_copy(update={**told, "sequence": 5}), "version": 2}


def test_a_link_behind_a_room_is_mailed_and_the_boards_new_name_alone_is_not() -> None:
    room = invitation(event=invitation().event.model_copy(update={"place": "Room"}))
    linked = mailed(room, location="Room", virtual_meeting_url="tel:1")
    assert due(linked, location="Room", virtual_meeting_url="tel:2") is not None
    assert due(linked, location="Room", virtual_meeting_url="tel:1") is None
    assert (
        calendar_invitation_rules.next_calendar_invitation(
            user(), board(name="New"), meeting(**TIMES, sequence=4), invitation()
        )
        is None
    )


def test_a_cancelled_invitation_is_renewed_to_the_present_address() -> None:
    old = invitation(cancelled=True, email="old@example.com", sequence_offset=3, version=6)
    renewed = {"cancelled": False, "email": "u@example.com", "version": 7}
    assert changed(old, mailed(old)) == {**renewed, "event": old.event.model_copy(update={"sequence": 7})}


@pytest.mark.parametrize("members", [{"status": "draft"}, {"start_time": None}])
def test_a_meeting_without_a_place_in_calendars_is_cancelled_there(members: dict[str, Any]) -> None:
    assert due(None, **members) is None
    assert due(invitation(cancelled=True), **members) is None
    assert mailed(invitation(), **members).cancelled


@pytest.mark.parametrize(
    ("sequence", "offset", "number"), [(0, 0, 5), (4, 0, 5), (5, 0, 5), (6, 0, 6), (4, 1, 5), (4, 2, 6), (4, 9, 13)]
)
def test_a_cancellation_repeats_the_last_mail_with_a_higher_number_to_the_address_that_the_user_has_now(
    sequence: int, offset: int, number: int
) -> None:
    last = invitation(sequence_offset=offset, version=2)
    new = calendar_invitation_rules.cancellation(user(email="new@example.com"), sequence, last)
    assert new is not None
    event = last.event.model_copy(update={"status": "CANCELLED", "sequence": number})
    assert changed(last, new) == {"cancelled": True, "email": "new@example.com", "event": event, "version": 3}


def test_nothing_is_cancelled_twice() -> None:
    assert calendar_invitation_rules.cancellation(user(), 4, None) is None
    assert calendar_invitation_rules.cancellation(user(), 4, invitation(cancelled=True)) is None
    assert calendar_invitation_rules.withdrawal(user(), meeting(), invitation(cancelled=True)) is None


@pytest.mark.parametrize(("sequence", "number", "offset"), [(4, 5, 2), (7, 8, 2), (None, 5, 6)])
def test_after_a_withdrawal_the_numbers_of_later_mails_are_higher(
    sequence: int | None, number: int, offset: int
) -> None:
    of = None if sequence is None else meeting(**TIMES, sequence=sequence)
    new = calendar_invitation_rules.withdrawal(user(), of, invitation())
    assert new is not None
    assert (new.cancelled, new.event.sequence, new.sequence_offset) == (True, number, offset)
    assert mailed(new, sequence=sequence or 0).event.sequence == number + 1


def test_only_what_has_not_begun_is_withdrawn() -> None:
    assert not calendar_invitation_rules.is_withdrawn(invitation(), NOW)
    assert calendar_invitation_rules.is_withdrawn(invitation(), just_before())
    assert not calendar_invitation_rules.is_withdrawn(invitation(cancelled=True), just_before())


def test_a_mail_contains_the_event_as_it_was_told() -> None:
    event = calendar_invitation_rules.calendar_event(invitation(), THEN)
    assert (event.id, event.stamped_at, event.sequence, event.title) == ("m", THEN, 4, "Spring")
    assert (
        MailedEvent.model_validate({name: getattr(event, name) for name in MailedEvent.model_fields})
        == invitation().event
    )
    assert calendar_invitation_rules.board_name(invitation()) == "Board"
    linked = invitation().event.model_copy(update={"description": "Board\ntel:1"})
    assert calendar_invitation_rules.board_name(invitation(event=linked)) == "Board"
