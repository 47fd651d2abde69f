"""The parameters that lists share, and a page of a list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from governance.limits import PAGE_DEFAULT
from governance.models.base import LegacyQuery, Query, Resource
from governance.models.text import PageLimit, SortOrder

R_co = TypeVar("R_co", bound=Resource, covariant=True)


class CursorQuery(Query):
    """The parameter of every list that is continued: `cursor`."""

    cursor: str | None = None
    """The `meta.nextCursor` of the previous page. Cursors are opaque and valid only for the same list, filters, order
    and caller.
    """


class LegacyListQuery(CursorQuery, LegacyQuery):
    """The parameters of a legacy list; without `limit` a response holds as many entries as fit."""

    cursor: str | None = None
    """Where to continue. Take it from the `Link` header. Extends the published specification."""
    limit: PageLimit | None = None
    """Maximum number of entries. Without it, a response has as many as fit. Extends the published specification."""


class PageQuery(CursorQuery):
    """The parameters of a list in a fixed order: `limit` and `cursor`."""

    limit: PageLimit = PAGE_DEFAULT
    """Maximum number of resources on a page."""


class OrderedQuery(PageQuery):
    """The parameters of a list that is sorted by creation: newest first, or with `order` oldest first."""

    order: SortOrder = "desc"
    """Direction of the list, ascending or descending."""


class ListQuery(OrderedQuery):
    """The parameters of a versioned list (the API specification, section 4.1); each list narrows `sort`."""

    sort: str


BoardSortField = Literal["createdAt", "updatedAt"]
"""The date by which boards are sorted."""


class BoardsQuery(ListQuery):
    """The parameters of the list of boards."""

    sort: BoardSortField = "updatedAt"
    """The date to sort by, the creation or the last change."""


class MembersQuery(ListQuery):
    """The parameters of the list of members, who are sorted by when they joined."""

    sort: Literal["createdAt"] = "createdAt"
    """The date to sort by. Members are sorted by when they joined."""


@dataclass(frozen=True)
class Page(Generic[R_co]):
    """A page of resources, and the position of its last one; None if no page follows."""

    data: Sequence[R_co]
    next_position: str | None = None


class JsonFrame:
    """The text around and between the entries of a stream: here, a bare array."""

    def lead(self, previous: str | None, position: str) -> str:
        """Returns the text before the entry at a position; `previous` is the position of the entry before it."""
        del position
        return "[" if previous is None else ","

    def close(self, last: str | None, count: int) -> str:
        """Returns the text after the last of `count` entries; `last` is its position, None if there are none."""
        del count
        return "[]" if last is None else "]"


BARE_ARRAY = JsonFrame()


@dataclass(frozen=True)
class JsonArrayStream(Generic[R_co]):
    """A JSON array that may be too long for one response: positions and JSON texts, read as they are needed.

    An entry that the caller may not see has no text. The response ends after `limit` entries, or when it is full.
    """

    entries: Iterator[tuple[str, str | None]]
    limit: int | None = None
    frame: JsonFrame = BARE_ARRAY
