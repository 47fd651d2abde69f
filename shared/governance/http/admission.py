"""Decides who may call a route: the account, the kind of credential and its scopes, then the board (ADR 0005)."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain.access import (
    Principal,
    check_account,
    check_billing,
    check_scope,
    check_tier,
    has_full_access,
    tier,
)
from governance.errors import ApiError, Code, forbidden, not_found
from governance.http.reading import Reads
from governance.http.route import Access, Audience, Route
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import Query
from governance.scopes import Scope
from governance.usecases.context import Context


def check_surface(route: Route, principal: Principal) -> None:
    """Raises 401 for an access token where the unversioned surface takes sessions only."""
    if route.audience is Audience.SESSION and principal.token and not route.versioned:
        raise ApiError(Code.UNAUTHENTICATED, "API tokens are not accepted here; use a session.")


def check_caller(route: Route, params: Mapping[str, str], principal: Principal) -> None:
    """Raises the error of an account, a kind of credential or a scope that the route does not admit."""
    if principal.user is not None:
        check_account(principal.user)
    if principal.token is not None and principal.token.kind == "board":
        _check_board_token(route, params, principal.token.board_id)
    else:
        _check_audience(route, principal)
    if isinstance(route.scope, Scope):
        check_scope(principal, route.scope)


def _check_board_token(route: Route, params: Mapping[str, str], board_id: BoardId | None) -> None:
    """Raises 404 for any board but the token's own, 403 for a route that does not admit board tokens."""
    if route.board_scoped and params["boardId"] != board_id:
        raise not_found()
    reachable = route.board_scoped or route.scope is Access.AUTHENTICATED
    if not reachable or route.audience is not Audience.ANYONE:
        raise forbidden("Board tokens are not accepted here; use a session or a personal token.")


def _check_audience(route: Route, principal: Principal) -> None:
    if route.audience is Audience.SESSION and principal.token is not None:
        raise forbidden("API tokens are not accepted here; use a session.")
    if route.audience is Audience.FULL_USER and not has_full_access(principal):
        raise forbidden("Use a session or a full-access token.")


def context_of(
    route: Route,
    reads: Reads,
    principal: Principal | None,
    now: Instant,
    query: Query | None = None,
    after: str | None = None,
) -> Context:
    """Returns the context of a use case; raises 404 if the path names an item without its board that does not exist.

    `after` is the position in the request's cursor.
    """
    if reads.params is None:
        raise ApiError(route.declared.not_found_code)
    membership = reads.membership
    return Context(
        now=now,
        params=reads.params,
        known_principal=principal,
        known_board=reads.board,
        membership=membership,
        tier=tier(membership, principal) if principal else None,
        loaded=reads.items,
        query=query,
        after=after,
    )


def check_board(route: Route, context: Context) -> None:
    """Raises 404 for a board that is absent or hidden, then 403 for the tier, then 403 for the billing state."""
    if "boardId" not in context.params:
        return
    declared = route.declared
    if context.known_board is None:
        raise ApiError(declared.not_found_code)
    if declared.find_with_board is not None:
        context.find(declared.find_with_board)
    if route.tier is not None:
        scope = route.scope if isinstance(route.scope, Scope) else None
        check_tier(context.tier, route.tier, context.principal, scope)
    if declared.authorize is not None:
        declared.authorize(context)
    if route.billing:
        check_billing(context.board)
