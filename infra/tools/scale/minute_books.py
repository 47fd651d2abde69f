"""The rows of `make scale` about the minute book."""

from __future__ import annotations

from collections.abc import Iterator

from governance.domain.events.minutes import MINUTES_APPROVED, MinutesApproved
from governance.domain.events.resolutions import RESOLUTION_CLOSED, ResolutionClosed
from governance.ids import new_id
from governance.instants import now
from governance.models.boards.board import StoredBoard
from governance.models.history.event import StoredEvent
from governance.models.meetings.minute_book import BookKind, StoredBookEntry
from governance.store.history import events
from governance.store.meetings import minute_book
from governance.store.writes import Write
from infra.tools.scale.preparation import Request, get, make_event, owned_board
from infra.tools.scale.world import Caller, World, earlier

_OF_A_YEAR = 24
_SHA256 = "0" * 64
_TITLE = "Meeting of the board"


def book_of_year(world: World, size: int) -> Request:
    """Returns the minute book of a year with the given number of entries, half of them resolutions."""
    return _book(world, size, years=1)


def book_among_years(world: World, years: int) -> Request:
    """Returns the minute book of a year with 24 entries, as each of so many years has them."""
    return _book(world, _OF_A_YEAR, years)


def _book(world: World, size: int, years: int) -> Request:
    owner, board, path = owned_board(world)
    this_year = int(now()[:4])
    for year in range(this_year - years + 1, this_year + 1):
        world.fill(write for number in range(size) for write in _entry(owner, board, year, number))
    return get(owner, f"{path}/minute-book/{this_year}")


def _entry(owner: Caller, board: StoredBoard, year: int, number: int) -> Iterator[Write]:
    """Yields the writes of an entry and of the event that the log holds."""
    kind: BookKind = "minutes" if number % 2 else "resolution"
    id_, book_number = new_id(), f"{year}-{number // 2 + 1}"
    event = _event(owner, board, kind, id_, book_number, number)
    yield events.put(event)
    yield minute_book.put(
        StoredBookEntry(
            board_id=board.id,
            number=book_number,
            kind=kind,
            id=id_,
            version=1 if kind == "minutes" else None,
            title=_TITLE,
            held_at=earlier(number) if kind == "minutes" else None,
            approved_at=earlier(number),
            sha256=_SHA256,
            event_id=event.id,
        )
    )


def _event(owner: Caller, board: StoredBoard, kind: BookKind, id_: str, book_number: str, number: int) -> StoredEvent:
    if kind == "minutes":
        approved = MinutesApproved(meeting_id=id_, number=1, sha256=_SHA256, title=_TITLE, book_number=book_number)
        return make_event(owner, board, MINUTES_APPROVED, earlier(number), approved)
    closed = ResolutionClosed(
        resolution_id=id_, number=book_number, outcome="carried", certificate_sha256=_SHA256, title=_TITLE
    )
    return make_event(owner, board, RESOLUTION_CLOSED, earlier(number), closed)
