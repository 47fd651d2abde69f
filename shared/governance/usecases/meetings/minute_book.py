"""The minute book of a board (an extension of the API, ADR minutes)."""

from __future__ import annotations

from collections.abc import Sequence

from governance.domain.access.visibility import Visibility, document_visibilities, event_visibilities
from governance.domain.meetings import minute_book as book_rules
from governance.ids import BoardId
from governance.models.meetings.minute_book import MinuteBook, MinuteBookQuery
from governance.store.history import events
from governance.store.meetings import minute_book
from governance.usecases.context import Context
from governance.usecases.declarations import finds, loads, own_committees
from governance.usecases.years import requested_year


@loads(own_committees)
@finds(requested_year)
def get_minute_book(context: Context, year: int, query: MinuteBookQuery) -> MinuteBook:
    """Returns what was approved and decided under the numbers of a year."""
    visibilities = document_visibilities(context.committee_ids)
    return book_from(context.board.id, year, visibilities, query.from_count)


def book_from(board_id: BoardId, year: int, visibilities: Sequence[Visibility], from_count: int) -> MinuteBook:
    """Returns the book of a year from a count on, with the entries in these visibilities."""
    entries, next_count = minute_book.list_year(board_id, year, visibilities, from_count)
    logged = {
        entry.event_id: event_visibilities(None, (entry.committee_id,) if entry.committee_id else ())
        for entry in entries
        if entry.event_id
    }
    return book_rules.to_resource(board_id, year, entries, next_count, events.indexes_of(board_id, logged))
