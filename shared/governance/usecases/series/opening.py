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
from governance.store.meetings import agendas, meetings
from governance.store.series import series as store
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event, record_meeting_event
from governance.usecases.series.carrying import left_open_before, next_part
from governance.usecases.series.composing import agenda_of, has_lost_committee
from governance.usecases.series.series import record_series_event

_OPENING_SECONDS = 5 * deadline.STORE_ATTEMPT_SECONDS


def opening_writes(context: Context, series: StoredSeries, found: Slot) -> tuple[StoredMeeting, list[Write]]:
    """Returns the meeting of an occurrence, and the writes that open it; `StaleRead` if it was opened meanwhile."""
    new, opened, meeting = series_rules.opened(series, found, context.now)
    left_open, carried = left_open_before(meeting)
    shown, agenda, moves = agenda_of(context, series, meeting, None, left_open)
    meeting = shown.model_copy(update={"version": meeting.version})
    created = meeting_events.MeetingCreated(
        meeting_id=meeting.id, id=meeting.id, title=meeting.title, news=news(None, meeting)
    )
    of_occurrence = events.OfOccurrence(series_id=series.id, key=found.key, meeting_id=meeting.id)
    return meeting, [
        *store.replace(series, new),
        store.open_occurrence(series, opened),
        *meetings.create(meeting),
        *([agendas.put_agenda(None, agenda)] if agenda else []),
        *moves,
        *carried,
        *store.follow_up(meeting, context.now),
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


def complete_opening(board_id: BoardId, meeting_id: str) -> bool:
    """Moves what an opening or a completion left to move, a part in each transaction; False if time was over before.

    Each transaction notes what is still to move, so that whatever repeats it moves nothing twice.
    """
    while retry_stale_reads(lambda: _move_next(board_id, meeting_id)):
        if not deadline.has_time(_OPENING_SECONDS):
            return False
    return True


def _move_next(board_id: BoardId, meeting_id: str) -> bool:
    """Moves the next part; returns whether there was one."""
    board, meeting = boards.find(board_id), meetings.find(board_id, meeting_id)
    occurrence = meeting.occurrence if meeting else None
    if board is None or meeting is None or occurrence is None or occurrence.remaining is None:
        return False
    series = store.find(board_id, occurrence.series_id)
    if series is None or has_lost_committee(series):
        return False
    context = Context(now=instants.now(), known_board=board)
    transact(context.while_board_exists(next_part(context, series, meeting)))
    return True


def _is_stopped(board: StoredBoard, series: StoredSeries) -> bool:
    """Returns whether the clock opens nothing of a series: its board is restricted, or its committee was deleted."""
    return is_restricted(board) or has_lost_committee(series)


def _skip(context: Context, series: StoredSeries, found: Slot) -> list[Write]:
    """Returns the writes that pass over an occurrence; of the first one in a row the managers are told."""
    new = series_rules.skipped(series, found, context.now)
    told = events.SeriesUpdated(series_id=series.id, skipped=found.key)
    event = [] if series.is_told else record_event(context, events.SERIES_UPDATED, told)
    return [*store.replace(series, new), *event]
