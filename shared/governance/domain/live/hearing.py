"""Who hears of a change: those whose lists and feed show its subject (ADR live).

This module adds no rule of its own: the visibilities of `domain/access/visibility.py` decide about drafts and
committees, the record of an event (`heard_by`) about the tier that may read its subject.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from governance.domain.access.visibility import can_see_document, event_visibilities, event_visibility
from governance.domain.events.kind import Hearers
from governance.domain.events.registry import KINDS
from governance.ids import UserId
from governance.models.history.event import Event, StoredEvent
from governance.models.live.live import Change, View
from governance.scopes import Tier

CHANGED = "changed"
"""The event of a ring that stands for several: the client reads again what it shows of the board."""
_ENDS_MEMBERSHIP = {Event.MEMBER_REMOVED, Event.MEMBER_LEFT}


@dataclass(frozen=True)
class Listener:
    """A member of a board who listens: their tier, and the committees that they are in."""

    user_id: UserId
    tier: Tier
    committee_ids: tuple[str, ...] = ()


def change_of_event(event: StoredEvent) -> Change | None:
    """Returns the change that rings for an event; None for a type that only a newer release knows."""
    kind = KINDS.get(event.type)
    if kind is None:
        return None
    hearers = kind.heard_by(kind.payload.of(event))
    lost = event.refs.get("userId") if event.type in _ENDS_MEMBERSHIP else None
    return Change(
        event=event.type,
        ids={"boardId": event.board_id, **event.refs},
        at=event.created_at,
        board_id=event.board_id,
        views=(_view(event, hearers),),
        ends_for=UserId(lost) if lost else None,
    )


def _view(event: StoredEvent, hearers: Hearers) -> View:
    return View(
        tier=hearers.tier,
        draft_tier=hearers.draft_tier,
        draft_of=event.draft_of,
        committee_id=event.committee_id,
        user_ids=hearers.named,
    )


def hears(views: Iterable[View], listener: Listener) -> bool:
    """Returns whether a member hears of a change: one of its views must show its subject to them."""
    return any(_sees(view, listener) for view in views)


def _sees(view: View, listener: Listener) -> bool:
    if not can_see_document(listener.committee_ids, view.committee_id):
        return False
    if listener.user_id in view.user_ids:
        return True
    if view.draft_of is not None and view.draft_tier is not None and listener.tier >= view.draft_tier:
        return True
    if view.tier is None or listener.tier < view.tier:
        return False
    return event_visibility(view) in event_visibilities(listener.user_id, listener.committee_ids)
