"""Series: one item each, in the list of its visibility by creation, and a row for each occurrence that was opened.

The item of a series changes with each of its occurrences: so what is opened is opened once (ADR series).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from governance.agenda_limits import SERIES_PER_BOARD
from governance.domain.access.visibility import Visibility, document_visibility
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.meetings.meeting import StoredMeeting
from governance.models.queue import DeliveryKind, DueMessage
from governance.models.series.series import OpenedOccurrence, StoredSeries
from governance.store import counters, due
from governance.store.decoding import decode_all, decode_or_none
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import (
    SERIES,
    SERIES_COUNT,
    meetings_partition,
    opened_occurrence_key,
)
from governance.store.schema.keys import PK, SK, Item, Key, Range, SortedList, make_item, position
from governance.store.table import iter_range, query, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def _key(series: StoredSeries) -> Key:
    return SERIES.key_for(boardId=series.board_id, seriesId=series.id)


def _item(series: StoredSeries) -> Item:
    listed = ranges.series_visible_by(document_visibility(series.committee_id))
    return make_item(_key(series), series.item(), **listed.entry(position(series.created_at, series.id)))


def find(board_id: BoardId, series_id: str) -> StoredSeries | None:
    """Returns a series; None if there is none, or one that cannot be read."""
    key = SERIES.key_or_none(boardId=board_id, seriesId=series_id)
    return decode_or_none(StoredSeries, read_one(key)) if key else None


def create(series: StoredSeries) -> list[Write]:
    """Returns the writes of a new series; they fail with 409 `LIMIT_REACHED` at the limit of a board."""
    counted = counters.add(SERIES_COUNT.key_for(boardId=series.board_id), SERIES_PER_BOARD)
    return [Put(_item(series), ABSENT), counted, *_move_opening(None, series)]


def replace(old: StoredSeries, new: StoredSeries) -> list[Write]:
    """Returns the writes that change a series, and when the clock opens its next occurrence.

    They fail with `StaleRead` if it changed since it was read.
    """
    return [Put(_item(new), equals(version=old.version)), *_move_opening(old, new)]


def delete(series: StoredSeries) -> list[Write]:
    """Returns the writes that delete a series. They fail with `StaleRead` if it changed since it was read."""
    counted = counters.subtract(SERIES_COUNT.key_for(boardId=series.board_id))
    return [Delete(_key(series), equals(version=series.version)), counted, *_move_opening(series, None)]


def _move_opening(old: StoredSeries | None, new: StoredSeries | None) -> list[Write]:
    before, after = (_opening(series) if series else None for series in (old, new))
    if before == after:
        return []
    return [*([due.delete(before)] if before else []), *([due.put(after)] if after else [])]


def _opening(series: StoredSeries) -> DueMessage | None:
    if series.opens_at is None:
        return None
    return DueMessage(
        kind=DeliveryKind.OPENING,
        due_at=series.opens_at,
        group=series.board_id,
        subject_id=series.id,
        body={"boardId": series.board_id, "seriesId": series.id},
    )


def follow_up(meeting: StoredMeeting, at: Instant) -> list[Write]:
    """Returns the write after which the clock moves what is still to move of a meeting of a series; none if all is."""
    if meeting.occurrence is None or meeting.occurrence.remaining is None:
        return []
    ids = {"boardId": meeting.board_id, "meetingId": meeting.id}
    group, kind = meeting.board_id, DeliveryKind.OPENING
    return [due.put(DueMessage(kind=kind, due_at=at, group=group, subject_id=meeting.id, body=ids))]


def list_visible(
    board_id: BoardId, visibilities: Sequence[Visibility], window: Window
) -> tuple[list[StoredSeries], str | None]:
    """Returns a page of the series of these visibilities, by creation, and the position of the last (None: no more)."""
    lists = [ranges.series_visible_by(visibility) for visibility in visibilities]
    items, last = page(meetings_partition(board_id), lists, window)
    return decode_all(StoredSeries, items), last


_EVERY = SortedList(None, SERIES.sk_prefix)


def all_of_board(board_id: BoardId) -> Iterator[StoredSeries]:
    """Yields every series of a board, `SERIES_PER_BOARD` at most."""
    yield from decode_all(StoredSeries, query(_EVERY.within(meetings_partition(board_id))))


def open_occurrence(series: StoredSeries, opened: OpenedOccurrence) -> Write:
    """Returns the write that keeps that an occurrence was opened. It fails with `StaleRead` if it was before."""
    return Put(make_item(opened_occurrence_key(series.board_id, series.id, opened.key), opened.item()), ABSENT)


def opened_between(series: StoredSeries, first: str, end: str) -> list[OpenedOccurrence]:
    """Returns the occurrences that were opened, whose keys are from the first text to the end, by key."""
    prefix = opened_occurrence_key(series.board_id, series.id, "").sk
    span = Range(meetings_partition(series.board_id), prefix, above=prefix + first, below=prefix + end)
    return decode_all(OpenedOccurrence, query(span))


def opened_near(board_id: BoardId, series_id: str, key: str, number: int, *, before: bool) -> list[OpenedOccurrence]:
    """Returns the occurrences that were opened nearest to a key, before or after it."""
    prefix = opened_occurrence_key(board_id, series_id, "").sk
    at = prefix + key
    span = Range(meetings_partition(board_id), prefix, above=None if before else at, below=at if before else None)
    return decode_all(OpenedOccurrence, query(span, number, descending=before))


def rows_under(board_id: BoardId, series_id: str) -> Iterator[Item]:
    """Yields the keys of the rows that a deleted series leaves."""
    span = Range(meetings_partition(board_id), opened_occurrence_key(board_id, series_id, "").sk)
    return iter_range(span, PK, SK)
