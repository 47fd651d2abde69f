"""The caller, and what they may do on a board (the API specification, sections 2.3 and 5; ADR requests)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from governance.errors import ApiError, Code, forbidden
from governance.ids import UserId
from governance.instants import Instant
from governance.models.account.token import StoredToken
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership, StoredBoard
from governance.scopes import ACCESS_TIERS, ALL_SCOPES, ROLE_TIERS, Scope, Tier

ALLOWING_BILLING_STATES = ("TRIAL_ACTIVE", "PAID_ACTIVE", "PAST_DUE_GRACE")
RESTRICTING_BILLING_STATES = ("TRIAL_EXPIRED", "PAST_DUE_RESTRICTED", "CANCELLED")
BILLING_STATES = ALLOWING_BILLING_STATES + RESTRICTING_BILLING_STATES


@dataclass(frozen=True)
class Principal:
    """The party behind a valid credential: a user (by session or token), or a board's own token.

    `session_ends_at` is when the session of a request ends, `authenticated_at` when its user signed in.
    """

    user: StoredUser | None
    token: StoredToken | None
    session_ends_at: Instant | None = None
    authenticated_at: Instant | None = None

    @property
    def kind(self) -> Literal["jwt", "api_token", "board_token"]:
        """The kind of credential, as `whoami` names it."""
        if self.token is None:
            return "jwt"
        return "board_token" if self.token.kind == "board" else "api_token"

    @property
    def id(self) -> str:
        """The owner of the request's rate limit, cursors and idempotency keys: the user, or the board token itself."""
        return self.user.id if self.user else self._token.id

    @property
    def rate_subject(self) -> str:
        """The owner of the request's rate window: the user, or the board, whose tokens share one."""
        return self.user.id if self.user else self._token.board_id or self._token.id

    @property
    def user_id(self) -> UserId | None:
        """The user; None for a board token."""
        return self.user.id if self.user else None

    @property
    def named_user_id(self) -> UserId:
        """The user that a write names as its author: for a board token, the admin who created it."""
        return self.user.id if self.user else self._token.created_by_user_id

    @property
    def scopes(self) -> Iterable[Scope]:
        """The scopes of the credential: all for a session, those of its creation for a token."""
        return self.token.scopes if self.token else ALL_SCOPES

    @property
    def ends_at(self) -> Instant | None:
        """When the credential ends by the clock; None if it does not."""
        return self.token.expires_at if self.token else self.session_ends_at

    @property
    def created_via(self) -> Literal["web", "agent"]:
        """`agent` for a request by an API token, `web` for one by a session."""
        return "agent" if self.token else "web"

    @property
    def _token(self) -> StoredToken:
        if self.token is None:
            raise ValueError("a principal is a user or a token")
        return self.token


def check_account(user: StoredUser) -> None:
    """Raises 403 for an account that is not active; every call is refused."""
    if user.status == "suspended":
        raise ApiError(Code.ACCOUNT_SUSPENDED)
    if user.status != "active":
        raise ApiError(Code.ACCOUNT_INACTIVE)


def has_full_access(principal: Principal) -> bool:
    """Returns whether the credential is a session or a full-access personal token."""
    return principal.token is None or principal.token.preset == "full_access"


def check_scope(principal: Principal, scope: Scope) -> None:
    """Raises 403, with `details.requiredScope`, for a credential without this scope."""
    if scope not in principal.scopes:
        raise forbidden("Use a token with the scope that `details.requiredScope` names.", requiredScope=scope.value)


def tier(membership: Membership | None, principal: Principal) -> Tier | None:
    """Returns the caller's tier on a board; None for a user who is not a member.

    A board token is a collaborator. `check_tier` lets its scopes raise it to a manager of documents and reports.
    """
    if principal.kind == "board_token":
        return Tier.COLLABORATOR
    if membership is None:
        return None
    return member_tier(membership)


def member_tier(membership: Membership) -> Tier:
    """Returns the tier of a member: by role for owners and admins, by access type for all others.

    An access type that this release does not know allows what that of a guest does.
    """
    return ROLE_TIERS.get(membership.admin_role) or ACCESS_TIERS.get(membership.access_type, Tier.GUEST)


_TOKEN_REACH = {
    Tier.MANAGER: {Scope.DOCUMENTS_WRITE, Scope.REPORTS_WRITE},
    Tier.ADMIN: {Scope.AUDIT_READ},
}
"""The scopes with which a board token may do what needs this tier."""


def check_tier(actual: Tier | None, needed: Tier, principal: Principal, scope: Scope | None) -> None:
    """Raises 403 for a caller who is not a member of the board or has a lower tier than needed.

    A board token whose scope allows it may write documents and reports and read the audit log (`_TOKEN_REACH`).
    """
    if actual is None:
        raise not_a_member()
    if principal.kind == "board_token" and scope in _TOKEN_REACH.get(needed, ()):
        return
    if actual < needed:
        raise forbidden(f"This needs the role of {needed.name.lower()} or higher on the board.")


def not_a_member() -> ApiError:
    """Returns the 403 for a user who is not a member of the board."""
    return forbidden("Ask for an invite: you are not a member of this board.")


def check_billing(board: StoredBoard) -> None:
    """Raises 403 for a write on a board whose billing state restricts it."""
    if is_restricted(board):
        raise ApiError(Code.BILLING_RESTRICTED)


def is_restricted(board: StoredBoard) -> bool:
    """Returns whether a board's billing state allows no changes."""
    return board.billing_state not in ALLOWING_BILLING_STATES
