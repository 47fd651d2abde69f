"""The rules of minutes: when they are written, who sees them, what they may name, and what makes them final."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings.in_camera import NOBODY as READER
from governance.domain.members.unregistered_user import NamedPeople
from governance.ids import PersonId, UserId
from governance.models.boards.board import Membership
from governance.models.meetings.minutes import MinutesBody, Quorum, StoredMinutes
from governance.scopes import Tier
from tests.domain.resolutions.ballots import resolution
from tests.domain.samples import NOW, THEN, conflict, id_of, later, meeting, membership, minutes, refusal

USER, OTHER, LEFT, GONE = (UserId(id_of(name)) for name in ("user", "other", "left", "gone"))
ITEM, TASK, VOTED = (id_of(name) for name in ("item", "task", "voted"))
ANNA, OLD = (PersonId(id_of(name)) for name in ("anna", "old"))
PEOPLE = NamedPeople({ANNA: "Anna Berg", OLD: "Old"}, {ANNA})
KNOWN = minutes_rules.KnownSubjects({USER, OTHER}, PEOPLE, {ITEM: None}, {TASK}, READER)
RUNNING = meeting(status="in_progress")


def body(**members: Any) -> MinutesBody:
    return MinutesBody.model_validate(members)


def errors(old: StoredMinutes | None = None, **members: Any) -> set[str]:
    return {*refusal(minutes_rules.changed, RUNNING, old, body(**members), KNOWN, None, NOW)[2]["fields"]}


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("draft", "INVALID_TRANSITION"),
        ("scheduled", "INVALID_TRANSITION"),
        ("in_progress", None),
        ("completed", None),
        ("finalized", "MEETING_FINALIZED"),
    ],
)
def test_minutes_are_written_from_the_beginning_of_a_meeting_until_it_is_final(status: str, reason: str | None) -> None:
    if reason is None:
        minutes_rules.check_written(meeting(status=status))
    else:
        assert refusal(minutes_rules.check_written, meeting(status=status)) == conflict(reason)


@pytest.mark.parametrize(
    ("tier", "sees_draft"), [(None, True), (Tier.MANAGER, True), (Tier.COLLABORATOR, True), (Tier.GUEST, False)]
)
def test_every_member_sees_final_minutes_and_collaborators_drafts(tier: Tier | None, sees_draft: bool) -> None:
    assert minutes_rules.can_see(minutes(status="final"), tier)
    assert minutes_rules.can_see(minutes(), tier) is sees_draft


def test_changed_minutes_keep_when_they_were_begun() -> None:
    old = minutes(version=4)
    changed = minutes_rules.changed(
        RUNNING, old, body(items=[{"text": "All agreed.", "agendaItemId": ITEM}]), KNOWN, None, NOW
    )
    assert (changed.created_at, changed.updated_at, changed.version) == (THEN, NOW, 5)
    assert [entry.text for entry in changed.items] == ["All agreed."]
    assert minutes_rules.changed(RUNNING, None, body(), KNOWN, None, NOW).created_at == NOW


def test_each_attends_once_as_a_member_or_by_name() -> None:
    there = {"present": "in_person"}
    fine = body(attendance=[{"userId": USER, **there}, {"name": "Ann", **there}, {"name": "Ann", **there}])
    assert len(minutes_rules.changed(RUNNING, None, fine, KNOWN, None, NOW).attendance) == 3
    assert errors(attendance=[{"userId": USER, **there}, {"userId": USER, **there}]) == {"attendance.1.userId"}
    assert errors(attendance=[{"userId": LEFT, **there}]) == {"attendance.0.userId"}
    assert errors(attendance=[there, {"userId": USER, "name": "Ann", **there}]) == {"attendance.0", "attendance.1"}


def test_minutes_name_what_is_known_or_what_they_named_before() -> None:
    item = {"text": "", "agendaItemId": GONE, "actionItemIds": [TASK, GONE]}
    assert errors(items=[{"text": ""}, item]) == {"items.1.agendaItemId", "items.1.actionItemIds.1"}
    old = minutes(
        attendance=({"user_id": LEFT, "present": "remote"},),
        items=({"text": "", "agenda_item_id": GONE, "action_item_ids": (GONE,)},),
    )
    again = body(attendance=[{"userId": LEFT, "present": "absent"}], items=[item])
    assert minutes_rules.changed(RUNNING, old, again, KNOWN, None, NOW).items[0].action_item_ids == (TASK, GONE)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, True),
        ({"status": "withdrawn"}, True),
        ({"status": "draft"}, False),
        ({"meeting_id": "n"}, False),
        ({"meeting_id": None}, False),
        ({"committee_id": "c"}, False),
    ],
)
def test_minutes_may_name_a_resolution_of_their_meeting_that_was_opened(
    members: dict[str, Any], expected: bool
) -> None:
    assert minutes_rules.may_name(RUNNING, resolution(**members)) is expected


def test_a_resolution_stands_in_place_of_a_decision() -> None:
    known = minutes_rules.KnownSubjects(set(), PEOPLE, {}, set(), READER, resolutions={VOTED})
    named = {"text": "Voted.", "resolutionId": VOTED}
    assert minutes_rules.changed(RUNNING, None, body(items=[named]), known, None, NOW).items[0].resolution_id == VOTED
    both = {**named, "decision": {"text": "Yes.", "result": "carried"}}
    assert {*refusal(minutes_rules.changed, RUNNING, None, body(items=[both]), known, None, NOW)[2]["fields"]} == {
        "items.0.decision"
    }
    assert errors(items=[named]) == {"items.0.resolutionId"}
    old = minutes(items=({"text": "", "resolution_id": VOTED},))
    assert minutes_rules.changed(RUNNING, old, body(items=[named]), KNOWN, None, NOW).items[0].resolution_id == VOTED


@pytest.mark.parametrize(
    ("status", "result"),
    [("open", None), ("carried", "carried"), ("rejected", "rejected"), ("lapsed", None), ("withdrawn", None)],
)
def test_an_item_shows_what_its_resolution_decided(status: str, result: str | None) -> None:
    named = minutes(items=({"text": "", "resolution_id": "r"}, {"text": ""}))
    shown, other = minutes_rules.to_resource(named, [], PEOPLE, READER, {"r": resolution(status=status)}).items
    assert (shown.decision.model_dump() if shown.decision else None) == (
        {"text": "2030-4 Budget", "result": result} if result else None
    )
    assert (shown.resolution_id, other.decision, other.resolution_id) == ("r", None, None)


def test_the_quorum_counts_members_who_are_there_in_person_or_remotely() -> None:
    attendance = [
        {"user_id": "u", "present": "in_person"},
        {"user_id": "v", "present": "remote"},
        {"user_id": "w", "present": "absent"},
        {"user_id": "left", "present": "in_person"},
        {"name": "Ann", "present": "in_person"},
    ]
    assert minutes_rules.quorum(minutes(attendance=attendance), ["u", "v", "w", "x"]) == Quorum(present=2, members=4)


def test_final_minutes_keep_the_quorum_of_the_members_of_then() -> None:
    draft = minutes(attendance=({"user_id": "u", "present": "remote"},), updated_at=later(), version=2)
    assert minutes_rules.to_resource(draft, ["u", "v"], PEOPLE, READER).quorum == Quorum(present=1, members=2)
    final = minutes_rules.final(draft, ["u", "v"])
    assert (final.status, final.version) == ("final", 3)
    shown = minutes_rules.to_resource(final, ["v", "w", "x"], PEOPLE, READER)
    assert (shown.status, shown.quorum) == ("final", Quorum(present=1, members=2))
    assert (shown.meeting_id, shown.created_at, shown.updated_at) == ("m", THEN, later())


@pytest.mark.parametrize(
    ("entries", "field"),
    [
        ([{"unregisteredUserId": OLD}], "attendance.0.unregisteredUserId"),
        ([{"unregisteredUserId": ANNA}, {"unregisteredUserId": ANNA}], "attendance.1.unregisteredUserId"),
        ([{"unregisteredUserId": ANNA, "userId": USER}], "attendance.0"),
        ([{"unregisteredUserId": ANNA, "name": "Another"}], "attendance.0"),
    ],
)
def test_a_person_without_an_account_attends_once_while_active(entries: list[dict[str, Any]], field: str) -> None:
    assert errors(attendance=[{**entry, "present": "remote"} for entry in entries]) == {field}


def test_who_has_no_account_is_shown_with_their_name_and_does_not_count_for_the_quorum() -> None:
    before = minutes(attendance=[{"unregistered_user_id": OLD, "present": "in_person"}])
    shown = minutes_rules.to_resource(before, [USER, OLD], PEOPLE, READER)
    assert [(entry.unregistered_user_id, entry.name) for entry in shown.attendance] == [(OLD, "Old")]
    assert shown.quorum == Quorum(present=0, members=2)
    again = [entry.model_dump(by_alias=True, exclude_none=True) for entry in shown.attendance]
    kept = minutes_rules.changed(RUNNING, before, body(attendance=again), KNOWN, None, NOW).attendance[0]
    assert (kept.unregistered_user_id, kept.name) == (OLD, None), "an answer may be sent back"


def test_minutes_keep_who_wrote_them_first() -> None:
    first = minutes_rules.changed(RUNNING, None, body(), KNOWN, UserId("u"), NOW)
    assert (
        first.created_by_user_id,
        minutes_rules.changed(RUNNING, first, body(), KNOWN, UserId("v"), NOW).created_by_user_id,
    ) == (
        "u",
        "u",
    )


@pytest.mark.parametrize(
    ("author", "member", "writes"),
    [
        (None, None, True),
        (None, membership(access_type="collaborator"), False),
        (UserId("u"), membership(access_type="collaborator"), True),
        (None, membership(access_type="manager"), True),
    ],
)
def test_minutes_are_written_by_those_who_run_the_meeting_and_by_their_author(
    author: UserId | None, member: Membership | None, writes: bool
) -> None:
    old = minutes(created_by_user_id=author)
    assert minutes_rules.may_write(meeting(creator_id="somebody"), old, member) is writes


def test_deleted_minutes_can_be_restored_for_thirty_days() -> None:
    kept = minutes_rules.deleted(minutes(version=4), NOW)
    assert minutes_rules.is_restorable(kept, later(days=30, seconds=-1))
    assert not minutes_rules.is_restorable(kept, later(days=30))
    new = minutes_rules.restored(RUNNING, kept, None, later(days=1))
    assert (new.deleted_at, new.updated_at, new.version) == (None, later(days=1), 5)
    assert refusal(minutes_rules.restored, RUNNING, kept, minutes(), NOW) == conflict("MINUTES_EXIST")
    assert refusal(minutes_rules.restored, meeting(status="scheduled"), kept, None, NOW) == conflict(
        "INVALID_TRANSITION"
    )
