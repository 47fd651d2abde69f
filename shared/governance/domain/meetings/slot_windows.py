"""Which of the slots proposed on a meeting share a notification (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from governance.ids import UserId
from governance.instants import Instant, shift
from governance.limits import SLOT_WINDOW_MINUTES
from governance.models.meetings.slot import StoredSlot
from governance.models.meetings.slot_windows import SlotWindow

Windows = tuple[SlotWindow, ...]


class Joined(NamedTuple):
    """The windows of a meeting, and the one of them that something joined."""

    windows: Windows
    window: SlotWindow


def join(windows: Windows, at: Instant, since: Instant | None = None) -> Joined:
    """Returns the windows after a slot that was created, or a draft that was opened, at an instant has joined one.

    That is the window at this instant, or one that begins within ten minutes after it, because its slot was stored
    first; without either, a new one begins. `since` is the instant from which its slots count, usually this one.
    """
    running = [window for window in windows if window.start <= at < end(window)]
    begun_early = [window for window in windows if at < window.start < shift(at, minutes=SLOT_WINDOW_MINUTES)]
    candidates = running[-1:] or begun_early[:1]
    base = candidates[0] if candidates else SlotWindow(start=at, since=at)
    joined = base.model_copy(update={"since": min(base.since, at if since is None else since)})
    others = [window for window in windows if window.start != base.start]
    return Joined(tuple(sorted([*others, joined], key=lambda window: window.start)), joined)


def join_all(windows: Windows, slots: Iterable[StoredSlot], until: Instant) -> Windows:
    """Returns the windows after all slots created up to an instant have joined, in the order of their creation."""
    for at in sorted(slot.created_at for slot in slots if slot.created_at <= until):
        windows = join(windows, at).windows
    return windows


def end(window: SlotWindow) -> Instant:
    """Returns the first instant after a window."""
    return shift(window.start, minutes=SLOT_WINDOW_MINUTES)


def told_to(user_id: UserId | None, slots: Sequence[StoredSlot], since: Instant, until: Instant) -> list[StoredSlot]:
    """Returns the slots that a user is notified of: those created from `since` to before `until`, but their own."""
    return [slot for slot in slots if since <= slot.created_at < until and slot.created_by_user_id != user_id]
