"""The events of series and their occurrences. They name ids alone; a committee's are its members'."""

from governance.domain.events.kind import MANAGERS, Detail, EventKind, Leftovers, Notification, Payload, Ref
from governance.models.history.event import Event


class OfSeries(Payload):
    """An event of a series."""

    series_id: Ref[str]


class SeriesUpdated(OfSeries):
    """A series changed. Where the clock could not open an occurrence, `skipped` is the key of that."""

    skipped: Detail[str | None] = None

    @property
    def variant(self) -> str | None:
        """Whether the managers are told that an occurrence was skipped."""
        return "skipped" if self.skipped else None


class OfOccurrence(OfSeries):
    """An event of an occurrence, by its key; one that was opened is a meeting."""

    meeting_id: Ref[str | None] = None
    key: Detail[str]


SERIES_CREATED = EventKind(Event.SERIES_CREATED, OfSeries)
SERIES_UPDATED = EventKind(
    Event.SERIES_UPDATED,
    SeriesUpdated,
    notifications={"skipped": Notification("board_update", MANAGERS, "told.series_skipped", is_sentence=True)},
)
SERIES_DELETED = EventKind(Event.SERIES_DELETED, OfSeries, leaves=Leftovers.SERIES)
OCCURRENCE_MOVED = EventKind(Event.OCCURRENCE_MOVED, OfOccurrence)
OCCURRENCE_CANCELLED = EventKind(Event.OCCURRENCE_CANCELLED, OfOccurrence)
OCCURRENCE_RESTORED = EventKind(Event.OCCURRENCE_RESTORED, OfOccurrence)
OCCURRENCE_OPENED = EventKind(Event.OCCURRENCE_OPENED, OfOccurrence)
