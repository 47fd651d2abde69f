"""The minute book of a board (an extension of the API, ADR minutes)."""

from __future__ import annotations

import re

from governance.domain.access.visibility import document_visibilities, event_visibilities
from governance.domain.meetings import minute_book as book_rules
from governance.errors import invalid_query
from governance.models.meetings.minute_book import MinuteBook, MinuteBookQuery
from governance.store.history import events
from governance.store.meetings import minute_book
from governance.usecases.context import Context
from governance.usecases.declarations import loads, own_committees

_YEAR = re.compile(r"\d{4}", re.ASCII)


@loads(own_committees)
def get_minute_book(context: Context, query: MinuteBookQuery) -> MinuteBook:
    """Returns what was approved and decided under the numbers of a year; raises 400 for a path without a year."""
    board_id, year = context.board.id, context.params["year"]
    if _YEAR.fullmatch(year) is None:
        raise invalid_query({"year": "must be a year of four digits"})
    visibilities = document_visibilities(context.committee_ids)
    entries, next_count = minute_book.list_year(board_id, year, visibilities, query.from_count)
    logged = {
        entry.event_id: event_visibilities(None, (entry.committee_id,) if entry.committee_id else ())
        for entry in entries
        if entry.event_id
    }
    return book_rules.to_resource(board_id, year, entries, next_count, events.indexes_of(board_id, logged))
