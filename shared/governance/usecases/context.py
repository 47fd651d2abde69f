"""What a use case is given, and what it gives back.

A use case declares the items it needs (`loads`, `prefetch`), so that its route reads them together with the caller. It
finds them in the `Context`, decides, and returns a response, or an `Outcome`: a response and the writes that make it
true. The http layer commits those writes in one transaction, together with the idempotency record where one is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from governance.domain.access import Principal
from governance.errors import ApiError, Code, not_found
from governance.models.base import Query
from governance.models.board import Membership, StoredBoard
from governance.models.page import ListQuery, PageQuery
from governance.scopes import Tier
from governance.store.paging import Window
from governance.store.schema import Entity, Item, Key
from governance.store.writes import Write

R_co = TypeVar("R_co", covariant=True)
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class RequestInfo:
    """What is known of a request before anything is read: enough to name keys; `email` is a session's own claim."""

    params: Mapping[str, str]
    user_id: str | None
    query: Query | None = None
    after: str | None = None
    email: str | None = None


Loader = Entity | Callable[[RequestInfo], Iterable[Key | None]]


def loads(*loaders: Loader) -> Callable[[F], F]:
    """Declare items that are read in the same batch as the caller; find them with `Context.item`."""

    def declare(usecase: F) -> F:
        usecase.loads = loaders  # type: ignore[attr-defined]
        return usecase

    return declare


def prefetch(*reads: Callable[[RequestInfo], Any]) -> Callable[[F], F]:
    """Declare reads that need nothing but the request, made beside the batch and one another.

    `Context.prefetched` is the result, of several their tuple. They must read only under the board or the user that the
    request names.
    """

    def declare(usecase: F) -> F:
        usecase.prefetch = reads  # type: ignore[attr-defined]
        return usecase

    return declare


@dataclass(frozen=True)
class Context:
    """One request, judged: the caller may make it, and this is what was read with him."""

    now: str
    params: Mapping[str, str] = field(default_factory=dict)
    known_principal: Principal | None = None
    known_board: StoredBoard | None = None
    membership: Membership | None = None
    tier: Tier | None = None
    loaded: Mapping[Key, Item] = field(default_factory=dict)
    prefetched: Any = None
    after: str | None = None

    @property
    def principal(self) -> Principal:
        """The caller; only public routes have none."""
        if self.known_principal is None:
            raise ApiError(Code.UNAUTHENTICATED)
        return self.known_principal

    @property
    def board(self) -> StoredBoard:
        """The board that the path names."""
        if self.known_board is None:
            raise not_found()
        return self.known_board

    @property
    def user_id(self) -> str | None:
        """The calling user; None for a board token and on public routes."""
        return self.known_principal.user_id if self.known_principal else None

    @property
    def own_membership(self) -> Membership:
        """The calling user's membership of the board."""
        if self.membership is None:
            raise not_found()
        return self.membership

    def item(self, entity: Entity, **values: str) -> Item | None:
        """A loaded item, by the path's parameters and these."""
        key = entity.key(**{**self.params, **values})
        return None if key is None else self.loaded.get(key)

    def window(self, query: PageQuery, above: str | None = None, below: str | None = None) -> Window:
        """The part of a list that the query and its cursor ask for; without an order, newest first."""
        descending = query.order == "desc" if isinstance(query, ListQuery) else True
        return Window(query.limit, descending, self.after, above, below)


@dataclass(frozen=True)
class Outcome(Generic[R_co]):
    """An answer, and the writes that make it true; `repeat` is what a later repeat of the request may see instead."""

    response: R_co
    writes: Sequence[Write]
    replay: R_co | None = None


def resolve_board(
    find: Callable[[Mapping[str, str]], Mapping[str, str] | None],
    is_hidden: Callable[[Context], bool] | None = None,
    *,
    authorize: Callable[[Context], None] | None = None,
    not_found_code: Code = Code.RESOURCE_NOT_FOUND,
) -> Callable[[F], F]:
    """Declare how a route that names an item without its board finds the board.

    `find` reads the path's parameters and returns more of them (at least `boardId`), or None where there is no such
    item. `is_hidden` says whether this caller may not know of the item. Both are a 404 with the code `not_found_code`,
    before any 403. `authorize` raises the 403 where a rule other than the tier decides.
    """

    def declare(usecase: F) -> F:
        usecase.resolve_board = find  # type: ignore[attr-defined]
        usecase.is_hidden = is_hidden  # type: ignore[attr-defined]
        usecase.authorize = authorize  # type: ignore[attr-defined]
        usecase.not_found_code = not_found_code  # type: ignore[attr-defined]
        return usecase

    return declare
