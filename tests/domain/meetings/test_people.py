"""The rules of who among the people without an account is invited to a meeting."""

from __future__ import annotations

import pytest

from governance.domain.meetings import people as rules
from governance.ids import PersonId
from governance.models.meetings.people import MeetingPeopleBody, StoredMeetingPeople
from tests.domain.samples import NOW, THEN, chosen, conflict, id_of, meeting, refusal

ANNA, BELA, GONE = (PersonId(id_of(name)) for name in ("anna", "bela", "gone"))
ACTIVE = [ANNA, BELA]


def changed(
    old: StoredMeetingPeople | None, wanted: list[PersonId] | None, status: str = "scheduled"
) -> StoredMeetingPeople | None:
    body = MeetingPeopleBody.model_validate({"unregisteredUserIds": wanted})
    return rules.changed(meeting(status=status), old, body, ACTIVE, NOW)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (None, ACTIVE),
        (chosen(None), ACTIVE),
        (chosen(()), []),
        (chosen((BELA,)), [BELA]),
        (chosen((GONE, BELA, ANNA)), ACTIVE),
    ],
)
def test_all_active_people_are_invited_unless_some_were_chosen(
    choice: StoredMeetingPeople | None, expected: list[PersonId]
) -> None:
    assert rules.invited(choice, ACTIVE) == expected


@pytest.mark.parametrize(
    ("choice", "shown", "at"),
    [
        (None, None, None),
        (chosen(None), None, THEN),
        (chosen((GONE, BELA, ANNA)), (ANNA, BELA), THEN),
        (chosen((GONE,)), (), THEN),
    ],
)
def test_a_choice_shows_the_active_people_in_the_order_of_the_board(
    choice: StoredMeetingPeople | None, shown: tuple[PersonId, ...] | None, at: str | None
) -> None:
    resource = rules.to_resource(meeting(), choice, ACTIVE)
    assert (resource.unregistered_user_ids, resource.updated_at) == (shown, at)


def test_a_choice_is_stored_with_its_version_and_what_newer_releases_add() -> None:
    first = changed(None, [BELA])
    assert first is not None
    assert (first.unregistered_user_ids, first.updated_at, first.version) == ((BELA,), NOW, 1)
    newer = chosen((BELA,), version=3, addedLater="x")
    second = changed(newer, None)
    assert second is not None
    assert (second.unregistered_user_ids, second.version) == (None, 4)
    assert second.item()["addedLater"] == "x"


@pytest.mark.parametrize(
    ("old", "wanted"),
    [
        (None, None),
        (chosen(None), None),
        (chosen(()), []),
        (chosen((ANNA, BELA)), [BELA, ANNA]),
        (chosen((BELA, GONE)), [BELA]),
    ],
)
def test_the_same_choice_again_is_no_change(old: StoredMeetingPeople | None, wanted: list[PersonId] | None) -> None:
    assert changed(old, wanted) is None


@pytest.mark.parametrize(
    ("old", "wanted"),
    [(None, []), (None, [ANNA, BELA]), (chosen(()), None), (chosen((ANNA, BELA)), None), (chosen((ANNA,)), [BELA])],
)
def test_all_by_default_is_another_choice_than_all_by_name(
    old: StoredMeetingPeople | None, wanted: list[PersonId] | None
) -> None:
    assert changed(old, wanted) is not None


def test_only_active_people_are_chosen_and_the_first_other_one_is_named() -> None:
    status, _, details = refusal(changed, chosen((GONE,)), [ANNA, GONE, BELA])
    assert (status, [*details["fields"]]) == (400, ["unregisteredUserIds.1"])


def test_a_finalized_meetings_choice_does_not_change() -> None:
    assert refusal(changed, None, [ANNA], status="finalized") == conflict("MEETING_FINALIZED")
    assert changed(None, [ANNA], status="completed") is not None


def test_who_was_merged_is_dropped_and_an_empty_choice_stays_one() -> None:
    alone = rules.without(chosen((GONE,)), GONE, NOW)
    assert (alone.unregistered_user_ids, alone.updated_at, alone.version) == ((), NOW, 2)
    assert rules.without(chosen((ANNA, GONE, BELA)), GONE, NOW).unregistered_user_ids == (ANNA, BELA)
