"""Lists: the parameters that all of them share, and a page of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import Field

from governance.limits import PAGE_DEFAULT
from governance.models.base import Query, Resource
from governance.models.text import Order, PageLimit

R_co = TypeVar("R_co", bound=Resource, covariant=True)


class PageQuery(Query):
    """`limit` and `cursor`: the lists of a fixed order."""

    limit: PageLimit = Field(default=PAGE_DEFAULT, description="The size of a page.")
    cursor: str | None = Field(default=None, description="`meta.nextCursor` of the page before.")


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
