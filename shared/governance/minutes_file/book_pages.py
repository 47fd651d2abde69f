"""The document of a minute book: its pages as lines, what is attached, and the act that it is sealed over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from governance.domain.notifications.wording import day_in_words
from governance.instants import Instant
from governance.local_times import in_zone
from governance.minutes_file.contents import Act, Contents
from governance.minutes_file.pages import lines_in_book
from governance.models.meetings.minute_book import MinuteBookEntry
from governance.models.meetings.minute_book_content import MinuteBookContent, NumberGap
from governance.packs import certificates
from governance.packs.jobs import LETTERS, MISSING, Line
from governance.texts import text

BOOK_FILE = "minute_book.json"
"""The file that is attached: the book as the API shows it to every member."""


def contents_of(book: MinuteBookContent, made_at: Instant) -> Contents:
    """Returns the contents of the document."""
    title = _told(book, "title", year=book.book.year)
    return Contents(
        title=title,
        language=book.language,
        dated_at=made_at,
        lines=tuple(lines(book, made_at)),
        attachments={BOOK_FILE: book.book.to_json()},
        acts=(Act("MinuteBook", book.board, title),),
    )


def lines(book: MinuteBookContent, made_at: Instant) -> Iterator[Line]:
    """Yields the lines: the contents, what is missing, then each entry on pages of its own."""
    yield Line("title", _told(book, "title", year=book.book.year))
    yield Line("subtitle", book.board)
    yield Line("item", _told(book, "as_of", day=_day(book, made_at)))
    yield Line(MISSING, text(book.language, "pack.missing_letters", letters=LETTERS))
    yield Line("heading", " ")
    yield Line("heading", _told(book, "contents"))
    if not book.book.entries:
        yield Line("detail", _told(book, "empty"))
    yield from chain.from_iterable(_listed(book, entry) for entry in book.book.entries)
    yield from _missing(book)
    yield Line("heading", " ")
    yield Line("detail", _told(book, "how", file=BOOK_FILE))
    yield Line("item", _told(book, "seal"))
    for entry in book.book.entries:
        yield Line("page", "", _place(entry))
        yield from _pages(book, entry)


def _listed(book: MinuteBookContent, entry: MinuteBookEntry) -> Iterator[Line]:
    """Yields the lines of an entry in the contents."""
    yield Line("item", f"{_numbered(book, entry)}: {entry.title}", _place(entry))
    approved = _told(book, f"approved.{entry.kind}", day=_day(book, entry.approved_at))
    held = [_told(book, "held", day=_day(book, entry.held_at))] if entry.held_at else []
    yield Line("detail", " · ".join([*held, approved]))
    if entry.superseded_by:
        yield Line("detail", _told(book, f"superseded.{entry.kind}", number=entry.superseded_by))
    yield from _proof(book, entry)


def _proof(book: MinuteBookContent, entry: MinuteBookEntry) -> Iterator[Line]:
    yield Line("text", f"SHA-256 {entry.sha256}")
    is_logged = entry.log_index is not None
    yield Line("detail", _told(book, "entry", index=entry.log_index) if is_logged else _told(book, "not_logged"))


def _missing(book: MinuteBookContent) -> Iterator[Line]:
    """Yields the lines of what the book does not have: gaps in its numbers, and meetings, by date."""
    dated = [
        *((gap.until, _gap(book, gap)) for gap in book.gaps),
        *(
            (meeting.start_time, _told(book, "unapproved", title=meeting.title, day=_day(book, meeting.start_time)))
            for meeting in book.unapproved
        ),
    ]
    yield Line("heading", " ")
    yield Line("heading", _told(book, "missing"))
    if not dated:
        yield Line("detail", _told(book, "nothing_missing"))
    yield from (Line("detail", told) for _, told in sorted(dated))


def _gap(book: MinuteBookContent, gap: NumberGap) -> str:
    numbers = gap.first if gap.first == gap.last else _told(book, "range", first=gap.first, last=gap.last)
    return _told(book, f"gap.{gap.kind}", numbers=numbers, day=_day(book, gap.until))


def _pages(book: MinuteBookContent, entry: MinuteBookEntry) -> Iterator[Line]:
    if entry.kind == "minutes":
        yield from lines_in_book(book.minutes[entry.number], entry.superseded_by)
        return
    yield Line("title", entry.title)
    yield Line("subtitle", book.board)
    yield Line("subtitle", _numbered(book, entry))
    if entry.superseded_by:
        yield Line("item", _told(book, "superseded.resolution", number=entry.superseded_by))
    yield from certificates.decision(book.resolutions[entry.number])
    yield Line("heading", _told(book, "certificate"))
    yield from _proof(book, entry)


def _place(entry: MinuteBookEntry) -> str:
    """Returns the name of the place where the pages of an entry begin."""
    return f"{entry.kind} {entry.number}"


def _numbered(book: MinuteBookContent, entry: MinuteBookEntry) -> str:
    return _told(book, f"number.{entry.kind}", number=entry.number)


def _day(book: MinuteBookContent, instant: Instant) -> str:
    return day_in_words(in_zone(instant, book.timezone), book.language)


def _told(book: MinuteBookContent, key: str, **values: object) -> str:
    return text(book.language, f"minutes_file.book.{key}", **values)
