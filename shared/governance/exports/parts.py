"""The parts that files of an export are made of: read page by page, each page from where the last one ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from governance.exports.reader import Reader, UseCase
from governance.limits import CHUNK_ROWS, PAGE_MAX
from governance.models.base import Query, Resource
from governance.models.meetings.meeting import Meeting, MeetingsQuery
from governance.models.page import JsonArrayStream, LegacyListQuery, Page, PageQuery
from governance.models.text import SortOrder
from governance.usecases.meetings.meetings import list_meetings

ASCENDING: SortOrder = "asc"
"""The order of lists: what changes during the reading moves behind what was read, so that nothing is missing."""
_PARENTS = 10
"""Meetings, or reports, whose content is read in one step."""

Q = TypeVar("Q", bound=PageQuery)


class Step(NamedTuple):
    """Some entries of a file, as text, and where the rest begins: None if nothing follows."""

    entries: Iterable[str]
    after: str | None = None
    zones: frozenset[str] = frozenset()


Read = Callable[[Reader, str | None], Step]
Frame = Callable[[Reader, Sequence[str]], tuple[str, str]]
"""Returns the text before and after the entries of a file, given the time zones of its entries."""


def no_frame(_reader: Reader, _zones: Sequence[str]) -> tuple[str, str]:
    """Returns the frame of a file that has entries only."""
    return "", ""


@dataclass(frozen=True)
class Part:
    """One file of an export: its name, how its entries are read, and the text around them."""

    name: str
    read: Read
    frame: Frame = no_frame


def lines(resources: Iterable[Resource]) -> Iterator[str]:
    """Yields resources as lines of JSON."""
    return (f"{resource.to_json()}\n" for resource in resources)


def one(usecase: UseCase) -> Read:
    """Reads the one resource that a use case returns."""
    return lambda reader, _after: Step(lines([reader.read(usecase)]))


def paged(usecase: UseCase, query: Query) -> Read:
    """Reads a list page by page."""

    def read(reader: Reader, after: str | None) -> Step:
        page: Page[Any] = reader.read(usecase, query, after)
        return Step(lines(page.data), page.next_position)

    return read


def streamed(usecase: UseCase, query: LegacyListQuery, line: Callable[[str], str] = "{}\n".format) -> Read:
    """Reads a list that its route returns as an array; `line` makes an entry of the file from the JSON of one."""

    def read(reader: Reader, after: str | None) -> Step:
        stream: JsonArrayStream[Any] = reader.read(usecase, query, after)
        some = list(islice(stream.entries, CHUNK_ROWS))
        texts = [line(text) for _, text in some if text is not None]
        return Step(texts, some[-1][0] if len(some) == CHUNK_ROWS else None)

    return read


def pages_of(reader: Reader, usecase: UseCase, query: Query | None, **params: str) -> Iterator[Any]:
    """Yields the resources of all pages of a list under a meeting or report; none if that was deleted meanwhile."""
    after = None
    while page := reader.read_or_none(usecase, query, after, **params):
        yield from page.data
        after = page.next_position
        if after is None:
            return


OfMeeting = Callable[[Reader, Meeting], Iterable[Resource]]


def of_meetings(content: OfMeeting) -> Read:
    """Reads what is under the meetings that the user sees, some meetings at a time."""
    query = MeetingsQuery(limit=_PARENTS, order="asc")

    def read(reader: Reader, after: str | None) -> Step:
        page: Page[Meeting] = reader.read(list_meetings, query, after)
        return Step(
            lines(resource for meeting in page.data for resource in content(reader, meeting)), page.next_position
        )

    return read


def under_each(parents: UseCase, query: Query, name: str, children: UseCase, page: Query) -> Read:
    """Reads a list under each resource of another list; `name` is the path parameter of the latter."""

    def read(reader: Reader, after: str | None) -> Step:
        parent_page: Page[Any] = reader.read(parents, query, after)
        content = (
            child for parent in parent_page.data for child in pages_of(reader, children, page, **{name: parent.id})
        )
        return Step(lines(content), parent_page.next_position)

    return read


def in_turn(*reads: Read) -> Read:
    """Reads lists one after the other into one file."""

    def read(reader: Reader, after: str | None) -> Step:
        number, own_after = json.loads(after) if after else (0, None)
        step = reads[number](reader, own_after)
        following = (number, step.after) if step.after else (number + 1, None)
        return step._replace(after=json.dumps(following) if following[0] < len(reads) else None)

    return read


def few(query: type[Q], **members: Any) -> Q:
    """Returns a query with small pages, for parents with many children."""
    return query(limit=_PARENTS, **members)


def many(query: type[Q], **members: Any) -> Q:
    """Returns a query for the largest pages."""
    return query(limit=PAGE_MAX, **members)
