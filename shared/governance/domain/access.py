"""Who is asking, and what he may do on a board (the API specification, sections 2.3 and 5; ADR 0005)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from governance.domain.billing import is_restricted
from governance.errors import ApiError, Code, forbidden
from governance.models.board import Membership, StoredBoard
from governance.models.token import StoredToken
from governance.models.user import StoredUser
from governance.scopes import ACCESS_TIERS, ALL_SCOPES, ROLE_TIERS, Scope, Tier


@dataclass(frozen=True)
class Principal:
    """The party behind a credential that holds: a user (by session or token), or a board's own token."""

    user: StoredUser | None
    token: StoredToken | None

    @property
    def kind(self) -> Literal["jwt", "api_token", "board_token"]:
        """What whoami calls it."""
        if self.token is None:
            return "jwt"
        return "board_token" if self.token.kind == "board" else "api_token"

    @property
    def id(self) -> str:
        """Whose budget, cursors and idempotency keys these are: the user's, or the board token's own."""
        return self.user.id if self.user else self._token.id

    @property
    def user_id(self) -> str | None:
        """The user, None for a board token."""
        return self.user.id if self.user else None

    @property
    def named_user_id(self) -> str:
        """The user whom a write names: a board token names the admin who made it."""
        return self.user.id if self.user else self._token.created_by_user_id

    @property
    def scopes(self) -> Iterable[Scope]:
        """A session has every scope, a token those that it was made with."""
        return self.token.scopes if self.token else ALL_SCOPES

    @property
    def created_via(self) -> Literal["web", "agent"]:
        """`agent` for whatever comes through an API token."""
        return "agent" if self.token else "web"

    @property
    def _token(self) -> StoredToken:
        if self.token is None:
            raise ValueError("a principal is a user or a token")
        return self.token


def check_account(user: StoredUser) -> None:
    """A suspended or an inactive account is refused on every call."""
    if user.status == "suspended":
        raise ApiError(Code.ACCOUNT_SUSPENDED)
    if user.status == "inactive":
        raise ApiError(Code.ACCOUNT_INACTIVE)


def has_full_access(principal: Principal) -> bool:
    """A session, or a personal token that was made with everything."""
    return principal.token is None or principal.token.preset == "full_access"


def check_scope(principal: Principal, scope: Scope) -> None:
    """A credential does what it was made for, and no more."""
    if scope not in principal.scopes:
        raise forbidden("The token lacks the scope that this needs.", requiredScope=scope.value)


def tier(membership: Membership | None, principal: Principal) -> Tier | None:
    """The caller's tier on a board; None for who is no member. A board token contributes, it never administers.

    Its scope of writing documents or reports makes it a manager of those, which `check_tier` grants.
    """
    if principal.kind == "board_token":
        return Tier.COLLABORATOR
    if membership is None:
        return None
    return member_tier(membership)


def member_tier(membership: Membership) -> Tier:
    """What a member may do: owners and admins as such, the others by their access."""
    return ROLE_TIERS.get(membership.admin_role) or ACCESS_TIERS[membership.access_type]


_TOKEN_REACH = {
    Tier.MANAGER: {Scope.DOCUMENTS_WRITE, Scope.REPORTS_WRITE},
    Tier.ADMIN: {Scope.AUDIT_READ},
}


def check_tier(actual: Tier | None, needed: Tier, principal: Principal, scope: Scope | None) -> None:
    """Whoever is not a member, or stands too low, is refused.

    A board token manages what its scope lets it write, and reads the audit trail of its board where its scope says so.
    """
    if actual is None:
        raise forbidden("You are not a member of this board.")
    if principal.kind == "board_token" and scope in _TOKEN_REACH.get(needed, ()):
        return
    if actual < needed:
        raise forbidden(f"This needs at least the role of {needed.name.lower()}.")


def check_billing(board: StoredBoard) -> None:
    """No write on a board whose billing state restricts it."""
    if is_restricted(board.billing_state):
        raise ApiError(Code.BILLING_RESTRICTED)
