"""Notifies each recipient once of the slots proposed on a meeting within ten minutes (ADR deliveries)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial

from governance import instants
from governance.domain.events.meetings import SLOT_PROPOSED, SlotNamed
from governance.domain.meetings import slot_windows as slot_windows_rules
from governance.ids import UserId, time_ordered_id
from governance.instants import Instant, millis
from governance.limits import SLOT_WINDOWS_KEPT
from governance.models.history.event import StoredEvent
from governance.models.meetings.slot import StoredSlot
from governance.models.meetings.slot_windows import SlotWindow
from governance.store.meetings import slot_windows, slots
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads

_BEFORE_ALL = Instant("")


def of_window(event: StoredEvent, named: SlotNamed) -> StoredEvent | None:
    """Returns the event about all slots in the window of a proposed slot or an opened draft.

    Its id follows from the window, so that all events of the window lead to the same notifications. None if the slot
    was removed, or the draft has none.
    """
    window: SlotWindow | None = retry_stale_reads(partial(_window, event, named))
    if window is None:
        return None
    payload = named.model_copy(update={"since": window.since, "until": slot_windows_rules.end(window)})
    digest = hashlib.sha256(f"{named.meeting_id}\nslots\n{window.start}".encode()).hexdigest()
    id_ = time_ordered_id(millis(window.start), digest[:12])
    return event.model_copy(update={**payload.parts()._asdict(), "type": SLOT_PROPOSED.event_type, "id": id_})


def _window(event: StoredEvent, named: SlotNamed) -> SlotWindow | None:
    """Returns the window of the slot or the opened draft, and stores it if it is new."""
    stored = slot_windows.of_meeting(named.meeting_id)
    proposed = slots.list_of_meeting(event.board_id, named.meeting_id).slots
    if not proposed or (named.slot_id is not None and named.slot_id not in {slot.id for slot in proposed}):
        return None
    windows = slot_windows_rules.join_all(stored.windows, proposed, event.created_at)
    since = _BEFORE_ALL if named.slot_id is None else event.created_at
    joined = slot_windows_rules.join(windows, event.created_at, since)
    if joined.windows != stored.windows:
        kept = joined.windows[-SLOT_WINDOWS_KEPT:]
        new = stored.model_copy(update={"windows": kept, "version": stored.version + 1})
        transact([slot_windows.put(named.meeting_id, stored, new, instants.now())])
    return joined.window


def told_slots(event: StoredEvent, payload: object) -> list[StoredSlot] | None:
    """Returns the slots of the meeting as they are now; None for an event that is about no window of slots."""
    if not isinstance(payload, SlotNamed) or payload.until is None:
        return None
    return slots.list_of_meeting(event.board_id, payload.meeting_id).slots


def counted(
    payload: SlotNamed, actor: UserId | None, proposed: Sequence[StoredSlot], user_id: UserId | None
) -> SlotNamed:
    """Returns the payload for a user: the slots of the window without their own, by the actor or also by others."""
    told = slot_windows_rules.told_to(user_id, proposed, payload.since or _BEFORE_ALL, payload.until or _BEFORE_ALL)
    return payload.model_copy(
        update={
            "number": len(told),
            "slot_ids": tuple(slot.id for slot in told),
            "by_others": any(slot.created_by_user_id != actor for slot in told),
        }
    )
