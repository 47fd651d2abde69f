"""The minute book of a board (an extension of the API, ADR minutes)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from governance.domain.access.visibility import Visibility, document_visibilities, event_visibilities
from governance.domain.meetings import minute_book as book_rules
from governance.errors import invalid_query
from governance.ids import BoardId
from governance.models.meetings.minute_book import MinuteBook, MinuteBookQuery
from governance.store.history import events
from governance.store.meetings import minute_book
from governance.usecases.context import Context
from governance.usecases.declarations import loads, own_committees

_YEAR = re.compile(r"\d{4}", re.ASCII)


@loads(own_committees)
def get_minute_book(context: Context, query: MinuteBookQuery) -> MinuteBook:
    """Returns what was approved and decided under the numbers of a year; raises 400 for a path without a year."""
    visibilities = document_visibilities(context.committee_ids)
    return book_from(context.board.id, requested_year(context), visibilities, query.from_count)


def requested_year(context: Context) -> str:
    """Returns the year that the path names; raises 400 for what is none."""
    year = context.params["year"]
    if _YEAR.fullmatch(year) is None:
        raise invalid_query({"year": "must be a year of four digits"})
    return year


def book_from(board_id: BoardId, year: str, visibilities: Sequence[Visibility], from_count: int) -> MinuteBook:
    """Returns the book of a year from a count on, with the entries in these visibilities."""
    entries, next_count = minute_book.list_year(board_id, year, visibilities, from_count)
    logged = {
        entry.event_id: event_visibilities(None, (entry.committee_id,) if entry.committee_id else ())
        for entry in entries
        if entry.event_id
    }
    return book_rules.to_resource(board_id, year, entries, next_count, events.indexes_of(board_id, logged))
