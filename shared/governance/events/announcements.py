"""What the recipients of an event are told: the event itself, and what else it makes known (ADR 0063).

A draft that is opened makes its tasks and slots known. A member who no longer administers the board may leave active
access tokens behind. To the delivery, each of these is an event with an id that follows from the id of the event that
caused it, so that a repeated delivery announces the same again.
"""

from __future__ import annotations

from collections.abc import Iterator

from governance.domain import notifications as rules
from governance.domain import tokens as token_rules
from governance.domain.notifications import NotificationRule
from governance.instants import Instant
from governance.models.event import StoredEvent
from governance.store import action_items, slots, tokens

Announcement = tuple[NotificationRule, StoredEvent]


def announcements(event: StoredEvent, now: Instant) -> Iterator[Announcement]:
    """Yields the rule and the event of each announcement, which may read the store."""
    if (rule := rules.rule_for(event)) is not None:
        yield rule, event
    if rules.opens_draft(event):
        yield from _held_back(event)
    if rules.ends_administration(event):
        yield from _tokens_left(event, now)


def _held_back(event: StoredEvent) -> Iterator[Announcement]:
    """Yields what a meeting's draft kept from its assignees and from those who vote on its slots."""
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
            yield rule, each


def _tokens_left(event: StoredEvent, now: Instant) -> Iterator[Announcement]:
    """Yields the hint to the owner about the active board tokens that the member has created; none without any."""
    member = event.refs["userId"]
    active = [
        token
        for token in tokens.all_of_board(event.board_id)
        if token.created_by_user_id == member
        and token_rules.status(token.expires_at, token.revoked_at, now) == "active"
    ]
    if active:
        yield rules.TOKENS_LEFT, rules.announced_tokens(event, len(active))
