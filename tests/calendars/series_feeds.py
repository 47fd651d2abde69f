"""The feeds of series with random edits, compared with what the service itself has planned and opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from random import Random
from zoneinfo import ZoneInfo

from governance.calendars.writer import write_feed
from governance.domain.calendars.calendar import board_events, first_instant
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import rule as rules
from governance.domain.series.in_calendars import series_events
from governance.domain.series.occurrences import Slot
from governance.instants import Instant, format_instant, to_datetime
from tests.calendars import series_readers
from tests.calendars.series_edits import NOW, ZONES, Edited, edited
from tests.calendars.series_readers import Starts
from tests.domain.samples import board

YEARS = 10
_SURE_YEARS = 5
_DOUBT_SECONDS = 3 * 3600
"""How far from a doubtful instant a reader may take it: no clock is changed by more."""
LAST = datetime(to_datetime(NOW).year + YEARS + 2, 1, 1)  # noqa: DTZ001 - wall clocks
READERS: Sequence[Callable[[Sequence[bytes], datetime], list[Starts]]] = (
    series_readers.by_recurring_ical_events,
    series_readers.by_ical_js,
)
EDITS_PER_ROUND = 25


def compare(number: int) -> int:
    """Edits a series in each zone, from a seed, and reads its feed in each reader after each of the edits.

    Returns how many feeds were the same to all; raises the first difference.
    """
    made = [each for zone in ZONES for each in edited(Random(f"{number} {zone}"), zone, EDITS_PER_ROUND)]  # noqa: S311 - no secret
    texts = [feed(each) for each in made]
    for reader in READERS:
        for each, found in zip(made, reader(texts, LAST), strict=True):
            check(each, found, reader.__name__)
    return len(made)


def check(made: Edited, found: Starts, reader: str) -> None:
    """Raises unless a reader found exactly what is planned and opened, each once."""
    planned = _planned(made)
    doubtful = _doubtful(made, planned)
    expected = _expected(made, planned)
    shown, wanted = (_compared(made, starts, doubtful) for starts in (chain(*found.values()), expected))
    assert shown == wanted, (reader, made.series, _difference(shown, wanted))


def _difference(shown: Sequence[float], wanted: Sequence[float]) -> object:
    """Returns the first place in which two lists of starts differ."""
    return next((pair for pair in zip(shown, wanted, strict=False) if pair[0] != pair[1]), (len(shown), len(wanted)))


def feed(made: Edited) -> bytes:
    """Returns the feed of a series and of the meetings of what was opened."""
    opened = {meeting.occurrence.key for meeting in made.meetings.values() if meeting.occurrence}
    meetings = board_events(board(), made.meetings, (), made.now)
    return write_feed("Feed", [*meetings, *series_events(made.series, board(), opened, made.now)])


def _planned(made: Edited) -> list[Slot]:
    """Returns what is planned until the readers end."""
    series = made.series
    ahead = occurrence_rules.slots(series, to_datetime(made.now).date() - timedelta(days=2), LAST.date())
    changed = (occurrence_rules.slot(series, key) for key in series.changes)
    by_key = {found.key: found for found in chain(ahead, changed) if found is not None}
    return [found for found in by_key.values() if occurrence_rules.is_planned(series, found, made.now)]


def _expected(made: Edited, planned: Iterable[Slot]) -> list[float]:
    starts = [occurrence_rules.starts_at(made.series, found) for found in planned]
    met = [meeting.start_time for meeting in made.meetings.values() if meeting.start_time]
    return [_seconds(at) for at in (*starts, *(at for at in met if at >= first_instant(made.now)))]


def _seconds(at: Instant) -> float:
    return to_datetime(at).timestamp()


def _later(now: Instant, years: int) -> Instant:
    at = to_datetime(now)
    return format_instant(at.replace(year=at.year + years))


def _doubtful(made: Edited, planned: Iterable[Slot]) -> list[float]:
    """Returns the instants that readers may take otherwise: after five years, and twice or never in their zone."""
    sure, changes = _later(made.now, _SURE_YEARS), made.series.changes
    later = (found for found in planned if found.key not in changes and found.original > sure)
    return [_seconds(found.original) for found in later if rules.is_ambiguous(found.wall, ZoneInfo(found.zone))]


def _compared(made: Edited, starts: Iterable[float], doubtful: Sequence[float]) -> list[float]:
    """Returns the starts of ten years, in order; those around a doubtful instant as that instant."""
    end = _seconds(_later(made.now, YEARS))
    settled = map(partial(_settled, doubtful), starts)
    return sorted(start for start in settled if start < end)


def _settled(doubtful: Sequence[float], start: float) -> float:
    return next((at for at in doubtful if abs(at - start) <= _DOUBT_SECONDS), start)
