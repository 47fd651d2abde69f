"""The context that a use case receives, and the outcome that it returns.

A use case declares what it needs (`governance.usecases.declarations`); the http layer reads that together with the
caller. The use case decides on it and returns a response, or an `Outcome`: a response and the writes that make it true.
The http layer commits those writes in one transaction, with the idempotency record if there is one.

Some modules commit their writes themselves, for a reason: the import contract in `pyproject.toml` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from governance.domain.access.access import Principal, tier
from governance.errors import ApiError, Code, not_found
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Query, Stored
from governance.models.boards.board import Membership, StoredBoard
from governance.models.page import OrderedQuery, PageQuery
from governance.scopes import Tier
from governance.store.boards import boards
from governance.store.committees.seats import seats_in
from governance.store.paging import Window
from governance.store.schema.entities import BOARD, MEMBER, seats_key
from governance.store.schema.keys import Entity, Item, Key
from governance.store.writes import Write
from governance.texts import Language, language_of

R_co = TypeVar("R_co", covariant=True)
Q = TypeVar("Q", bound=Query)
Found = TypeVar("Found")
S = TypeVar("S", bound=Stored)


@dataclass(frozen=True)
class RequestInfo:
    """A request before the store is read: it has enough to build keys and ranges.

    `after` is the position in the cursor; `email` is the claim of a session. Neither the caller nor the board has been
    checked.
    """

    params: Mapping[str, str]
    user_id: UserId | None
    query: Query | None = None
    after: str | None = None
    email: str | None = None

    @property
    def board_id(self) -> BoardId:
        """The board that the path names, or that was found for the item that it names."""
        return BoardId(self.params["boardId"])

    @property
    def known_user_id(self) -> UserId:
        """The calling user, on a route that admits users only; a prefetch there never runs for a board token."""
        return _known(self.user_id)

    def query_as(self, model: type[Q]) -> Q:
        """Returns the query parameters, of the model that the route declares; a prefetch never runs without them."""
        return _query_as(self.query, model)

    def window(self, query: PageQuery) -> Window:
        """Returns the part of a list that the query and its cursor ask for."""
        return _window(query, self.after)


@dataclass(frozen=True)
class Context:
    """A request whose caller has been admitted to the board, with the items that were read in the batch."""

    now: Instant
    params: Mapping[str, str] = field(default_factory=dict)
    known_principal: Principal | None = None
    known_board: StoredBoard | None = None
    membership: Membership | None = None
    tier: Tier | None = None
    loaded: Mapping[Key, Item] = field(default_factory=dict)
    query: Query | None = None
    after: str | None = None
    first_attempt_at: Instant | None = None
    _found: dict[Callable[[Context], Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def arrived_at(self) -> Instant:
        """When the request came, whichever attempt to answer it this is; `now` is when this attempt began."""
        return self.first_attempt_at or self.now

    @property
    def principal(self) -> Principal:
        """The caller; raises 401 on public routes, which have none."""
        if self.known_principal is None:
            raise ApiError(Code.UNAUTHENTICATED)
        return self.known_principal

    @property
    def board(self) -> StoredBoard:
        """The board that the path names; raises 404 if it names none."""
        if self.known_board is None:
            raise not_found()
        return self.known_board

    @property
    def user_id(self) -> UserId | None:
        """The calling user; None for a board token and on public routes."""
        return self.known_principal.user_id if self.known_principal else None

    @property
    def known_user_id(self) -> UserId:
        """The calling user, on a route that admits users only."""
        return _known(self.user_id)

    @property
    def language(self) -> Language:
        """The language of what is written for the caller."""
        user = self.principal.user
        return language_of(user.language if user else None)

    @property
    def own_membership(self) -> Membership:
        """The calling user's membership of the board; raises 404 if there is none."""
        if self.membership is None:
            raise not_found()
        return self.membership

    @property
    def committee_ids(self) -> tuple[str, ...]:
        """The committees of the board that the caller is in, if the use case declares `own_committees`."""
        if self.membership is None:
            return ()
        row = self.loaded.get(seats_key(self.membership.board_id, self.membership.user_id))
        return seats_in(row).of(self.membership.user_id)

    def find(self, finder: Callable[[Context], Found]) -> Found:
        """Returns the result of a finder (`@finds`), which runs once per request."""
        if finder not in self._found:
            self._found[finder] = finder(self)
        result: Found = self._found[finder]
        return result

    def query_as(self, model: type[Q]) -> Q:
        """Returns the query parameters, of the model that the route declares."""
        return _query_as(self.query, model)

    def item(self, entity: Entity, **values: str) -> Item | None:
        """Returns a loaded item by the path's parameters and these; None if it does not exist."""
        key = entity.key_or_none(**{**self.params, **values})
        return None if key is None else self.loaded.get(key)

    def stored(self, entity: Entity, model: type[S], **values: str) -> S:
        """Returns a loaded item as its model; raises 404 if it does not exist."""
        decoded = self.stored_or_none(entity, model, **values)
        if decoded is None:
            raise not_found()
        return decoded

    def stored_or_none(self, entity: Entity, model: type[S], **values: str) -> S | None:
        """Returns a loaded item as its model; None if it does not exist."""
        item = self.item(entity, **values)
        return None if item is None else model.model_validate(item)

    def while_board_exists(self, writes: Iterable[Write]) -> list[Write]:
        """Returns the writes with a check that the board, if there is one, was not deleted since it was read (404)."""
        board = self.known_board
        return [*([] if board is None else [boards.check_exists(board.id)]), *writes]

    def window(self, query: PageQuery, above: str | None = None, below: str | None = None) -> Window:
        """Returns the part of a list that the query and its cursor request, between two sort keys if they are given."""
        return _window(query, self.after, above, below)


def board_keys(params: Mapping[str, str], user_id: UserId | None) -> tuple[Key | None, Key | None]:
    """Returns the keys of the board that the path names and of the user's membership; None for a malformed id."""
    board_id = params.get("boardId")
    if board_id is None:
        return None, None
    member_key = MEMBER.key_or_none(boardId=board_id, userId=user_id) if user_id else None
    return BOARD.key_or_none(boardId=board_id), member_key


def membership_in(items: Mapping[Key, Item], params: Mapping[str, str], user_id: UserId | None) -> Membership | None:
    """Returns the user's membership of the board that the path names, if it is among the items."""
    _, key = board_keys(params, user_id)
    item = items.get(key) if key else None
    return Membership.model_validate(item) if item else None


def build_context(
    params: Mapping[str, str],
    items: Mapping[Key, Item],
    principal: Principal | None,
    now: Instant,
    query: Query | None = None,
    after: str | None = None,
) -> Context:
    """Returns the context of a request of this principal (None: on a public route) from the items that were read.

    `after` is the position in the request's cursor.
    """
    user_id = principal.user_id if principal else None
    board_key, _ = board_keys(params, user_id)
    board, membership = items.get(board_key) if board_key else None, membership_in(items, params, user_id)
    return Context(
        now=now,
        params=params,
        known_principal=principal,
        known_board=StoredBoard.model_validate(board) if board else None,
        membership=membership,
        tier=tier(membership, principal) if principal else None,
        loaded=items,
        query=query,
        after=after,
    )


def _known(user_id: UserId | None) -> UserId:
    if user_id is None:
        raise TypeError("the route admits callers that are not users")
    return user_id


def _window(query: PageQuery, after: str | None, above: str | None = None, below: str | None = None) -> Window:
    """Returns the window; a list without an order is sorted ascending."""
    descending = isinstance(query, OrderedQuery) and query.order == "desc"
    return Window(query.limit, descending, after, above, below)


def _query_as(query: Query | None, model: type[Q]) -> Q:
    if not isinstance(query, model):
        raise TypeError(f"the route does not declare {model.__name__}")
    return query


@dataclass(frozen=True)
class Outcome(Generic[R_co]):
    """A response, and the writes that make it true.

    They are committed with a check that the board still exists, unless `deletes_board` says that they delete it.
    `only_records` says that the writes only record a read, which does not fail if there is no room for the record (ADR
    history). `replay` is the response to a repeat with the same idempotency key, if the first response contains a
    secret, or what is too large to be recorded. What `existed` before, though it is created, is answered with 200.
    """

    response: R_co
    writes: Sequence[Write]
    replay: R_co | None = None
    only_records: bool = False
    deletes_board: bool = False
    existed: bool = False
