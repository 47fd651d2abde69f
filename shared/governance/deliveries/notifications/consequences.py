"""What the recipients of an event are notified of, which may be more than the event itself (ADR deliveries).

A draft that is opened makes its tasks and slots known. A member who no longer administers the board may leave active
access tokens, webhooks or invites behind. Each of these is an event that is delivered but not recorded, whose id
follows from that of its cause. So a repeated delivery notifies of the same again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from governance.deliveries.meetings.proposed_slots import of_window
from governance.deliveries.notifications.planned import Planned, planned
from governance.domain.account import tokens as token_rules
from governance.domain.action_items.action_item import assigned_person
from governance.domain.events import action_items as action_item_events
from governance.domain.events import meetings as meeting_events
from governance.domain.events import reports as report_events
from governance.domain.events import resolutions as resolution_events
from governance.domain.events.kind import EventKind, P, Payload, consequence
from governance.domain.events.members import Left, LosesRights, MemberEnded
from governance.domain.events.registry import KINDS
from governance.domain.events.reminders import REMINDER_SENT, ReminderSent
from governance.domain.reports.cycle import section_name
from governance.ids import UserId
from governance.instants import Instant
from governance.models.history.event import StoredEvent
from governance.models.reports.dashboard import StoredDashboard
from governance.store.account import tokens
from governance.store.action_items import action_items
from governance.store.meetings import meetings, slots, vote_requests
from governance.store.reports import dashboards
from governance.store.webhooks import webhooks
from governance.usecases.meetings.guests import linked_by_member
from governance.usecases.reports.cycle_sections import report_and_sections
from governance.usecases.reports.dashboard_owners import owners_of

_NAMED_TOKENS = 3
_NAMED_MEETINGS = 10


def notifications_of(event: StoredEvent, now: Instant) -> Iterator[Planned[Any]]:
    """Yields the notifications of an event and of its consequences. This may read the store."""
    kind = KINDS[event.type]
    payload = kind.payload.of(event)
    match payload:
        case report_events.Flagged() if kind is report_events.VALIDATION_FLAG_RAISED:
            yield from _flags_raised(event, payload)
        case report_events.CycleDispatched():
            yield from _sections(event, payload)
        case meeting_events.SlotNamed() if kind is meeting_events.SLOT_PROPOSED:
            yield from _slots(event, payload)
        case _:
            yield from planned(kind, event, payload)
    yield from _consequences(kind, event, payload, now)


def _consequences(kind: EventKind[Any], event: StoredEvent, payload: Payload, now: Instant) -> Iterator[Planned[Any]]:
    match payload:
        case meeting_events.MeetingStatusChanged() if payload.opens_draft:
            yield from _held_back(event, payload)
        case meeting_events.MeetingUpdated(invited=(_, *_)):
            yield from _asked_too(event, payload)
        case report_events.CyclePublished() if not meetings.has_scheduled(event.board_id, now):
            yield from _suggestion(event, payload)
        case resolution_events.ProxyChanged(holder_id=str(), former_id=str()):  # the former holder is notified, too
            ended = payload.model_copy(update={"holder_id": None})
            yield from _consequence(event, resolution_events.PROXY_CHANGED, ended, "former")
        case LosesRights() if payload.ends_administration or payload.invites_left:
            yield from _left_behind(kind, event, payload, now)
    if isinstance(payload, MemberEnded):
        yield from _ended_links(kind, event, payload)


def _consequence(
    cause: StoredEvent, kind: EventKind[P], payload: P, subject: str, user_ids: Sequence[UserId] | None = None
) -> Iterator[Planned[P]]:
    return planned(kind, consequence(cause, kind, payload, subject), payload, user_ids)


def _sections(event: StoredEvent, dispatched: report_events.CycleDispatched) -> Iterator[Planned[Any]]:
    """Yields the notification about each section of a dispatched cycle, for its owner."""
    report, sections = report_and_sections(event.board_id, dispatched.report_id or "")
    owners = owners_of(report, sections) if report and sections else {}
    for section in sections:
        if owner := owners[section.id]:
            payload = dispatched.model_copy(
                update={
                    "told": "section",
                    "report_id": section.report_id,
                    "dashboard_id": section.id,
                    "title": section_name(section),
                    "section_name": section_name(section),
                    "dashboard_type": section.dashboard_type,
                    "cycle": dispatched.name,
                }
            )
            yield from _consequence(event, report_events.CYCLE_DISPATCHED, payload, section.id, [owner])


def _suggestion(event: StoredEvent, published: report_events.CyclePublished) -> Iterator[Planned[Any]]:
    """Yields the suggestion of a meeting to managers, once a cycle is published and no meeting is ahead."""
    link = f"/boards/{event.board_id}/meetings/new"
    payload = published.model_copy(update={"told": "meeting", "meeting_link": link})
    return _consequence(event, report_events.CYCLE_PUBLISHED, payload, "meeting")


def _held_back(event: StoredEvent, opened: meeting_events.MeetingStatusChanged) -> Iterator[Planned[Any]]:
    """Yields the notifications that were held back while the meeting was a draft: of its tasks, and of its slots."""
    board_id, meeting_id = event.board_id, opened.meeting_id
    for item in action_items.list_of_meeting(board_id, meeting_id):
        person_id = assigned_person(item)
        if (item.assignee_user_id or person_id) and item.created_at <= event.created_at:
            assigned = action_item_events.ActionItemCreated(
                meeting_id=meeting_id,
                action_item_id=item.id,
                id=item.id,
                title=item.title,
                assignee_user_id=item.assignee_user_id,
                assignee_unregistered_user_id=person_id,
            )
            yield from _consequence(event, action_item_events.ACTION_ITEM_CREATED, assigned, item.id)
    if slots.has_slots(board_id, meeting_id):
        proposed = meeting_events.SlotNamed(meeting_id=meeting_id, id=meeting_id, title=opened.title)
        yield from _slots(event, proposed)


def _asked_too(event: StoredEvent, updated: meeting_events.MeetingUpdated) -> Iterator[Planned[Any]]:
    """Yields the request for votes to people who are invited later, on the slots that the others were asked about.

    The request for younger slots, which is still due, reaches them with everybody else.
    """
    until = vote_requests.last(updated.meeting_id).until
    proposed = slots.list_of_meeting(event.board_id, updated.meeting_id).slots
    if number := sum(slot.created_at <= until for slot in proposed):
        asked = ReminderSent(
            about="new_slots",
            meeting_id=updated.meeting_id,
            title=updated.title,
            until=until,
            number=number,
            person_ids=updated.invited,
        )
        yield from _consequence(event, REMINDER_SENT, asked, "people")


def _slots(event: StoredEvent, proposed: meeting_events.SlotNamed) -> Iterator[Planned[Any]]:
    """Yields the one notification of all slots in the window of a slot or of an opened draft."""
    if event.draft_of is None and (told := of_window(event, proposed)) is not None:
        yield from planned(meeting_events.SLOT_PROPOSED, told, meeting_events.SlotNamed.of(told))


def _flags_raised(event: StoredEvent, raised: report_events.Flagged) -> Iterator[Planned[Any]]:
    """Yields the notification of the owners of the flagged dashboards and of the report's creator, once each.

    An owner's leads to the first of their flagged dashboards, the report's creator's to the first of all. It has the
    event's own id, so that each user is notified once, however many dashboards are theirs.
    """
    report, flagged = dashboards.with_report(event.board_id, raised.report_id, raised.dashboard_ids)
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
            about = {"dashboard_id": dashboard.id, "title": dashboard.title, "dashboard_type": dashboard.dashboard_type}
            payload = raised.model_copy(update=about)
            shown = event.model_copy(update=payload.parts()._asdict())
            yield from planned(report_events.VALIDATION_FLAG_RAISED, shown, payload, user_ids)


def _left_behind(kind: EventKind[Any], event: StoredEvent, lost: LosesRights, now: Instant) -> Iterator[Planned[Any]]:
    """Yields the hint to the owner and admins about what a member leaves behind; nothing if they leave nothing.

    It names the oldest of the tokens. A member who keeps some rights leaves only invites. The member is its actor, so
    that it refers to them, and that admins are notified even if they removed the member themselves.
    """
    names, hooks = _administered(event, lost, now) if lost.ends_administration else ([], 0)
    if not (names or hooks or lost.invites_left):
        return
    left = Left(names=names[:_NAMED_TOKENS], tokens=len(names), webhooks=hooks, invites=lost.invites_left)
    cause = event.model_copy(update={"actor_user_id": lost.user_id})
    yield from _consequence(cause, kind, lost.model_copy(update={"left": left}), "tokens")


def _ended_links(kind: EventKind[Any], event: StoredEvent, ended: MemberEnded) -> Iterator[Planned[Any]]:
    """Yields the notification of managers about the guest links that ended with a membership; nothing for none.

    The member is its actor, as in `_left_behind`.
    """
    if ended.user_id is None or ended.join_id is None:  # an event of an earlier release
        return
    linked = linked_by_member(event.board_id, ended.user_id, ended.join_id, event.created_at)
    if linked:
        titles = tuple(meeting.title for meeting in linked[:_NAMED_MEETINGS])
        payload = ended.model_copy(update={"number": len(linked), "meetings": titles})
        yield from _consequence(event.model_copy(update={"actor_user_id": ended.user_id}), kind, payload, "links")


def _administered(event: StoredEvent, lost: LosesRights, now: Instant) -> tuple[list[str], int]:
    """Returns the names of a member's active board tokens, the oldest first, and the number of their webhooks."""
    board_tokens = sorted(tokens.all_of_board(event.board_id), key=lambda token: (token.created_at, token.id))
    active = [
        token.name
        for token in board_tokens
        if token.created_by_user_id == lost.user_id
        and token_rules.status(token.expires_at, token.revoked_at, now) == "active"
    ]
    hooks = webhooks.of_board(event.board_id).webhooks
    return active, sum(hook.created_by_user_id == lost.user_id for hook in hooks)
