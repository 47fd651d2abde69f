"""Opens occurrences as meetings: by a person, or by the clock (ADR series).

The series' item changes with each opening, so that of two openings of one occurrence the second one finds the first.
"""

from __future__ import annotations

from governance import deadline, instants
from governance.domain.access.access import is_restricted
from governance.domain.events import meetings as meeting_events
from governance.domain.events import series as events
from governance.domain.meetings.meeting import news
from governance.domain.series import occurrences as occurrence_rules
from governance.domain.series import series as series_rules
from governance.domain.series.occurrences import Slot
from governance.ids import BoardId
from governance.models.boards.board import StoredBoard
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.series import StoredSeries
from governance.store.boards import boards
from governance.store.committees import committees
from governance.store.meetings import meetings
from governance.store.series import series as store
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event, record_meeting_event
from governance.usecases.series.carrying import left_open_before
from governance.usecases.series.composing import agenda_of
from governance.usecases.series.series import record_series_event

_OPENING_SECONDS = 5 * deadline.STORE_ATTEMPT_SECONDS


def opening_writes(context: Context, series: StoredSeries, found: Slot) -> tuple[StoredMeeting, list[Write]]:
    """Returns the meeting of an occurrence, and the writes that open it; `StaleRead` if it was opened meanwhile."""
    new, opened, meeting = series_rules.opened(series, found, context.now)
    left_open, carried = left_open_before(meeting)
    meeting, planned = agenda_of(context, series, meeting, left_open)
    created = meeting_events.MeetingCreated(
        meeting_id=meeting.id, id=meeting.id, title=meeting.title, news=news(None, meeting)
    )
    of_occurrence = events.OfOccurrence(series_id=series.id, key=found.key, meeting_id=meeting.id)
    return meeting, [
        *store.replace(series, new),
        store.open_occurrence(series, opened),
        *meetings.create(meeting),
        *planned,
        *carried,
        *record_meeting_event(context, meeting_events.MEETING_CREATED, meeting, created),
        *record_series_event(context, events.OCCURRENCE_OPENED, series, of_occurrence),
    ]


def open_due(board_id: BoardId, series_id: str) -> bool:
    """Opens what is due of a series, an occurrence in each transaction; returns False if time was over before."""
    while retry_stale_reads(lambda: _open_next(board_id, series_id)):
        if not deadline.has_time(_OPENING_SECONDS):
            return False
    return True


def _open_next(board_id: BoardId, series_id: str) -> bool:
    """Opens or skips the occurrence that is due next; returns whether there was one."""
    at = instants.now()
    board, series = boards.find(board_id), store.find(board_id, series_id)
    if board is None or series is None or series.opens_at is None or series.opens_at > at:
        return False
    context, following = Context(now=at, known_board=board), occurrence_rules.next_opening(series, at)
    if following is None or following[1] > at:
        writes = store.replace(series, series_rules.lapsed(series, at))
    elif _is_stopped(board, series):
        writes = _skip(context, series, following[0])
    else:
        _, writes = opening_writes(context, series, following[0])
    transact(context.while_board_exists(writes))
    return True


def _is_stopped(board: StoredBoard, series: StoredSeries) -> bool:
    """Returns whether the clock opens nothing of a series: its board is restricted, or its committee was deleted."""
    if is_restricted(board):
        return True
    return series.committee_id is not None and not committees.get_many(board.id, [series.committee_id])


def _skip(context: Context, series: StoredSeries, found: Slot) -> list[Write]:
    """Returns the writes that pass over an occurrence; of the first one in a row the managers are told."""
    new = series_rules.skipped(series, found, context.now)
    told = events.SeriesUpdated(series_id=series.id, skipped=found.key)
    event = [] if series.is_told else record_event(context, events.SERIES_UPDATED, told)
    return [*store.replace(series, new), *event]
