"""What a use case receives, and what it returns.

A use case declares the items and lists that it needs (`@loads`, `@prefetch`); the http layer reads them together with
the caller. The use case decides on them and returns a response, or an `Outcome`: a response and the writes that make it
true. The http layer commits those writes in one transaction, with the idempotency record if there is one.

Some modules commit their writes themselves, for a reason; `tests/contract/test_commits.py` allows no others:

- `http/authentication.py`: a new user is stored before the request is judged, whatever becomes of the request.
- `usecases/invite_emails.py`: a quota is claimed before the e-mail is sent, and released if it was refused.
- `usecases/notifications.py`: marking one as read runs in parallel with a read that does not depend on it.
- `usecases/calendar_content.py`: a feed notes its boards in parallel with a read that does not depend on it.
- `usecases/operator.py`, `usecases/calendar_mail.py`, `usecases/purge.py`, `usecases/cleanup.py`,
  `usecases/board_order.py`, `events/planning.py`, `events/delivery.py`, `events/invitations.py`,
  `events/notification_emails.py`, `events/webhook_planning.py`, `events/webhook_attempts.py`,
  `events/webhook_waiting.py` and `usecases/webhook_operation.py` serve no request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from governance.domain.access import Principal
from governance.errors import ApiError, Code, not_found
from governance.ids import BoardId, UserId, is_id
from governance.instants import Instant
from governance.models.base import Query
from governance.models.board import Membership, StoredBoard
from governance.models.page import ListQuery, PageQuery
from governance.scopes import Tier
from governance.settings import Secret
from governance.store.paging import Window
from governance.store.schema import Entity, Item, Key, seats_key
from governance.store.seats import seats_in
from governance.store.writes import Write

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
Q = TypeVar("Q", bound=Query)
First = TypeVar("First")
Second = TypeVar("Second")
Third = TypeVar("Third")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class RequestInfo:
    """What is known of a request before the store is read: enough to build keys and ranges.

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
        if self.user_id is None:
            raise TypeError("the route admits callers that are no users")
        return self.user_id

    def query_as(self, model: type[Q]) -> Q:
        """Returns the query parameters, of the model that the route declares; a prefetch never runs without them."""
        if not isinstance(self.query, model):
            raise TypeError(f"the route does not declare {model.__name__}")
        return self.query

    def window(self, query: PageQuery) -> Window:
        """Returns the part of a list that the query and its cursor ask for."""
        return _window(query, self.after)


Loader = Entity | Callable[[RequestInfo], Iterable[Key | None]]
PrefetchRead = Callable[[RequestInfo], Any]


def loads(*loaders: Loader) -> Callable[[F], F]:
    """Declares items that are read in the same batch as the caller; `Context.item` returns them."""

    def declare(usecase: F) -> F:
        usecase.loads = loaders  # type: ignore[attr-defined]
        return usecase

    return declare


def own_seats(info: RequestInfo) -> list[Key]:
    """Loads the row of the calling user's committees; for `@loads`, where `Context.committee_ids` is read."""
    if info.user_id is None or not is_id(info.board_id):
        return []
    return [seats_key(info.board_id, info.user_id)]


def uses_secret(secret: Secret) -> Callable[[F], F]:
    """Declares a secret that the use case reads itself, so that its function is given it."""

    def declare(usecase: F) -> F:
        usecase.secrets = (secret,)  # type: ignore[attr-defined]
        return usecase

    return declare


def authorized_by(authorize: Callable[[Context], None]) -> Callable[[F], F]:
    """Declares the function that raises 403 where a rule other than the route's tier decides who is admitted.

    It is called right after the tier has been checked, before the body is parsed.
    """

    def declare(usecase: F) -> F:
        usecase.authorize = authorize  # type: ignore[attr-defined]
        return usecase

    return declare


def judged_by(*judges: Callable[[Context], object]) -> Callable[[F], F]:
    """Declares the functions with which a use case judges the item that the path names, in this order.

    Each raises 404 for an item that is absent or hidden from the caller, or 403 for one that the caller may not use.
    The use case calls them itself; the evaluation of access calls them in its place (ADR 0104).
    """

    def declare(usecase: F) -> F:
        usecase.judges = judges  # type: ignore[attr-defined]
        return usecase

    return declare


@overload
def prefetch(
    first: Callable[[RequestInfo], First], /
) -> Callable[[Callable[Concatenate[Context, First, P], R]], Callable[Concatenate[Context, First, P], R]]: ...


@overload
def prefetch(
    first: Callable[[RequestInfo], First], second: Callable[[RequestInfo], Second], /
) -> Callable[
    [Callable[Concatenate[Context, First, Second, P], R]], Callable[Concatenate[Context, First, Second, P], R]
]: ...


@overload
def prefetch(
    first: Callable[[RequestInfo], First],
    second: Callable[[RequestInfo], Second],
    third: Callable[[RequestInfo], Third],
    /,
) -> Callable[
    [Callable[Concatenate[Context, First, Second, Third, P], R]],
    Callable[Concatenate[Context, First, Second, Third, P], R],
]: ...


def prefetch(*reads: PrefetchRead) -> Callable[[F], F]:
    """Declares one to three reads that need only the request; they run in parallel with the batch and each other.

    The use case receives their results as arguments, in this order, after the context. A read runs before the caller is
    judged, so it must read nothing but items of the board or the user that the request names. It runs only if
    the path's ids are well-formed, the query is valid, and a user calls where the route admits users only.
    """

    def declare(usecase: F) -> F:
        usecase.prefetch = reads  # type: ignore[attr-defined]
        return usecase

    return declare


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
    after: str | None = None

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
    def own_membership(self) -> Membership:
        """The calling user's membership of the board; raises 404 if there is none."""
        if self.membership is None:
            raise not_found()
        return self.membership

    @property
    def committee_ids(self) -> tuple[str, ...]:
        """The committees of the board that the caller is in, where the use case declares `own_seats`."""
        if self.membership is None:
            return ()
        row = self.loaded.get(seats_key(self.membership.board_id, self.membership.user_id))
        return seats_in(row).of(self.membership.user_id)

    def item(self, entity: Entity, **values: str) -> Item | None:
        """Returns a loaded item by the path's parameters and these; None if it does not exist."""
        key = entity.key_or_none(**{**self.params, **values})
        return None if key is None else self.loaded.get(key)

    def window(self, query: PageQuery, above: str | None = None, below: str | None = None) -> Window:
        """Returns the part of a list that the query and its cursor ask for, between two sort keys if they are given."""
        return _window(query, self.after, above, below)


def _window(query: PageQuery, after: str | None, above: str | None = None, below: str | None = None) -> Window:
    """Returns the window; a list without an order is sorted newest first."""
    descending = query.order == "desc" if isinstance(query, ListQuery) else True
    return Window(query.limit, descending, after, above, below)


@dataclass(frozen=True)
class Outcome(Generic[R_co]):
    """A response, and the writes that make it true.

    `replay` is what a repeat with the same idempotency key gets instead, where the response contains a secret.
    """

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
    """Declares how a route that names an item without its board finds the board.

    `find` takes the path's parameters and returns more of them (at least `boardId`), or None if there is no such item.
    `is_hidden` tells whether the caller may not know of the item. Both lead to a 404 with the code `not_found_code`,
    before any 403. `authorize` raises the 403 where a rule other than the tier decides.
    """

    def declare(usecase: F) -> F:
        usecase.resolve_board = find  # type: ignore[attr-defined]
        usecase.is_hidden = is_hidden  # type: ignore[attr-defined]
        usecase.authorize = authorize  # type: ignore[attr-defined]
        usecase.not_found_code = not_found_code  # type: ignore[attr-defined]
        return usecase

    return declare
