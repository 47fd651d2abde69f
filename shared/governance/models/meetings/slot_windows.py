"""The windows in which the slots proposed on a meeting share a notification (ADR deliveries)."""

from governance.instants import Instant
from governance.models.base import Stored


class SlotWindow(Stored):
    """Ten minutes from `start` on, within which proposed slots are one notification for each recipient.

    It covers the slots that were created from `since` on: earlier than its start for a slot that was stored late, and
    all before it for a draft that was opened.
    """

    start: Instant
    since: Instant


class StoredSlotWindows(Stored):
    """The last windows of a meeting, in the order of time. `version` is 0 before the first."""

    windows: tuple[SlotWindow, ...] = ()
    version: int = 0
