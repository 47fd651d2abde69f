"""Announcements: what the recipients of an event are notified of, which may be more than the event (ADR 0063).

A draft that is opened makes its tasks and slots known. A member who no longer administers the board may leave active
access tokens, webhooks or invites behind. Each of these is delivered as an event, whose id is derived from the id of
the event that caused it. So a repeated delivery announces the same again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from governance.delivery_queue import Message
from governance.domain.account import tokens as token_rules
from governance.domain.notifications import notifications as rules
from governance.domain.notifications.notification_rules import LEFT_BEHIND, NotificationRule
from governance.ids import UserId
from governance.instants import Instant
from governance.models.event import Event, StoredEvent
from governance.models.meetings.due import DeliveryKind
from governance.models.notifications.recipients import RecipientBatch
from governance.models.reports.dashboard import StoredDashboard
from governance.store.account import tokens
from governance.store.meetings import action_items, meetings, slots
from governance.store.reports import dashboards
from governance.store.webhooks import webhooks
from governance.usecases.reports.cycle_sections import report_and_sections
from governance.usecases.reports.dashboard_owners import owners_of


@dataclass(frozen=True)
class Announcement:
    """An event that recipients get one notification each about, and the rule for it.

    `tokens_left` says that it is the hint about what a member left behind.
    """

    rule: NotificationRule
    event: StoredEvent
    tokens_left: bool = False


def recipients_message(
    kind: DeliveryKind, announcement: Announcement, user_ids: Sequence[UserId], throttled: int = 0, delay: float = 0
) -> Message:
    """Returns the message about an announcement to these users."""
    batch = RecipientBatch(
        event=announcement.event,
        tokens_left=announcement.tokens_left,
        user_ids=tuple(user_ids),
        throttled=throttled,
    )
    return Message(kind, announcement.event.board_id, batch.model_dump(mode="json"), delay)


def announcement_of(batch: RecipientBatch) -> Announcement:
    """Returns the announcement in a message of the queue. Raises `ValueError` if the event has no rule."""
    rule = LEFT_BEHIND if batch.tokens_left else rules.rule_for(batch.event)
    if rule is None:
        raise ValueError("nobody is told of this event")
    return Announcement(rule, batch.event, batch.tokens_left)


def announcements(event: StoredEvent, now: Instant) -> Iterator[Announcement]:
    """Yields the announcements of an event. This may read the store."""
    if (rule := rules.rule_for(event)) is not None:
        told = _flags_raised(event) if event.type is Event.VALIDATION_FLAG_RAISED else [event]
        yield from (Announcement(rule, each) for each in told)
    if rules.opens_draft(event):
        yield from _held_back(event)
    if event.type is Event.CYCLE_DISPATCHED:
        yield from _sections(event)
    if event.type is Event.CYCLE_PUBLISHED and not meetings.has_scheduled(event.board_id, now):
        yield from _announced(rules.announced_suggestion(event))
    if rules.ends_administration(event) or rules.invites_left(event):
        yield from _left_behind(event, now)


def _announced(event: StoredEvent) -> Iterator[Announcement]:
    if (rule := rules.rule_for(event)) is not None:
        yield Announcement(rule, event)


def _sections(event: StoredEvent) -> Iterator[Announcement]:
    """Yields the announcement of each section of a dispatched cycle to its owner."""
    report, found = report_and_sections(event.board_id, event.refs["reportId"])
    owners = owners_of(report, found) if report and found else {}
    for section in found:
        if owner := owners[section.id]:
            yield from _announced(rules.announced_section(event, section, told="section", ownerUserId=owner))


def _held_back(event: StoredEvent) -> Iterator[Announcement]:
    """Yields the announcements that were held back while the meeting was a draft: its tasks, and its slots."""
    board_id, meeting_id = event.board_id, event.refs["meetingId"]
    found = [
        rules.announced_task(event, item.id, item.title, item.assignee_user_id)
        for item in action_items.list_of_meeting(board_id, meeting_id)
        if item.assignee_user_id is not None and item.created_at <= event.created_at
    ]
    if slots.has_slots(board_id, meeting_id):
        found.append(rules.announced_slots(event))
    for each in found:
        if (rule := rules.rule_for(each)) is not None:
            yield Announcement(rule, each)


def _flags_raised(event: StoredEvent) -> Iterator[StoredEvent]:
    """Yields the event as it is announced to the owners of the flagged dashboards and the report's creator, once each.

    An owner's notification links to the first of their flagged dashboards, the report's creator's to the first of all.
    """
    report, flagged = dashboards.with_report(event.board_id, event.refs["reportId"], event.details["dashboardIds"])
    if report is None or not flagged:
        return
    first: dict[UserId, StoredDashboard] = {}
    owners = owners_of(report, flagged)
    for dashboard in flagged:
        if (owner_id := owners[dashboard.id]) is not None:
            first.setdefault(owner_id, dashboard)
    first.setdefault(report.created_by_user_id, flagged[0])
    for dashboard in flagged:
        if user_ids := [user_id for user_id, shown in first.items() if shown is dashboard]:
            yield rules.announced_flags(event, dashboard, user_ids)


def _left_behind(event: StoredEvent, now: Instant) -> Iterator[Announcement]:
    """Yields the hint about what a member leaves behind on the board; nothing if they leave nothing.

    It names the oldest of the tokens. A member who keeps some rights leaves only invites.
    """
    member, ended = event.refs["userId"], rules.ends_administration(event)
    active = [
        token.name
        for token in sorted(
            tokens.all_of_board(event.board_id) if ended else [], key=lambda token: (token.created_at, token.id)
        )
        if token.created_by_user_id == member
        and token_rules.status(token.expires_at, token.revoked_at, now) == "active"
    ]
    hooks = [hook for hook in webhooks.of_board(event.board_id).webhooks if hook.created_by_user_id == member]
    told = rules.announced_leftovers(event, active, len(hooks) if ended else 0, rules.invites_left(event))
    if told is not None:
        yield Announcement(LEFT_BEHIND, told, tokens_left=True)
