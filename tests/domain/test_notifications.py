"""Who is notified of what: the table, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.notifications import notifications as rules
from governance.domain.notifications.notification_rules import CATEGORY, RULES
from governance.ids import UserId
from governance.instants import Instant
from governance.models.calendar import CalendarSettings
from governance.models.event import Event, StoredEvent
from governance.models.notifications.notification import Channel, NotificationType, ReadMark, StoredPreferences
from tests.domain.notification_table import (
    ADMIN,
    BOARD,
    GUEST,
    MEETING,
    MEETING_REF,
    MEMBERS,
    OUTSIDER,
    OWNER,
    ROWS,
    Row,
    change,
)
from tests.harness.stream import new_event


def chosen(event: StoredEvent) -> set[UserId]:
    notice = rules.rule_for(event)
    return set(rules.recipients(notice, event, MEMBERS, [OUTSIDER])) if notice else set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[2]}")
def test_an_event_notifies_the_readers_in_its_row_of_the_table(row: Row) -> None:
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
def test_nobody_is_notified_of_their_own_act(row: Row) -> None:
    kind, members, _, readers, _ = row
    for actor in readers:
        assert chosen(new_event(BOARD, kind, actor, **members)) == readers - {actor}


def _change_in(members: dict[str, Any]) -> str | None:
    """What of an event, besides its type, decides of its rule."""
    change: str | None = members.get("delivery_data", {}).get("told") or members.get("details", {}).get("to")
    return change


def test_every_row_is_tested_and_every_other_event_tells_nobody() -> None:
    told = {(kind, _change_in(members)) for kind, members, *_ in ROWS}
    reminders = {key for key in RULES if key[0] is Event.REMINDER_SENT}  # who is reached is read when they are told
    assert told == set(RULES) - reminders
    for kind in set(Event) - {kind for kind, _ in told}:
        assert rules.rule_for(new_event(BOARD, kind, OWNER)) is None


@pytest.mark.parametrize("status", ["draft", "scheduled", "working"])
def test_a_status_that_is_not_in_the_table_tells_nobody(status: str) -> None:
    for kind in (Event.MEETING_STATUS_CHANGED, Event.REPORT_STATUS_CHANGED, Event.DASHBOARD_REVIEW_STATUS_CHANGED):
        assert rules.rule_for(new_event(BOARD, kind, OWNER, details=change(status))) is None


def test_nobody_is_told_of_a_draft_or_of_a_committees_document_but_by_comments_whose_recipients_are_checked() -> None:
    for kind, members, *_ in ROWS:
        assert rules.rule_for(new_event(BOARD, kind, OWNER, draft_of=OWNER, **members)) is None
        of_committee = rules.rule_for(new_event(BOARD, kind, OWNER, committee_id="c" * 24, **members))
        assert (of_committee is not None) == (kind is Event.COMMENT_CREATED)


def test_what_has_no_assignee_tells_nobody() -> None:
    assert chosen(new_event(BOARD, Event.ACTION_ITEM_UPDATED, OWNER, refs=MEETING_REF)) == set()


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
def test_a_preference_replaces_the_usual_channels_of_a_type(
    kind: NotificationType, chosen: list[Channel] | None, heard: set[str]
) -> None:
    category = CATEGORY.get(kind)
    overridden = {category: chosen} if category and chosen is not None else {}
    stored = StoredPreferences.model_validate({"userId": OWNER, "preferences": overridden})
    rule = next(rule for (event, _), rule in RULES.items() if rule.type == kind and event is not Event.REMINDER_SENT)
    assert rules.channels(rule, stored, CalendarSettings()) == heard


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize(
    ("about", "setting"),
    [("votes", "vote_requests"), ("deadline", "vote_requests"), ("answers", "invitations"), ("meeting", "invitations")],
)
def test_a_calendar_setting_turns_the_mails_of_its_reminders_off(about: str, setting: str, on: bool) -> None:
    settings = CalendarSettings.model_validate({setting: on})
    heard = rules.channels(RULES[(Event.REMINDER_SENT, about)], None, settings)
    assert heard == ({"email", "in_app"} if on else {"in_app"})


@pytest.mark.parametrize("on", [True, False])
def test_a_request_for_votes_is_a_mail_and_nothing_else(on: bool) -> None:
    heard = rules.channels(RULES[(Event.REMINDER_SENT, "new_slots")], None, CalendarSettings(vote_requests=on))
    assert heard == ({"email"} if on else set())


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


def test_a_notification_links_to_the_meeting_that_its_event_names() -> None:
    event = new_event(BOARD, Event.MEETING_CREATED, refs={"meetingId": MEETING})
    assert rules.meeting_link(event) == f"/boards/{BOARD}/meetings/{MEETING}"
    assert rules.meeting_link(new_event(BOARD, Event.BOARD_CHANGED)) is None


@pytest.mark.parametrize(
    ("names", "webhooks", "invites", "words"),
    [
        (["A"], 0, 0, "1 access token that they created is still active: “A”"),
        (["A", "B"], 0, 0, "2 access tokens that they created are still active: “A” and “B”"),
        (["A", "B", "C"], 0, 0, "3 access tokens that they created are still active: “A”, “B” and “C”"),
        (["A", "B", "C", "D"], 0, 0, "4 access tokens that they created are still active: “A”, “B”, “C” and 1 more"),
        ([], 1, 0, "1 webhook that they created is still there"),
        ([], 2, 1, "2 webhooks that they created are still there; 1 invite that they made is still pending"),
        ([], 0, 2, "2 invites that they made are still pending"),
    ],
)
def test_the_owner_and_admins_are_told_what_a_member_leaves_behind(
    names: list[str], webhooks: int, invites: int, words: str
) -> None:
    event = new_event(BOARD, Event.MEMBER_LEFT, OWNER, refs={"userId": GUEST})
    found = rules.announced_leftovers(event, names, webhooks, invites)
    assert found is not None
    assert (found.delivery_data["title"], found.actor_user_id) == (words, GUEST)
    assert found.id[:12] == event.id[:12]
    assert found.id != event.id


def test_nothing_is_told_of_a_member_who_leaves_nothing_behind() -> None:
    event = new_event(BOARD, Event.MEMBER_LEFT, OWNER, refs={"userId": GUEST})
    assert rules.announced_leftovers(event, [], 0, 0) is None


@pytest.mark.parametrize(
    ("kind", "members", "opens", "ends"),
    [
        (Event.MEETING_STATUS_CHANGED, {"details": {"from": "draft", "to": "scheduled"}}, True, False),
        (Event.MEETING_STATUS_CHANGED, {"details": {"from": "scheduled", "to": "draft"}}, False, False),
        (Event.REPORT_STATUS_CHANGED, {"details": {"from": "draft", "to": "published"}}, False, False),
        (Event.MEMBER_CHANGED, {"delivery_data": {"demoted": True}}, False, True),
        (Event.MEMBER_CHANGED, {"delivery_data": {"demoted": False}}, False, False),
        (Event.MEMBER_CHANGED, {}, False, False),
        (Event.MEMBER_LEFT, {}, False, True),
        (Event.MEMBER_REMOVED, {}, False, True),
        (Event.OWNERSHIP_TRANSFERRED, {}, False, False),
    ],
)
def test_what_opens_a_draft_and_what_ends_an_administration(
    kind: Event, members: dict[str, Any], opens: bool, ends: bool
) -> None:
    event = new_event(BOARD, kind, OWNER, **members)
    assert (rules.opens_draft(event), rules.ends_administration(event)) == (opens, ends)


def test_an_event_is_about_the_most_specific_thing_that_it_names() -> None:
    refs = {"meetingId": "m", "actionItemId": "i"}
    assert rules.object_id(new_event(BOARD, Event.ACTION_ITEM_CREATED, refs=refs)) == "i"
    assert rules.object_id(new_event(BOARD, Event.REPORT_DELETED, refs={"reportId": "r"})) == "r"
    assert rules.object_id(new_event(BOARD, Event.REPORT_DELETED, refs={"reportId": "r", "dashboardId": "d"})) == "d"
    assert rules.object_id(new_event(BOARD, Event.DOCUMENT_DELETED, refs={"documentId": "o", "meetingId": "m"})) == "o"
    assert rules.object_id(new_event(BOARD, Event.BOARD_CHANGED, refs={"userId": "u"})) == BOARD


def test_a_meeting_that_is_finalized_without_minutes_tells_nobody() -> None:
    finalized = new_event(BOARD, Event.MEETING_STATUS_CHANGED, OWNER, details=change("finalized"))
    assert rules.rule_for(finalized) is None
