"""Reminders: one record for each says when it is due, who receives it and what it says (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from governance.domain.events.kind import (
    BOTH,
    MAIL,
    Audience,
    Detail,
    EventKind,
    Lookup,
    Notification,
    Payload,
    Ref,
    ToldRef,
    readers_from,
)
from governance.ids import PersonId
from governance.instants import Instant
from governance.limits import BET_REMINDER_DAYS
from governance.models.history.event import Event
from governance.models.notifications.reminder import ReminderKind
from governance.scopes import Tier

if TYPE_CHECKING:  # no request needs these
    from governance.models.notifications.notification import NotificationChannel, NotificationType

About = Literal[
    "votes",
    "answers",
    "deadline",
    "meeting",
    "new_slots",
    "due_tomorrow",
    "due_yesterday",
    "section_due",
    "section_overdue",
    "bet_in_a_week",
    "bet_tomorrow",
    "resolution_closes",
    "paper",
    "paper_due",
    "paper_overdue",
]
"""What a reminder is about."""


class ReminderSent(Payload):
    """A member sent a reminder, or one was due. It names what it is about as that was then: a change ends it.

    Where it has `person_ids`, only these people without an account get it.
    """

    about: Detail[About]
    meeting_id: Ref[str | None] = None
    action_item_id: ToldRef[str | None] = None
    cycle_id: ToldRef[str | None] = None
    report_id: ToldRef[str | None] = None
    dashboard_id: ToldRef[str | None] = None
    bet_id: ToldRef[str | None] = None
    resolution_id: ToldRef[str | None] = None
    paper_request_id: Ref[str | None] = None
    title: str | None = None
    closes_at: Instant | None = None
    start_time: Instant | None = None
    due_at: Instant | None = None
    due_on: str | None = None
    since: Instant = Instant("")
    until: Instant = Instant("~")
    number: int = 1
    person_ids: tuple[PersonId, ...] | None = None
    cycle: str | None = None
    section_name: str | None = None
    dashboard_type: str | None = None

    @property
    def variant(self) -> str | None:
        """What the reminder is about."""
        return self.about

    @property
    def instants(self) -> Mapping[str, tuple[Instant, str | None]]:
        """When a section or a paper is due."""
        return {"due_at": (self.due_at, None)} if self.due_at else {}


@dataclass(frozen=True)
class Reminder:
    """The record of what is due by the clock; without a `kind`, a member sends it.

    A reminder about a day is due at 08:00 in its recipient's time zone, this number of `days` after it.
    """

    about: About
    kind: ReminderKind | None
    type: NotificationType
    lookup: Lookup
    words: str
    is_sentence: bool = True
    days: int | None = None
    channels: frozenset[NotificationChannel] = BOTH


REMINDERS = (
    Reminder("votes", None, "vote_reminder", Lookup.WITHOUT_VOTE, "told.vote_asked", is_sentence=False),
    Reminder("answers", None, "rsvp_reminder", Lookup.WITHOUT_ANSWER, "told.answer_asked", is_sentence=False),
    Reminder("deadline", ReminderKind.POLL, "vote_reminder", Lookup.WITHOUT_VOTE, "told.vote_ends"),
    Reminder("meeting", ReminderKind.MEETING, "meeting_reminder", Lookup.ATTENDING, "told.meeting_tomorrow"),
    Reminder(
        "new_slots",
        ReminderKind.VOTE_REQUEST,
        "slot_proposed",
        Lookup.WITHOUT_VOTE,
        "told.new_slots",
        channels=MAIL,  # each slot was shown in the app when it was proposed
    ),
    Reminder(
        "due_tomorrow", ReminderKind.TASK_BEFORE, "task_due", Lookup.TASK_ASSIGNEE, "told.task_due_tomorrow", days=-1
    ),
    Reminder(
        "due_yesterday", ReminderKind.TASK_AFTER, "task_due", Lookup.TASK_ASSIGNEE, "told.task_due_yesterday", days=1
    ),
    Reminder("section_due", ReminderKind.SECTIONS, "section_reminder", Lookup.SECTION_OWNER, "told.section_due"),
    Reminder(
        "section_overdue",
        ReminderKind.SECTIONS_OVERDUE,
        "section_reminder",
        Lookup.SECTION_OWNER,
        "told.section_overdue",
    ),
    Reminder(
        "bet_in_a_week",
        ReminderKind.BET_WEEK,
        "bet_due_soon",
        Lookup.BET_OWNER,
        "told.bet_in_a_week",
        days=-BET_REMINDER_DAYS[0],
    ),
    Reminder(
        "bet_tomorrow",
        ReminderKind.BET_DAY,
        "bet_due_soon",
        Lookup.BET_OWNER,
        "told.bet_tomorrow",
        days=-BET_REMINDER_DAYS[1],
    ),
    Reminder(
        "resolution_closes",
        ReminderKind.RESOLUTION,
        "resolution_reminder",
        Lookup.WITHOUT_BALLOT,
        "told.resolution_closes",
    ),
    Reminder("paper", None, "paper_reminder", Lookup.PAPER_ASKED, "told.paper_reminded", is_sentence=False),
    Reminder("paper_due", ReminderKind.PAPER, "paper_reminder", Lookup.PAPER_ASKED, "told.paper_due"),
    Reminder("paper_overdue", ReminderKind.PAPER_OVERDUE, "paper_reminder", Lookup.PAPER_ASKED, "told.paper_overdue"),
)
BY_KIND: Mapping[ReminderKind, Reminder] = {reminder.kind: reminder for reminder in REMINDERS if reminder.kind}

REMINDER_SENT = EventKind(
    Event.REMINDER_SENT,
    ReminderSent,
    heard_by=readers_from(Tier.ADMIN),
    notifications={
        reminder.about: Notification(
            reminder.type, Audience(lookup=reminder.lookup), reminder.words, reminder.is_sentence, reminder.channels
        )
        for reminder in REMINDERS
    },
)
