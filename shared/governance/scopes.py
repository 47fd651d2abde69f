"""The scopes of credentials and the tiers of members.

Every board route checks both. The *scope* is what a token was created for (the API specification, section 5). The
*tier* is what its user may do on this board. Neither implies the other.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Scope(StrEnum):
    """What an access token may be used for, as `resource:action`. Read and write scopes are independent."""

    BOARDS_READ = "boards:read"
    BOARDS_WRITE = "boards:write"
    MEETINGS_READ = "meetings:read"
    MEETINGS_WRITE = "meetings:write"
    DOCUMENTS_READ = "documents:read"
    DOCUMENTS_WRITE = "documents:write"
    REPORTS_READ = "reports:read"
    REPORTS_WRITE = "reports:write"
    NOTIFICATIONS_READ = "notifications:read"
    NOTIFICATIONS_WRITE = "notifications:write"
    INVITES_READ = "invites:read"
    INVITES_WRITE = "invites:write"
    AUDIT_READ = "audit:read"
    FUNCTIONS_READ = "functions:read"
    PORTFOLIO_READ = "portfolio:read"


ALL_SCOPES = tuple(Scope)

PERSONAL_PRESETS: dict[str, tuple[Scope, ...]] = {
    "read_only": tuple(scope for scope in Scope if scope.value.endswith(":read")),
    "full_access": ALL_SCOPES,
}

_BOARD_READ = (
    Scope.BOARDS_READ,
    Scope.MEETINGS_READ,
    Scope.DOCUMENTS_READ,
    Scope.REPORTS_READ,
    Scope.NOTIFICATIONS_READ,
    Scope.AUDIT_READ,
    Scope.FUNCTIONS_READ,
)

BOARD_PRESETS: dict[str, tuple[Scope, ...]] = {
    "read_only": _BOARD_READ,
    "read_write": (
        *_BOARD_READ,
        Scope.BOARDS_WRITE,
        Scope.MEETINGS_WRITE,
        Scope.DOCUMENTS_WRITE,
        Scope.REPORTS_WRITE,
    ),
}


class Tier(IntEnum):
    """What a caller may do on a board, in ascending order; a higher tier includes the lower ones.

    The first three are the `accessType` of a membership, the last two its `adminRole`.
    """

    GUEST = 1
    COLLABORATOR = 2
    MANAGER = 3
    ADMIN = 4
    OWNER = 5


ACCESS_TIERS = {"guest": Tier.GUEST, "collaborator": Tier.COLLABORATOR, "manager": Tier.MANAGER}
ROLE_TIERS = {"owner": Tier.OWNER, "admin": Tier.ADMIN}
