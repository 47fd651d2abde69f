"""Who is notified of what: the table, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain import notifications as rules
from governance.domain.notification_rules import CATEGORY, RULES
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.board import RosterEntry
from governance.models.event import Event, StoredEvent
from governance.models.notification import Channel, NotificationType, ReadMark, StoredPreferences
from governance.scopes import Tier
from tests.harness.stream import new_event

BOARD, MEETING = BoardId("b" * 24), "e" * 24
OWNER, ADMIN, MANAGER, COLLABORATOR, GUEST, OUTSIDER = (UserId(f"{n:024x}") for n in range(6))


TIERS = {
    OWNER: Tier.OWNER,
    ADMIN: Tier.ADMIN,
    MANAGER: Tier.MANAGER,
    COLLABORATOR: Tier.COLLABORATOR,
    GUEST: Tier.GUEST,
}
MEMBERS = [RosterEntry(user_id, user_id, tier) for user_id, tier in TIERS.items()]
EVERYBODY = {OWNER, ADMIN, MANAGER, COLLABORATOR, GUEST}
MEETING_REF = {"meetingId": MEETING}
REPORT_REFS = {"reportId": "d" * 24}
DASHBOARD_REFS = {**REPORT_REFS, "dashboardId": "c" * 24}


def change(to: str) -> dict[str, str]:
    return {"from": "x", "to": to}


Row = tuple[Event, dict[str, Any], str, set[UserId], set[str]]
ROWS: list[Row] = [
    (
        Event.INVITE_CREATED,
        {"refs": {"inviteId": "a" * 24}, "data": {"inviteeEmail": "x@example.com"}},
        "board_invite",
        {OUTSIDER},
        {"boardId", "inviterId", "inviteId"},
    ),
    (
        Event.INVITE_ACCEPTED,
        {"refs": {"inviteId": "a" * 24}, "data": {"inviterIds": [COLLABORATOR, ADMIN, OUTSIDER]}},
        "membership_accepted",
        {COLLABORATOR, ADMIN},
        {"boardId", "acceptingUserId", "inviteId"},
    ),
    (Event.MEMBER_CHANGED, {"refs": {"userId": GUEST}}, "membership_modified", {GUEST}, set()),
    (Event.MEMBER_REMOVED, {"refs": {"userId": OUTSIDER}}, "membership_removed", {OUTSIDER}, set()),
    (Event.MEMBER_LEFT, {"refs": {"userId": OUTSIDER}}, "member_left", {OWNER, ADMIN}, set()),
    (Event.OWNERSHIP_TRANSFERRED, {"refs": {"userId": MANAGER}}, "ownership_transfer", {MANAGER}, set()),
    (Event.BOARD_CHANGED, {}, "board_update", EVERYBODY, set()),
    (Event.TOKEN_CREATED, {"refs": {"tokenId": "a" * 24}}, "board_update", {OWNER}, set()),
    (Event.WEBHOOK_DISABLED, {"refs": {"webhookId": "a" * 24}}, "board_update", {OWNER}, {"boardId"}),
    (
        Event.MEETING_STATUS_CHANGED,
        {"refs": MEETING_REF, "details": change("finalized")},
        "post_meeting_minutes_distributed",
        EVERYBODY,
        {"boardId", "triggeringUserId", "meetingLink"},
    ),
    *[
        (kind, {"refs": MEETING_REF}, type_, EVERYBODY, {"boardId", "triggeringUserId", "meetingLink"})
        for kind, type_ in (
            (Event.MEETING_MOVED_BY_CALENDAR, "meeting_updated_from_calendar"),
            (Event.MEETING_CANCELLED_BY_CALENDAR, "meeting_cancelled_from_calendar"),
        )
    ],
    *[
        (
            Event.RSVP_CHANGED,
            {"refs": MEETING_REF, "details": change(answer), "data": {"creatorId": creator}},
            "meeting_rsvp_changed",
            readers,
            {"boardId", "triggeringUserId", "meetingLink"},
        )
        for answer, creator, readers in (
            ("accepted", GUEST, {GUEST}),
            ("tentative", None, {OWNER, ADMIN}),
            ("declined", OUTSIDER, {OWNER, ADMIN}),
            ("noAnswer", GUEST, {GUEST}),
        )
    ],
    (
        Event.SLOT_PROPOSED,
        {"refs": MEETING_REF},
        "slot_proposed",
        EVERYBODY - {GUEST},
        {"boardId", "triggeringUserId", "meetingLink"},
    ),
    *[
        (
            kind,
            {"refs": MEETING_REF, "data": {"assigneeUserId": GUEST}},
            "task_assignment",
            {GUEST},
            {"boardId", "triggeringUserId", "meetingLink"},
        )
        for kind in (Event.ACTION_ITEM_CREATED, Event.ACTION_ITEM_UPDATED)
    ],
    *[
        (
            Event.REPORT_STATUS_CHANGED,
            {"refs": REPORT_REFS, "details": change(status)},
            kind,
            EVERYBODY,
            {"boardId", "triggeringUserId", "reportId"},
        )
        for status, kind in (("published", "report_published"), ("finalized", "report_finalized"))
    ],
    *[
        (
            Event.DASHBOARD_REVIEW_STATUS_CHANGED,
            {
                "refs": DASHBOARD_REFS,
                "details": change(status),
                "data": {"dashboardType": "uniform", "creatorId": COLLABORATOR},
            },
            kind,
            readers,
            {"boardId", "triggeringUserId", "reportId", "dashboardId", "dashboardType"},
        )
        for status, kind, readers in (
            ("ready_for_review", "dashboard_ready_for_review", {OWNER, ADMIN, MANAGER}),
            ("changes_requested", "dashboard_changes_requested", {COLLABORATOR}),
            ("internally_reviewed", "dashboard_internally_reviewed", {COLLABORATOR}),
        )
    ],
]


def chosen(event: StoredEvent) -> set[UserId]:
    notice = rules.rule_for(event)
    return set(rules.recipients(notice, event, MEMBERS, [OUTSIDER])) if notice else set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[2]}")
def test_each_row_of_the_table(row: Row) -> None:
    kind, members, type_, readers, carried = row
    event = new_event(BOARD, kind, UserId("f" * 24), **members)
    notice = rules.rule_for(event)
    assert notice is not None
    assert notice.type == type_
    assert chosen(event) == readers
    named = rules.named_users(notice, event)
    if named is not None:
        present = [member for member in MEMBERS if member.user_id in named]
        assert set(rules.recipients(notice, event, present, [OUTSIDER])) == readers
    assert set(rules.references(notice, event)) == (carried or {"boardId", "triggeringUserId"})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[2]}")
def test_nobody_is_notified_of_his_own_act(row: Row) -> None:
    kind, members, _, readers, _ = row
    for actor in readers:
        assert chosen(new_event(BOARD, kind, actor, **members)) == readers - {actor}


def test_every_row_is_tested_and_every_other_event_tells_nobody() -> None:
    told = {(kind, members.get("details", {}).get("to")) for kind, members, *_ in ROWS}
    assert told == set(RULES)
    for kind in set(Event) - {kind for kind, _ in told}:
        assert rules.rule_for(new_event(BOARD, kind, OWNER)) is None


@pytest.mark.parametrize("status", ["draft", "scheduled", "working"])
def test_a_status_that_is_not_in_the_table_tells_nobody(status: str) -> None:
    for kind in (Event.MEETING_STATUS_CHANGED, Event.REPORT_STATUS_CHANGED, Event.DASHBOARD_REVIEW_STATUS_CHANGED):
        assert rules.rule_for(new_event(BOARD, kind, OWNER, details=change(status))) is None


def test_nobody_is_told_of_a_draft() -> None:
    for kind, members, *_ in ROWS:
        assert rules.rule_for(new_event(BOARD, kind, OWNER, draft_of=OWNER, **members)) is None


def test_what_has_no_assignee_and_no_creator_tells_nobody() -> None:
    assert chosen(new_event(BOARD, Event.ACTION_ITEM_UPDATED, OWNER, refs=MEETING_REF)) == set()
    event = new_event(
        BOARD, Event.DASHBOARD_REVIEW_STATUS_CHANGED, OWNER, details=change("internally_reviewed"), data={}
    )
    assert chosen(event) == set()


def test_without_an_actor_the_reference_to_them_is_absent() -> None:
    event = new_event(BOARD, Event.BOARD_CHANGED)
    assert set(rules.references(RULES[Event.BOARD_CHANGED, None], event)) == {"boardId"}


@pytest.mark.parametrize(
    ("kind", "chosen", "heard"),
    [
        ("task_assignment", None, {"email", "in_app"}),
        ("task_assignment", ["email"], {"email"}),
        ("task_assignment", ["in_app"], {"in_app"}),
        ("task_assignment", [], set()),
        ("post_meeting_minutes_distributed", None, {"email", "in_app"}),
        ("report_published", None, {"email", "in_app"}),
        ("dashboard_ready_for_review", None, {"email", "in_app"}),
        ("board_update", None, {"in_app"}),
        ("slot_proposed", None, {"in_app"}),
    ],
)
def test_channels(kind: NotificationType, chosen: list[Channel] | None, heard: set[str]) -> None:
    category = CATEGORY.get(kind)
    overridden = {category: chosen} if category and chosen is not None else {}
    stored = StoredPreferences.model_validate({"userId": OWNER, "preferences": overridden})
    assert rules.channels(kind, stored) == heard


def test_one_event_means_one_thing_to_one_user() -> None:
    event, other = new_event(BOARD, Event.BOARD_CHANGED), new_event(BOARD, Event.BOARD_CHANGED)
    ids = [
        rules.notification_id(event, OWNER),
        rules.notification_id(event, ADMIN),
        rules.notification_id(other, OWNER),
    ]
    assert len(set(ids)) == 3
    assert ids[0] == rules.notification_id(event, OWNER)
    assert ids[0][:12] == event.id[:12]


def test_the_mark_of_all_read_never_moves_back() -> None:
    early, late = Instant("2030-01-01T12:00:00.000Z"), Instant("2030-01-01T14:00:00.000Z")
    mark = rules.all_read(ReadMark(user_id=OWNER), [], late)
    again = rules.all_read(mark, [], early)
    assert (again.until, again.marked_at) == (mark.until, late)
    assert mark.until < late
    assert rules.all_read(ReadMark(user_id=OWNER), [], early).until < mark.until
