"""Series of meetings: list, create, read, change, delete (an extension of the API, ADR series)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.domain.access.visibility import can_see_document, document_visibilities
from governance.domain.events import series as events
from governance.domain.events.kind import EventKind, P
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import series as series_rules
from governance.errors import invalid_body, not_found
from governance.models.base import Deleted
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import OrderedQuery, Page
from governance.models.series.of_meeting import OccurrenceOfMeeting
from governance.models.series.series import (
    MeetingSeries,
    Occurrence,
    OpenedOccurrence,
    Series,
    SeriesCreate,
    SeriesPatch,
    StoredSeries,
)
from governance.store.meetings import meetings
from governance.store.planning import agenda_templates
from governance.store.schema.entities import MEETING, SERIES
from governance.store.series import series as store
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads, own_committees
from governance.usecases.event_writes import record_event
from governance.usecases.meetings.meetings import visible_meeting


def requested_series(context: Context) -> StoredSeries:
    """Returns the series that the path names; raises 404 if the caller is not on its committee."""
    series = context.stored_or_none(SERIES, StoredSeries)
    if series is None or not can_see_document(context.committee_ids, series.committee_id):
        raise not_found()
    return series


def _shown(context: Context, stored: Iterable[StoredSeries]) -> list[Series]:
    """Returns series with what is next of each; one batch reads the meetings of those that were opened."""
    listed = [(series, _opened(series)) for series in stored]
    by_id = meetings_of(context, [opened for _, found in listed for opened in found])
    return [
        series_rules.to_resource(series, opened_occurrences(series, found, by_id), context.now)
        for series, found in listed
    ]


def _opened(series: StoredSeries) -> list[OpenedOccurrence]:
    return [
        occurrence_rules.opened_again(series, key, change)
        for key, change in series.changes.items()
        if change.status == "opened"
    ]


def meetings_of(context: Context, opened: Iterable[OpenedOccurrence]) -> dict[str, StoredMeeting]:
    """Returns the meetings of occurrences that exist, by id, in one batch."""
    keys = [MEETING.key_for(boardId=context.board.id, meetingId=each.meeting_id) for each in opened]
    return meetings.get_by_keys(keys) if keys else {}


def opened_occurrences(
    series: StoredSeries, opened: Iterable[OpenedOccurrence], by_id: dict[str, StoredMeeting]
) -> list[Occurrence]:
    """Returns occurrences that were opened, given their meetings; a deleted meeting's is cancelled."""
    return [occurrence_rules.opened_occurrence(series.id, each, by_id.get(each.meeting_id)) for each in opened]


@loads(own_committees)
def list_series(context: Context, query: OrderedQuery) -> Page[Series]:
    """Returns a page of the series that the caller sees, newest first: the board's and those of their committees."""
    visibilities = document_visibilities(context.committee_ids)
    stored, last = store.list_visible(context.board.id, visibilities, context.window(query))
    return Page(_shown(context, stored), last)


@loads(SERIES, own_committees)
@finds(requested_series)
def get_series(context: Context, series: StoredSeries) -> Series:
    """Returns one series, with what is next."""
    return _shown(context, [series])[0]


@creates(SERIES, "seriesId", requested_series)
@loads(own_committees)
def create_series(context: Context, body: SeriesCreate) -> Outcome[Series]:
    """Creates a series; the clock opens its occurrences. Raises 409 `LIMIT_REACHED` beyond a board's most."""
    _check_references(context, body)
    series = series_rules.created(context.board.id, body, context.principal.named_user_id, context.now)
    event = record_series_event(context, events.SERIES_CREATED, series, events.OfSeries(series_id=series.id))
    return Outcome(_shown(context, [series])[0], [*store.create(series), *event])


def _check_references(context: Context, body: SeriesCreate | SeriesPatch) -> None:
    """Raises 400 for a committee that the caller is not in, and for an unknown template."""
    wrong = {}
    if body.committee_id is not None and body.committee_id not in context.committee_ids:
        wrong["committeeId"] = "must be the id of a committee of this board that you are in"
    if body.template_id is not None and agenda_templates.find(context.board.id, body.template_id) is None:
        wrong["templateId"] = "must be the id of an agenda template of this board"
    if wrong:
        raise invalid_body(wrong)


@loads(SERIES, own_committees)
@finds(requested_series)
def update_series(context: Context, old: StoredSeries, body: SeriesPatch) -> Outcome[Series]:
    """Changes the fields of a series that the body names; setting the same values changes nothing."""
    _check_references(context, body)
    new = series_rules.patched(old, body, context.now)
    if new is old:
        return Outcome(_shown(context, [old])[0], [])
    event = record_series_event(context, events.SERIES_UPDATED, new, events.SeriesUpdated(series_id=new.id))
    return Outcome(_shown(context, [new])[0], [*store.replace(old, new), *event])


@loads(SERIES, own_committees)
@finds(requested_series)
def delete_series(context: Context, series: StoredSeries) -> Outcome[Deleted]:
    """Deletes a series and what is planned; its meetings stay."""
    event = record_series_event(context, events.SERIES_DELETED, series, events.OfSeries(series_id=series.id))
    return Outcome(Deleted(), [*store.delete(series), *event])


def record_series_event(context: Context, kind: EventKind[P], series: StoredSeries, payload: P) -> list[Write]:
    """Returns the writes of an event of a series; only its committee sees that of a committee's."""
    return record_event(context, kind, payload, committee_id=series.committee_id)


def _series_of_meeting(context: Context) -> MeetingSeries:
    """Returns the series of the meeting that the path names; raises 404 without one that the caller sees."""
    meeting = context.find(visible_meeting)
    series = store.find(meeting.board_id, meeting.occurrence.series_id) if meeting.occurrence else None
    if meeting.occurrence is None or series is None or not can_see_document(context.committee_ids, series.committee_id):
        raise not_found()
    return MeetingSeries(
        meeting_id=meeting.id, series_id=series.id, key=meeting.occurrence.key, committee_id=series.committee_id
    )


@loads(MEETING, own_committees)
@finds(_series_of_meeting)
def get_meeting_series(_context: Context, series: MeetingSeries) -> MeetingSeries:
    """Returns the series that a meeting is an occurrence of."""
    return series


def cancelled_occurrence(context: Context, occurrence: OccurrenceOfMeeting) -> list[Write]:
    """Returns the writes of the event that an occurrence is cancelled, since its meeting is deleted."""
    series = store.find(context.board.id, occurrence.series_id)
    if series is None:
        return []
    cancelled = events.OfOccurrence(series_id=series.id, key=occurrence.key)
    return record_series_event(context, events.OCCURRENCE_CANCELLED, series, cancelled)
