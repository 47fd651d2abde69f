"""Occurrences of a series: list them, move, cancel, put back and open one (an extension of the API, ADR series)."""

from __future__ import annotations

from datetime import date, timedelta

from governance.agenda_limits import OCCURRENCES_DAYS
from governance.domain.events import series as events
from governance.domain.events.kind import EventKind
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import series as series_rules
from governance.domain.series.occurrences import Slot
from governance.errors import Reason, conflict, invalid_query
from governance.models.meetings.meeting import Meeting, StoredMeeting
from governance.models.page import Page
from governance.models.series.series import (
    Occurrence,
    OccurrenceBody,
    OccurrencesQuery,
    OpenedOccurrence,
    StoredSeries,
)
from governance.store.meetings import meetings
from governance.store.schema.entities import MEETING, SERIES, opened_occurrence_key
from governance.store.schema.keys import Key
from governance.store.series import series as store
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, own_committees
from governance.usecases.meetings.meetings import to_resource, visible_meeting
from governance.usecases.series.opening import opening_writes
from governance.usecases.series.series import (
    meetings_of,
    opened_occurrences,
    record_series_event,
    requested_series,
)

_MARGIN = timedelta(days=OCCURRENCES_DAYS)
"""How far an opened occurrence may start from the day of its key and still be listed there."""


@loads(SERIES, own_committees)
@finds(requested_series)
def list_series_occurrences(context: Context, series: StoredSeries, query: OccurrencesQuery) -> Page[Occurrence]:
    """Returns the occurrences that start on the given days, by start: those to come, and what was opened."""
    first, end = date.fromisoformat(query.from_), date.fromisoformat(query.to)
    if not first < end <= date.fromordinal(min(first.toordinal() + OCCURRENCES_DAYS, date.max.toordinal())):
        raise invalid_query({"to": f"must be 1 to {OCCURRENCES_DAYS} days after `from`"})
    kept = store.opened_between(series, *_bounds(first, end))
    opened = opened_occurrences(series, kept, meetings_of(context, kept))
    within = [each for each in opened if occurrence_rules.is_within(series, each, first, end)]
    shown = [*occurrence_rules.in_days(series, context.now, first, end), *within]
    return Page(sorted(shown, key=lambda each: (each.start_time, each.key)))


def _bounds(first: date, end: date) -> tuple[str, str]:
    earliest = max(first.toordinal() - _MARGIN.days, 1)
    latest = min(end.toordinal() + _MARGIN.days, date.max.toordinal())
    return date.fromordinal(earliest).isoformat(), date.fromordinal(latest).isoformat()


def _opened_row(info: RequestInfo) -> list[Key | None]:
    """Loads what is kept of the occurrence that the path names, if it was opened."""
    if SERIES.key_or_none(**info.params) is None:
        return []
    return [opened_occurrence_key(info.board_id, info.params["seriesId"], info.params["key"])]


def _opened_before(context: Context, series: StoredSeries) -> str | None:
    """Returns the id of the meeting of the occurrence that the path names; None if it was not opened.

    The series says so of those to come, the row of all. A batch is not read at one instant: one of the two is enough.
    """
    key = context.params["key"]
    change = series.changes.get(key)
    if change is not None and change.status == "opened":
        return change.meeting_id
    item = context.loaded.get(opened_occurrence_key(context.board.id, series.id, key))
    return OpenedOccurrence.model_validate(item).meeting_id if item else None


def _requested(context: Context) -> Slot:
    """Returns the occurrence that the path names and that is not opened; raises 404, or 409 `OCCURRENCE_OPENED`."""
    series = context.find(requested_series)
    if _opened_before(context, series) is not None:
        raise conflict(Reason.OCCURRENCE_OPENED)
    return series_rules.requested(series, context.params["key"], context.now)


@loads(SERIES, own_committees, _opened_row)
@finds(requested_series, _requested)
def put_series_occurrence(
    context: Context, series: StoredSeries, found: Slot, body: OccurrenceBody
) -> Outcome[Occurrence]:
    """Moves or cancels an occurrence that is not opened; the same again changes nothing."""
    kind = events.OCCURRENCE_CANCELLED if body.cancelled else events.OCCURRENCE_MOVED
    return _outcome(context, series, series_rules.with_change(series, found, body, context.now), found, kind)


@loads(SERIES, own_committees, _opened_row)
@finds(requested_series, _requested)
def delete_series_occurrence(context: Context, series: StoredSeries, found: Slot) -> Outcome[Occurrence]:
    """Puts an occurrence back to where its rule has it."""
    new = series_rules.without_change(series, found, context.now)
    return _outcome(context, series, new, found, events.OCCURRENCE_RESTORED)


def _outcome(
    context: Context,
    old: StoredSeries,
    new: StoredSeries,
    found: Slot,
    kind: EventKind[events.OfOccurrence],
) -> Outcome[Occurrence]:
    shown = occurrence_rules.occurrence(new, found)
    if new is old:
        return Outcome(shown, [])
    event = record_series_event(context, kind, new, events.OfOccurrence(series_id=new.id, key=found.key))
    return Outcome(shown, [*store.replace(old, new), *event])


def _to_open(context: Context) -> Slot | str:
    """Returns the occurrence that the path names, or of one that was opened the id of its meeting; raises 404."""
    series = context.find(requested_series)
    meeting_id = _opened_before(context, series)
    return meeting_id or series_rules.requested(series, context.params["key"], context.now)


@creates(MEETING, "meetingId", visible_meeting)
@loads(SERIES, own_committees, _opened_row)
@finds(requested_series, _to_open)
def open_series_occurrence(context: Context, series: StoredSeries, found: Slot | str) -> Outcome[Meeting]:
    """Creates the meeting of an occurrence; of one that was opened before, answers the meeting with 200."""
    if isinstance(found, str):
        return Outcome(to_resource(_meeting_of(context, found)), [], existed=True)
    series_rules.check_takes_place(series, found)
    meeting, writes = opening_writes(context, series, found)
    return Outcome(to_resource(meeting), writes)


def _meeting_of(context: Context, meeting_id: str) -> StoredMeeting:
    """Returns the meeting of an occurrence; raises 409 `OCCURRENCE_CANCELLED` if it was deleted."""
    meeting = meetings.find(context.board.id, meeting_id)
    if meeting is None:
        raise conflict(Reason.OCCURRENCE_CANCELLED)
    return meeting
