"""One request's way: who asks, may he, what does he ask, what is answered.

The order of judgement is fixed (ADR 0005): route, address budget, 401, principal budget, account, pinned board, kind
and scope, board, membership and tier, billing, body and query, sub-resource, state. Everything that the judgement needs
is read in one batch; a rate lease and an early read run beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from governance.domain.access import (
    Principal,
    check_account,
    check_billing,
    check_scope,
    check_tier,
    has_full_access,
    tier,
)
from governance.errors import ApiError, Code, forbidden, not_found, unavailable
from governance.http import cursors, idempotency, validation
from governance.http.authentication import authenticate, identity_keys
from governance.http.credentials import Credential, Session, credential, principal_id
from governance.http.envelope import Response
from governance.http.rate_limit import RateLease, block_size, lease_for
from governance.http.request import Request
from governance.http.response import ResponseBuilder
from governance.http.route import Access, Audience, Route
from governance.instants import now
from governance.models.base import LegacyQuery, LenientQuery, Query
from governance.models.board import Membership, StoredBoard
from governance.models.page import CursorQuery
from governance.scopes import Scope
from governance.settings import settings
from governance.store.schema import BOARD, MEMBER, Entity, Item, Key, address_subject
from governance.store.table import read, run_async
from governance.store.writes import StaleRead
from governance.usecases.context import Context, RequestInfo
from governance.usecases.tokens import record_use

_ATTEMPTS = 10


@dataclass
class RequestPipeline:
    """A request on its way through a route; `run` answers it or raises the error that answers it."""

    route: Route
    request: Request
    params: Mapping[str, str]
    charged_lease: RateLease | None = None
    principal_kind: str = "none"
    now: str = field(default="", init=False)
    _paid: bool = field(default=False, init=False)

    def run(self) -> Response:
        """The answer; what was read and then changed by somebody else is read again."""
        for _ in range(_ATTEMPTS):
            self.now = now()
            try:
                return self._public() if self.route.scope is Access.PUBLIC else self._judged()
            except StaleRead:
                continue
        raise unavailable()

    @property
    def rate_lease(self) -> RateLease:
        """The window that this request was counted in."""
        return self.charged_lease or address_lease(self.request)

    # -- public routes

    def _public(self) -> Response:
        self.charged_lease = address_lease(self.request)
        query, fault = self._query()
        params = self._located()
        ask = RequestInfo(params or self.params, None, query)
        lease = run_async(self.charged_lease.refill)
        early = self._early(ask)
        place = _place(params, None)
        loaded = read([*_present(place.board), *self._keys(ask)])
        lease.result()
        self._pay()
        if params is None:
            raise not_found()
        board = _board(place, loaded)
        context = Context(now=self.now, params=params, known_board=board, loaded=loaded, prefetched=_settled(early))
        self._check_board(context)
        return self._answer(context, query, fault, None)

    # -- routes that need a credential

    def _judged(self) -> Response:
        presented = self._credential()
        who = principal_id(presented)
        self.charged_lease = lease_for(who, settings().rate_limit_principal)
        query, fault = self._query()
        after, fault = self._after(query, who, fault)
        record_key = idempotency.record_key(self.request, who) if self.route.idempotent else None
        lease = run_async(self.charged_lease.refill) if self.charged_lease.tokens == 0 else None
        user_id = who if isinstance(presented, Session) or presented.kind == "personal" else None
        email = presented.email if isinstance(presented, Session) else None
        early = self._early(RequestInfo(self.params, user_id, query, after, email)) if fault is None else []
        params = self._located()
        place = _place(params, user_id)
        keys = self._keys(RequestInfo(params or self.params, user_id, query, after, email))
        identity = identity_keys(presented)
        loaded = read([*identity, *_present(place.board, place.member), *keys, *_present(record_key)])
        principal = self._principal(presented, [loaded.get(key) for key in identity])
        if lease is not None:
            lease.result()
        self._pay()
        self._admit(principal)
        context = self._context(principal, params, place, loaded, after)
        self._check_board(context)
        if early:
            context = replace(context, prefetched=_settled(early))
        if record_key is not None:
            idempotency.check_header(self.request)
            first = idempotency.replay(loaded.get(record_key), self.request, context.now)
            if first is not None:
                return first
        return self._answer(context, query, fault, record_key)

    def _context(
        self,
        principal: Principal,
        params: Mapping[str, str] | None,
        place: _Place,
        loaded: Mapping[Key, Item],
        after: str | None,
    ) -> Context:
        """What the use case gets; 404 for an item that is named without its board and lies on none."""
        if params is None:
            raise ApiError(self.route.not_found_code)
        membership = _membership(place, loaded)
        return Context(
            now=self.now,
            params=params,
            known_principal=principal,
            known_board=_board(place, loaded),
            membership=membership,
            tier=tier(membership, principal),
            loaded=loaded,
            after=after,
        )

    def _credential(self) -> Credential:
        try:
            return credential(self.request.headers)
        except ApiError:
            self._pay_by_address()
            raise

    def _principal(self, presented: Credential, identity: Sequence[Item | None]) -> Principal:
        try:
            principal = authenticate(presented, identity, self.now, self._pay)
        except ApiError as error:
            if error.code is Code.INVALID_API_TOKEN:
                self._pay_by_address()
            raise
        self.principal_kind = principal.kind
        if self.route.audience is Audience.SESSION and principal.token and not self.route.versioned:
            raise ApiError(Code.UNAUTHENTICATED)
        record_use(principal.token, self.now)
        return principal

    def _admit(self, principal: Principal) -> None:
        """Whether the account, the kind of credential and its scopes let the caller in."""
        if principal.user is not None:
            check_account(principal.user)
        self._check_kind(principal)
        if isinstance(self.route.scope, Scope):
            check_scope(principal, self.route.scope)

    def _check_kind(self, principal: Principal) -> None:
        if principal.token is not None and principal.token.kind == "board":
            if self.route.board_scoped and self.params["boardId"] != principal.token.board_id:
                raise not_found()
            if (
                not (self.route.board_scoped or self.route.scope is Access.AUTHENTICATED)
                or self.route.audience is not Audience.ANYONE
            ):
                raise forbidden("A board token may not do this.")
        elif self.route.audience is Audience.SESSION and principal.token is not None:
            raise forbidden("This needs a session; an API token may not do it.")
        elif self.route.audience is Audience.FULL_USER and not has_full_access(principal):
            raise forbidden("This needs a session or a full-access token.")

    def _check_board(self, context: Context) -> None:
        if "boardId" not in context.params:
            return
        if context.known_board is None or (self.route.is_hidden and self.route.is_hidden(context)):
            raise ApiError(self.route.not_found_code)
        if self.route.tier is not None:
            scope = self.route.scope if isinstance(self.route.scope, Scope) else None
            check_tier(context.tier, self.route.tier, context.principal, scope)
        if self.route.authorize is not None:
            self.route.authorize(context)
        if self.route.billing:
            check_billing(context.board)

    # -- what is read

    def _located(self) -> Mapping[str, str] | None:
        """The parameters, with the board of an item that is named without one; None where there is no such item."""
        if self.route.resolve_board is None:
            return self.params
        found = self.route.resolve_board(self.params)
        return None if found is None else {**self.params, **found}

    def _keys(self, ask: RequestInfo) -> Iterator[Key]:
        for loader in self.route.loads:
            keys = [loader.key(**ask.params)] if isinstance(loader, Entity) else loader(ask)
            yield from (key for key in keys if key is not None)

    def _early(self, ask: RequestInfo) -> list[Future[Any]]:
        return [run_async(partial(read_early, ask)) for read_early in self.route.prefetch]

    # -- what is asked for, and the answer

    def _query(self) -> tuple[Query | None, ApiError | None]:
        """The query; its fault is kept until its turn comes."""
        try:
            if self.route.query is not None:
                lenient = issubclass(self.route.query, LegacyQuery)
                given = self.request.joined_parameters() if lenient else self.request.parameters()
                return validation.query(given, self.route.query), None
            if self.route.versioned and self.request.method == "GET" and self.route.scope is not Access.PUBLIC:
                validation.no_query(self.request.parameters())
        except ApiError as error:
            if self.route.query is not None and issubclass(self.route.query, LenientQuery):
                return self.route.query(), None
            return None, error
        return None, None

    def _after(self, query: Query | None, who: str, fault: ApiError | None) -> tuple[str | None, ApiError | None]:
        if not isinstance(query, CursorQuery) or query.cursor is None:
            return None, fault
        try:
            return cursors.unseal(query.cursor, cursors.binding(self.request.path, query, who)), fault
        except ApiError as error:
            return None, error

    def _answer(
        self, context: Context, query: Query | None, fault: ApiError | None, record_key: Key | None
    ) -> Response:
        arguments: list[Any] = [context]
        if self.request.method != "GET":
            validation.check_size(self.request)
            if self.route.body is None:
                validation.no_body(self.request)
            else:
                arguments.append(validation.body(self.request, self.route.body, self.now))
        if fault is not None:
            raise fault
        if query is not None:
            arguments.append(query)
        outcome = self.route.usecase(*arguments)
        return ResponseBuilder(self.route, self.request).reply(outcome, context, query, record_key)

    # -- what it costs

    def _pay(self) -> None:
        """A request counts once, however often it is tried."""
        if not self._paid and self.charged_lease is not None:
            self._paid = True
            self.charged_lease.spend()

    def _pay_by_address(self) -> None:
        """A call without a valid credential counts for its address."""
        self.charged_lease = address_lease(self.request)
        self.charged_lease.spend()


def address_lease(request: Request) -> RateLease:
    """The window of calls from the client's address that carry no valid credential."""
    limit = settings().rate_limit_address
    return lease_for(address_subject(request.address), limit, on_credit=block_size(limit))


def _present(*keys: Key | None) -> list[Key]:
    return [key for key in keys if key is not None]


class _Place(NamedTuple):
    """Where the board that a request names lies, and the caller's membership of it."""

    board: Key | None
    member: Key | None


def _place(params: Mapping[str, str] | None, user_id: str | None) -> _Place:
    board_id = (params or {}).get("boardId")
    if board_id is None:
        return _Place(None, None)
    member = MEMBER.key(boardId=board_id, userId=user_id) if user_id else None
    return _Place(BOARD.key(boardId=board_id), member)


def _settled(early: Sequence[Future[Any]]) -> Any:
    """The result of the early read; of several, all of them."""
    results = tuple(future.result() for future in early)
    return results[0] if len(results) == 1 else results


def _board(place: _Place, loaded: Mapping[Key, Item]) -> StoredBoard | None:
    item = loaded.get(place.board) if place.board else None
    return StoredBoard.model_validate(item) if item else None


def _membership(place: _Place, loaded: Mapping[Key, Item]) -> Membership | None:
    item = loaded.get(place.member) if place.member else None
    return Membership.model_validate(item) if item else None
