"""Who is notified of what: the table, row by row; and the rules that hold for every row."""

from __future__ import annotations

import re
from string import Formatter
from typing import Any

import pytest

from governance.domain.events import action_items, boards, meetings, members, reports, tokens
from governance.domain.events.kind import Audience, EventKind, Lookup, Notification, Payload
from governance.domain.events.registry import KINDS
from governance.domain.events.reminders import REMINDER_SENT, REMINDERS
from governance.domain.notifications import notifications as rules
from governance.domain.notifications.notification_types import TYPES, link
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.boards.board import RosterEntry
from governance.models.calendar import CalendarSettings
from governance.models.event import Event
from governance.models.meetings.due import ReminderKind
from governance.models.notifications.notification import (
    NotificationCategory,
    NotificationChannel,
    ReadMark,
    StoredPreferences,
)
from governance.scopes import Tier
from governance.texts import texts
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

TABLE = """
invite.created                   -                    board_invite                      INVITEES*
invite.accepted                  -                    membership_accepted               named
member.changed                   -                    membership_modified               named
member.changed                   left                 board_update                      admin
member.removed                   -                    membership_removed                named*
member.removed                   left                 board_update                      admin
member.left                      -                    member_left                       admin
member.left                      left                 board_update                      admin
board.ownership_transferred      -                    ownership_transfer                named
board.changed                    -                    board_update                      guest
board.example_filled             -                    example_board_ready               owner
token.created                    -                    board_update                      owner
committee.updated                -                    board_update                      named
meeting.created                  meeting_scheduled    meeting_scheduled                 guest
meeting.created                  meeting_changed      meeting_changed                   guest
meeting.created                  meeting_cancelled    meeting_cancelled                 guest
meeting.updated                  meeting_scheduled    meeting_scheduled                 guest
meeting.updated                  meeting_changed      meeting_changed                   guest
meeting.updated                  meeting_cancelled    meeting_cancelled                 guest
meeting.status_changed           meeting_scheduled    meeting_scheduled                 guest
meeting.status_changed           meeting_changed      meeting_changed                   guest
meeting.status_changed           meeting_cancelled    meeting_cancelled                 guest
meeting.status_changed           minutes              post_meeting_minutes_distributed  guest
meeting.deleted                  meeting_scheduled    meeting_scheduled                 guest
meeting.deleted                  meeting_changed      meeting_changed                   guest
meeting.deleted                  meeting_cancelled    meeting_cancelled                 guest
meeting.updated_from_calendar    -                    meeting_updated_from_calendar     guest
meeting.cancelled_from_calendar  -                    meeting_cancelled_from_calendar   guest
meeting.rsvp_changed             accepted             meeting_rsvp_changed              named/admin
meeting.rsvp_changed             tentative            meeting_rsvp_changed              named/admin
meeting.rsvp_changed             declined             meeting_rsvp_changed              named/admin
meeting.rsvp_changed             noAnswer             meeting_rsvp_changed              named/admin
member.changed                   bounced              board_update                      admin
invite.created                   bounced              board_update                      found
unregistered_user.updated        merge                merge_recommendation              admin
unregistered_rsvp.changed        accepted             meeting_rsvp_changed              named/admin
unregistered_rsvp.changed        tentative            meeting_rsvp_changed              named/admin
unregistered_rsvp.changed        declined             meeting_rsvp_changed              named/admin
unregistered_rsvp.changed        noAnswer             meeting_rsvp_changed              named/admin
reminder.sent                    votes                vote_reminder                     WITHOUT_VOTE
reminder.sent                    answers              rsvp_reminder                     WITHOUT_ANSWER
reminder.sent                    deadline             vote_reminder                     WITHOUT_VOTE
reminder.sent                    meeting              meeting_reminder                  ATTENDING
reminder.sent                    new_slots            slot_proposed                     WITHOUT_VOTE
reminder.sent                    due_tomorrow         task_due                          TASK_ASSIGNEE
reminder.sent                    due_yesterday        task_due                          TASK_ASSIGNEE
reminder.sent                    section_due          section_reminder                  SECTION_OWNER
reminder.sent                    section_overdue      section_reminder                  SECTION_OWNER
reminder.sent                    bet_in_a_week        bet_due_soon                      BET_OWNER
reminder.sent                    bet_tomorrow         bet_due_soon                      BET_OWNER
reminder.sent                    resolution_closes    resolution_reminder               WITHOUT_BALLOT
resolution.opened                -                    resolution_opened                 RESOLUTION_VOTERS
resolution.closed                carried              resolution_closed                 RESOLUTION_READERS
resolution.closed                rejected             resolution_closed                 RESOLUTION_READERS
resolution.closed                lapsed               resolution_closed                 RESOLUTION_READERS
slot.proposed                    -                    slot_proposed                     collaborator
slot.proposed                    by_others            slot_proposed                     collaborator
action_item.created              -                    task_assignment                   named
action_item.updated              -                    task_assignment                   named
report.status_changed            published            report_published                  guest
report.status_changed            finalized            report_finalized                  guest
dashboard.review_status_changed  ready_for_review     dashboard_ready_for_review        manager
dashboard.review_status_changed  changes_requested    dashboard_changes_requested       DASHBOARD_OWNER
dashboard.review_status_changed  internally_reviewed  dashboard_internally_reviewed     DASHBOARD_OWNER
dashboard.access_granted         -                    dashboard_access_granted          named
dashboard.access_revoked         -                    dashboard_access_removed          named
dashboard.ownership_transferred  -                    dashboard_assigned                named
comment.created                  meeting              new_comment                       COMMENT_READERS
comment.created                  document             new_comment                       COMMENT_READERS
comment.created                  committee_document   new_comment                       COMMENT_READERS
comment.created                  dashboard            new_comment                       COMMENT_READERS
validation_flag.raised           -                    validation_flag_raised            found
cycle.dispatched                 section              section_dispatched                found
cycle.published                  package              package_published                 guest
cycle.published                  meeting              meeting_creation_suggestion       manager
webhook.created                  -                    board_update                      owner
webhook.disabled                 -                    board_update                      owner
"""
"""The event, its variant, the type, and its recipients: from a tier up, named by the event, looked up, or found then.

A star means that they need not be members.
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


def test_the_notifications_of_events_are_those_of_the_table_and_no_others() -> None:
    declared = {
        (event.value, variant or "-", notification.type, audience_in_words(notification.audience))
        for event, kind in KINDS.items()
        for variant, notification in kind.notifications.items()
    }
    assert declared == {tuple(line.split()) for line in TABLE.strip().splitlines()}


@pytest.mark.parametrize(
    ("kind", "payload", "readers"),
    [
        (boards.BOARD_CHANGED, {}, set(TIERS)),
        (meetings.SLOT_PROPOSED, {}, {OWNER, ADMIN, MANAGER, COLLABORATOR}),
        (members.MEMBER_LEFT, {"user_id": OUTSIDER}, {OWNER, ADMIN}),
        (tokens.TOKEN_CREATED, {}, {OWNER}),
        (members.MEMBER_CHANGED, {"user_id": GUEST}, {GUEST}),
        (members.MEMBER_CHANGED, {"user_id": OUTSIDER}, set()),
        (members.MEMBER_REMOVED, {"user_id": OUTSIDER}, {OUTSIDER}),
        (members.INVITE_ACCEPTED, {"inviter_ids": [COLLABORATOR, ADMIN, OUTSIDER]}, {COLLABORATOR, ADMIN}),
        (members.COMMITTEE_UPDATED, {"seated_user_ids": (GUEST, OUTSIDER)}, {GUEST}),
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
        chosen = rules.recipients(notification.audience, happened, actor, MEMBERS)
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
    finders = ("COMMENT_READERS", "RESOLUTION_VOTERS", "WITHOUT_BALLOT", "RESOLUTION_READERS")
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
    assert rules.references("board_update", event, payload) == {"boardId": BOARD}
    by_actor = event.model_copy(update={"actor_user_id": OWNER})
    assert rules.references("board_update", by_actor, payload) == {"boardId": BOARD, "triggeringUserId": OWNER}


def test_a_reminder_by_the_clock_has_one_record() -> None:
    assert sorted(each.kind for each in REMINDERS if each.kind) == sorted(ReminderKind)
    assert len({each.about for each in REMINDERS}) == len(REMINDERS)


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
    assert rules.channels(notification, stored, CalendarSettings()) == heard


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize(
    ("about", "setting"),
    [("votes", "vote_requests"), ("deadline", "vote_requests"), ("answers", "invitations"), ("meeting", "invitations")],
)
def test_a_calendar_setting_turns_the_mails_of_its_reminders_off(about: str, setting: str, on: bool) -> None:
    settings = CalendarSettings.model_validate({setting: on})
    heard = rules.channels(REMINDER_SENT.notifications[about], None, settings)
    assert heard == ({"email", "in_app"} if on else {"in_app"})


@pytest.mark.parametrize("on", [True, False])
def test_a_request_for_votes_is_a_mail_and_nothing_else(on: bool) -> None:
    heard = rules.channels(REMINDER_SENT.notifications["new_slots"], None, CalendarSettings(vote_requests=on))
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


def test_an_event_is_about_the_most_specific_thing_that_it_names() -> None:
    refs = {"meetingId": "m", "actionItemId": "i"}
    assert rules.object_id(new_event(BOARD, Event.ACTION_ITEM_CREATED, refs=refs)) == "i"
    assert rules.object_id(new_event(BOARD, Event.REPORT_DELETED, refs={"reportId": "r"})) == "r"
    assert rules.object_id(new_event(BOARD, Event.REPORT_DELETED, refs={"reportId": "r", "dashboardId": "d"})) == "d"
    assert rules.object_id(new_event(BOARD, Event.DOCUMENT_DELETED, refs={"documentId": "o", "meetingId": "m"})) == "o"
    assert rules.object_id(new_event(BOARD, Event.BOARD_CHANGED, refs={"userId": "u"})) == BOARD
