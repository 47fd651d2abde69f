"""Decides who may call a route: the account, the kind of credential and its scopes, then the board (ADR requests)."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain.access.access import (
    Principal,
    check_account,
    check_billing,
    check_scope,
    check_tier,
    has_full_access,
)
from governance.errors import ApiError, Code, forbidden, not_found
from governance.http.route import Access, Admission, Audience, Route
from governance.ids import BoardId
from governance.scopes import Scope
from governance.usecases.context import Context


def check_surface(admission: Admission, principal: Principal) -> None:
    """Raises 401 for an access token where the unversioned surface takes sessions only."""
    if admission.audience is Audience.SESSION and principal.token and not admission.versioned:
        raise ApiError(Code.UNAUTHENTICATED, "API tokens are not accepted here; use a session.")


def check_caller(admission: Admission, params: Mapping[str, str], principal: Principal) -> None:
    """Raises the error of an account, a kind of credential or a scope that the route does not admit."""
    if principal.user is not None:
        check_account(principal.user)
    if principal.token is not None and principal.token.kind == "board":
        _check_board_token(admission, params, principal.token.board_id)
    else:
        _check_audience(admission, principal)
    if isinstance(admission.scope, Scope):
        check_scope(principal, admission.scope)


def _check_board_token(admission: Admission, params: Mapping[str, str], board_id: BoardId | None) -> None:
    """Raises 404 for any board but the token's own, 403 for a route that does not admit board tokens."""
    if admission.board_scoped and params["boardId"] != board_id:
        raise not_found()
    reachable = admission.board_scoped or admission.scope is Access.AUTHENTICATED
    if not reachable or admission.audience is not Audience.ANYONE:
        raise forbidden("Board tokens are not accepted here; use a session or a personal token.")


def _check_audience(admission: Admission, principal: Principal) -> None:
    if admission.audience is Audience.SESSION and principal.token is not None:
        raise forbidden("API tokens are not accepted here; use a session.")
    if admission.audience is Audience.FULL_USER and not has_full_access(principal):
        raise forbidden("Use a session or a full-access token.")


def check_board(route: Route, context: Context) -> None:
    """Raises 404 for a board that is absent or hidden, then 403 for the tier, then 403 for the billing state."""
    if "boardId" not in context.params:
        return
    declared, admission = route.declared, route.admission
    if context.known_board is None:
        raise ApiError(declared.not_found_code)
    if declared.find_with_board is not None:
        context.find(declared.find_with_board)
    if admission.tier is not None:
        scope = admission.scope if isinstance(admission.scope, Scope) else None
        check_tier(context.tier, admission.tier, context.principal, scope)
    if declared.authorize is not None:
        declared.authorize(context)
    if admission.billing:
        check_billing(context.board)
