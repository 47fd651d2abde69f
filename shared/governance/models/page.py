"""Lists: the parameters that all of them share, and a page of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import Field

from governance.limits import PAGE_DEFAULT
from governance.models.base import Query, Resource
from governance.models.text import Order, PageLimit

R_co = TypeVar("R_co", bound=Resource, covariant=True)


class CursorQuery(Query):
    """`cursor`: where to go on."""

    cursor: str | None = Field(default=None, description="Where the page before ended.")


class PageQuery(CursorQuery):
    """`limit` and `cursor`: the lists of a fixed order."""

    limit: PageLimit = Field(default=PAGE_DEFAULT, description="The size of a page.")


class ListQuery(PageQuery):
    """The parameters of a versioned list (the API specification, section 4.1); each list narrows `sort`."""

    sort: str
    order: Order = Field(default="desc", description="Which way the list is sorted.")


class BoardsQuery(ListQuery):
    """Boards, by when they were made or changed."""

    sort: Literal["createdAt", "updatedAt"] = "updatedAt"


class MembersQuery(ListQuery):
    """Members, by when they joined."""

    sort: Literal["createdAt"] = "createdAt"


@dataclass(frozen=True)
class Page(Generic[R_co]):
    """A page of resources, and where the next one begins; None on the last."""

    data: Sequence[R_co]
    next_position: str | None = None


@dataclass(frozen=True)
class JsonArrayStream:
    """A bare array that may be too long for one answer: positions and JSON texts, read as they are asked for.

    It ends after `limit` entries, or where an answer is full.
    """

    entries: Iterator[tuple[str, str]]
    limit: int | None = None
