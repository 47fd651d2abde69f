"""The minute book: an item for each entry, in the list of its year and of those who see it, by number."""

from __future__ import annotations

from collections.abc import Sequence

from governance.agenda_limits import MINUTE_BOOK_ENTRIES
from governance.domain.access.visibility import Visibility, document_visibility
from governance.ids import BoardId
from governance.models.meetings.minute_book import BookKind, StoredBookEntry
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.keys import SEPARATOR, Key, make_item, position
from governance.store.schema.minutes import BOOK_ENTRY
from governance.store.table import read_one
from governance.store.writes import Delete, Put, Write


def _key(board_id: BoardId, kind: BookKind, number: str) -> Key:
    return BOOK_ENTRY.key(boardId=board_id, kind=kind, number=number)


def _position(count: int) -> str:
    return f"{count:06d}"


def put(entry: StoredBookEntry) -> Write:
    """Returns the write of an entry. Its transaction must be conditional on the approval or the resolution."""
    year, _, count = entry.number.partition("-")
    listed = ranges.minute_book(year, document_visibility(entry.committee_id))
    place = listed.entry(position(_position(int(count)), entry.kind))
    return Put(make_item(_key(entry.board_id, entry.kind, entry.number), entry.item(), **place))


def delete(board_id: BoardId, kind: BookKind, number: str) -> Write:
    """Returns the write after which a number has no entry."""
    return Delete(_key(board_id, kind, number))


def find(board_id: BoardId, kind: BookKind, number: str) -> StoredBookEntry | None:
    """Returns the entry of a number; None for one of an earlier release that is not entered yet."""
    item = read_one(_key(board_id, kind, number))
    return StoredBookEntry.model_validate(item) if item else None


def supersede(board_id: BoardId, kind: BookKind, number: str, successor: str) -> list[Write]:
    """Returns the write after which an entry names its successor; none for one that is not entered yet.

    Its transaction must be conditional as that of the entry: so it is not entered meanwhile.
    """
    entry = find(board_id, kind, number)
    return [put(entry.model_copy(update={"superseded_by": successor}))] if entry else []


def list_year(
    board_id: BoardId, year: str, visibilities: Sequence[Visibility], from_count: int
) -> tuple[list[StoredBookEntry], int | None]:
    """Returns the entries of a year from a count on, at most `MINUTE_BOOK_ENTRIES`, and the count that follows.

    Entries of one count are never on two pages. Without more entries, no count follows.
    """
    window = Window(MINUTE_BOOK_ENTRIES, descending=False, above=_position(from_count))
    items, last = page(f"BOARD#{board_id}", [ranges.minute_book(year, each) for each in visibilities], window)
    entries = decode_all(StoredBookEntry, items)
    if last is None:
        return entries, None
    following = int(last.partition(SEPARATOR)[0])
    return [entry for entry in entries if int(entry.number.partition("-")[2]) < following], following
