"""Who is notified of what, and the rules that hold for every notification."""

from __future__ import annotations

import re
from string import Formatter
from typing import Any

import pytest

from governance.domain.events import account, action_items, boards, committees, invites, meetings, members, reports
from governance.domain.events.kind import Audience, EventKind, Lookup, Notification, Payload
from governance.domain.events.registry import KINDS
from governance.domain.events.reminders import REMINDER_SENT, REMINDERS
from governance.domain.notifications import notifications as notifications_rules
from governance.domain.notifications.notification_types import TYPES, link
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.boards.board import RosterEntry
from governance.models.calendars.calendar import CalendarSettings
from governance.models.history.event import Event
from governance.models.notifications.notification import (
    NotificationCategory,
    NotificationChannel,
    ReadMark,
    StoredPreferences,
)
from governance.models.notifications.reminder import ReminderKind
from governance.scopes import Tier
from governance.texts import texts
from tests.harness.stream import new_event

BOARD = BoardId("b" * 24)
OWNER, ADMIN, MANAGER, COLLABORATOR, GUEST, OUTSIDER = (UserId(f"{n:024x}") for n in range(6))
TIERS = {
    OWNER: Tier.OWNER,
    ADMIN: Tier.ADMIN,
    MANAGER: Tier.MANAGER,
    COLLABORATOR: Tier.COLLABORATOR,
    GUEST: Tier.GUEST,
}
MEMBERS = [RosterEntry(user_id, user_id, tier) for user_id, tier in TIERS.items()]

RECIPIENTS = """
guest: board.changed meeting.created meeting.updated meeting.status_changed meeting.deleted cycle.published/package
guest: meeting.cancelled meeting.reinstated minutes.circulated minutes.approved minutes.corrected
guest: meeting.updated_from_calendar meeting.cancelled_from_calendar report.status_changed
collaborator: slot.proposed
manager: dashboard.review_status_changed/ready_for_review cycle.published/meeting series.updated/skipped
manager: member.removed/links member.left/links
admin: member.changed/left member.changed/bounced member.removed/left member.left unregistered_user.updated
owner: token.created board.example_filled webhook.created webhook.disabled
named: invite.accepted member.changed board.ownership_transferred committee.updated
named: action_item.created action_item.updated slot.removed paper_request.delivered
named: minutes.remarked
RESOLUTION_SEAT: resolution.recused resolution.proxy_changed
named: dashboard.access_granted dashboard.access_revoked dashboard.ownership_transferred
named*: member.removed
named/admin: meeting.rsvp_changed unregistered_rsvp.changed
found: invite.created/bounced validation_flag.raised cycle.dispatched
INVITEES*: invite.created
WITHOUT_VOTE: reminder.sent/votes reminder.sent/deadline reminder.sent/new_slots
WITHOUT_ANSWER: reminder.sent/answers
ATTENDING: reminder.sent/meeting
TASK_ASSIGNEE: reminder.sent/due_tomorrow reminder.sent/due_yesterday
SECTION_OWNER: reminder.sent/section_due reminder.sent/section_overdue
BET_OWNER: reminder.sent/bet_in_a_week reminder.sent/bet_tomorrow
WITHOUT_BALLOT: reminder.sent/resolution_closes
RESOLUTION_VOTERS: resolution.opened
RESOLUTION_READERS: resolution.closed
COMMENT_READERS: comment.created
PACK_READERS: board_pack.published
PAPER_ASKED: paper_request.created reminder.sent/paper reminder.sent/paper_due reminder.sent/paper_overdue
PAPER_DELIVERERS: paper_request.decided
DASHBOARD_OWNER: dashboard.review_status_changed/changes_requested dashboard.review_status_changed/internally_reviewed
"""
"""Who is told: from a tier up, named by the event, looked up, or found then; of an event, or of a variant of it.

A star means that they need not be members. The types that an event produces are the glossary's.
"""
EVERY = [
    pytest.param(kind, variant, notification, id=f"{event} {variant}")
    for event, kind in KINDS.items()
    for variant, notification in kind.notifications.items()
]


def audience_in_words(audience: Audience[Any]) -> str:
    looked_up = audience.lookup.name if audience.lookup else ""
    parts = [looked_up, "named" if audience.named else "", audience.tier.name.lower() if audience.tier else ""]
    return ("/".join(filter(None, parts)) or "found") + "*" * audience.has_outsiders


def test_every_event_is_told_to_the_recipients_of_the_table() -> None:
    rows = [line.split(": ") for line in RECIPIENTS.strip().splitlines()]
    stated = {event: audience for audience, events in rows for event in events.split()}
    for event, kind in KINDS.items():
        for variant, notification in kind.notifications.items():
            told_to = stated.get(f"{event}/{variant}") or stated.get(event)
            assert audience_in_words(notification.audience) == told_to, (event, variant)
    known = {f"{event}/{variant}" for event, kind in KINDS.items() for variant in kind.notifications}
    assert stated.keys() <= known | {event.value for event, kind in KINDS.items() if kind.notifications}


@pytest.mark.parametrize(
    ("kind", "payload", "readers"),
    [
        (boards.BOARD_CHANGED, {}, set(TIERS)),
        (meetings.SLOT_PROPOSED, {}, {OWNER, ADMIN, MANAGER, COLLABORATOR}),
        (members.MEMBER_LEFT, {"user_id": OUTSIDER}, {OWNER, ADMIN}),
        (account.TOKEN_CREATED, {}, {OWNER}),
        (members.MEMBER_CHANGED, {"user_id": GUEST}, {GUEST}),
        (members.MEMBER_CHANGED, {"user_id": OUTSIDER}, set()),
        (members.MEMBER_REMOVED, {"user_id": OUTSIDER}, {OUTSIDER}),
        (invites.INVITE_ACCEPTED, {"inviter_ids": [COLLABORATOR, ADMIN, OUTSIDER]}, {COLLABORATOR, ADMIN}),
        (committees.COMMITTEE_UPDATED, {"seated_user_ids": (GUEST, OUTSIDER)}, {GUEST}),
        (members.OWNERSHIP_TRANSFERRED, {"user_id": MANAGER}, {MANAGER}),
        (action_items.ACTION_ITEM_UPDATED, {"assignee_user_id": GUEST}, {GUEST}),
        (action_items.ACTION_ITEM_CREATED, {"assignee_user_id": None}, set()),
        (reports.DASHBOARD_ACCESS_REVOKED, {"user_id": GUEST}, {GUEST}),
        (meetings.RSVP_CHANGED, {"after": "accepted", "creator_id": GUEST}, {GUEST}),
        (meetings.RSVP_CHANGED, {"after": "tentative", "creator_id": None}, {OWNER, ADMIN}),
        (meetings.RSVP_CHANGED, {"after": "declined", "creator_id": OUTSIDER}, {OWNER, ADMIN}),
    ],
)
def test_an_event_notifies_those_whom_it_concerns_but_never_who_caused_it(
    kind: EventKind[Any], payload: dict[str, Any], readers: set[UserId]
) -> None:
    happened = kind.payload.model_construct(**payload)
    notification = kind.notifications[happened.variant]
    for actor in (UserId("f" * 24), *readers):
        chosen = notifications_rules.recipients(notification.audience, happened, actor, MEMBERS).user_ids
        assert set(chosen) == readers - {actor}
        assert len(chosen) == len(set(chosen))


@pytest.mark.parametrize(("kind", "variant", "notification"), EVERY)
def test_nobody_is_told_of_a_draft_or_of_what_is_a_committees_unless_its_readers_are_looked_up(
    kind: EventKind[Any], variant: str | None, notification: Notification[Any]
) -> None:
    class Happened(Payload):
        @property
        def variant(self) -> str | None:
            return variant

    def chosen(**members: Any) -> Notification[Any] | None:
        return kind.notification_of(new_event(BOARD, kind.event_type, OWNER, **members), Happened())

    assert chosen() is notification
    assert chosen(draft_of=OWNER) is None
    finders = (
        "COMMENT_READERS",
        "RESOLUTION_VOTERS",
        "WITHOUT_BALLOT",
        "RESOLUTION_READERS",
        "RESOLUTION_SEAT",
        "PACK_READERS",
    )
    is_checked = notification.audience.lookup in [Lookup[name] for name in finders]
    assert chosen(committee_id="c" * 24) is (notification if is_checked else None)


@pytest.mark.parametrize("status", ["draft", "scheduled", "working", "of_a_newer_release"])
def test_a_status_that_is_not_in_the_table_tells_nobody(status: str) -> None:
    for event in (Event.MEETING_STATUS_CHANGED, Event.REPORT_STATUS_CHANGED, Event.DASHBOARD_REVIEW_STATUS_CHANGED):
        kind = KINDS[event]
        changed = kind.payload.model_construct(before="x", after=status)
        assert kind.notification_of(new_event(BOARD, kind.event_type), changed) is None


@pytest.mark.parametrize(("kind", "variant", "notification"), EVERY)
def test_a_text_names_nothing_that_the_event_does_not_say(
    kind: EventKind[Any], variant: str | None, notification: Notification[Any]
) -> None:
    del variant
    pattern = texts("en")[notification.words]
    forms = [pattern] if isinstance(pattern, str) else list(pattern.values())
    named = {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}
    assert named <= {"board", "title", *kind.payload.model_fields}
    assert isinstance(pattern, str) or "number" in kind.payload.model_fields


@pytest.mark.parametrize(("kind", "variant", "notification"), EVERY)
def test_a_notification_has_the_fields_of_its_type_that_its_event_says(
    kind: EventKind[Any], variant: str | None, notification: Notification[Any]
) -> None:
    del variant
    record = TYPES[notification.type]
    said = {key for _, _, key in kind.payload._stored_as()} | {"boardId", record.person}
    if "meetingId" in said:
        said.add("meetingLink")
    assert said & {"boardId", record.person, *record.refs} > {"boardId"}
    needed = [set(re.findall(r"{(\w+)}", path)) for path in record.links]
    assert not needed or any(fields <= said & {"boardId", *record.refs} for fields in needed)


@pytest.mark.parametrize(
    ("kind", "refs", "path"),
    [
        ("section_reminder", {"boardId": "b", "reportId": "r", "cycleId": "c"}, "/boards/b/cycles/c"),
        ("report_published", {"boardId": "b", "reportId": "r"}, "/boards/b/reports/r"),
        ("new_comment", {"boardId": "b", "documentId": "d"}, "/boards/b/documents/d"),
        ("new_comment", {"boardId": "b", "meetingLink": "/boards/b/meetings/m"}, "/boards/b/meetings/m"),
        ("bet_due_soon", {"boardId": "b", "betId": "x"}, "/boards/b/bets"),
        ("resolution_closed", {"boardId": "b", "resolutionId": "r"}, "/boards/b/resolutions/r"),
        ("member_left", {"boardId": "b"}, "/boards/b/members"),
        ("board_update", {"boardId": "b"}, "/boards/b"),
        ("membership_removed", {"boardId": "b"}, None),
        ("of_a_newer_release", {"boardId": "b"}, None),
    ],
)
def test_a_notification_leads_to_one_page_in_the_app_and_in_the_mail(
    kind: str, refs: dict[str, str], path: str | None
) -> None:
    assert link(kind, refs) == path


def test_without_an_actor_the_reference_to_them_is_absent() -> None:
    event = new_event(BOARD, Event.BOARD_CHANGED, details={"fields": ["name"]})
    payload = boards.BOARD_CHANGED.payload.of(event)
    assert notifications_rules.references("board_update", event, payload) == {"boardId": BOARD}
    by_actor = event.model_copy(update={"actor_user_id": OWNER})
    assert notifications_rules.references("board_update", by_actor, payload) == {
        "boardId": BOARD,
        "triggeringUserId": OWNER,
    }


def test_a_reminder_by_the_clock_has_one_record() -> None:
    assert sorted(reminder.kind for reminder in REMINDERS if reminder.kind) == sorted(ReminderKind)
    assert len({reminder.about for reminder in REMINDERS}) == len(REMINDERS)


@pytest.mark.parametrize(
    ("notification", "category", "chosen", "heard"),
    [
        (action_items.ACTION_ITEM_CREATED.notifications[None], "action_item", None, {"email", "in_app"}),
        (action_items.ACTION_ITEM_CREATED.notifications[None], "action_item", ["email"], {"email"}),
        (action_items.ACTION_ITEM_CREATED.notifications[None], "action_item", ["in_app"], {"in_app"}),
        (action_items.ACTION_ITEM_CREATED.notifications[None], "action_item", [], set()),
        (action_items.ACTION_ITEM_CREATED.notifications[None], "post_meeting", [], {"email", "in_app"}),
        (meetings.MEETING_STATUS_CHANGED.notifications["minutes"], "post_meeting", [], set()),
        (reports.REPORT_STATUS_CHANGED.notifications["published"], "package_status", [], set()),
        (reports.CYCLE_PUBLISHED.notifications["meeting"], "package_status", [], {"in_app"}),
        (boards.BOARD_CHANGED.notifications[None], "action_item", [], {"in_app"}),
        (meetings.SLOT_PROPOSED.notifications[None], "action_item", [], {"in_app"}),
    ],
)
def test_a_preference_replaces_the_usual_channels_of_a_type(
    notification: Notification[Any],
    category: NotificationCategory,
    chosen: list[NotificationChannel] | None,
    heard: set[str],
) -> None:
    overridden = {} if chosen is None else {category: chosen}
    stored = StoredPreferences.model_validate({"userId": OWNER, "preferences": overridden})
    assert notifications_rules.channels(notification, stored, CalendarSettings()) == heard


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize(
    ("about", "setting"),
    [("votes", "vote_requests"), ("deadline", "vote_requests"), ("answers", "invitations"), ("meeting", "invitations")],
)
def test_a_calendar_setting_turns_the_mails_of_its_reminders_off(about: str, setting: str, on: bool) -> None:
    settings = CalendarSettings.model_validate({setting: on})
    heard = notifications_rules.channels(REMINDER_SENT.notifications[about], None, settings)
    assert heard == ({"email", "in_app"} if on else {"in_app"})


@pytest.mark.parametrize("on", [True, False])
def test_a_request_for_votes_is_a_mail_and_nothing_else(on: bool) -> None:
    heard = notifications_rules.channels(
        REMINDER_SENT.notifications["new_slots"], None, CalendarSettings(vote_requests=on)
    )
    assert heard == ({"email"} if on else set())


def test_one_event_means_one_thing_to_one_user() -> None:
    event, other = new_event(BOARD, Event.BOARD_CHANGED), new_event(BOARD, Event.BOARD_CHANGED)
    ids = [
        notifications_rules.notification_id(event, OWNER),
        notifications_rules.notification_id(event, ADMIN),
        notifications_rules.notification_id(other, OWNER),
    ]
    assert len(set(ids)) == 3
    assert ids[0] == notifications_rules.notification_id(event, OWNER)
    assert ids[0][:12] == event.id[:12]


def test_the_mark_of_all_read_never_moves_back() -> None:
    early, late = Instant("2030-01-01T12:00:00.000Z"), Instant("2030-01-01T14:00:00.000Z")
    mark = notifications_rules.all_read(ReadMark(user_id=OWNER), [], late)
    again = notifications_rules.all_read(mark, [], early)
    assert (again.until, again.marked_at) == (mark.until, late)
    assert mark.until < late
    assert notifications_rules.all_read(ReadMark(user_id=OWNER), [], early).until < mark.until


def test_an_event_is_about_the_most_specific_thing_that_it_names() -> None:
    refs = {"meetingId": "m", "actionItemId": "i"}
    assert notifications_rules.object_id(new_event(BOARD, Event.ACTION_ITEM_CREATED, refs=refs)) == "i"
    assert notifications_rules.object_id(new_event(BOARD, Event.REPORT_DELETED, refs={"reportId": "r"})) == "r"
    assert (
        notifications_rules.object_id(
            new_event(BOARD, Event.REPORT_DELETED, refs={"reportId": "r", "dashboardId": "d"})
        )
        == "d"
    )
    assert (
        notifications_rules.object_id(
            new_event(BOARD, Event.DOCUMENT_DELETED, refs={"documentId": "o", "meetingId": "m"})
        )
        == "o"
    )
    assert notifications_rules.object_id(new_event(BOARD, Event.BOARD_CHANGED, refs={"userId": "u"})) == BOARD
