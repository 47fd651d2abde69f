"""Access tokens, and the response of `whoami` (the API specification, sections 2.12 and 5)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, WithJsonSchema

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import TOKEN_EXPIRY_DAYS, TOKEN_NAME
from governance.models.base import Body, Resource, Stored
from governance.models.text import NotBlank, text
from governance.scopes import Scope

TokenKind = Literal["personal", "board"]
TokenStatus = Literal["active", "expired", "revoked"]
PersonalTokenPreset = Literal["read_only", "full_access"]
BoardTokenPreset = Literal["read_only", "read_write"]


class StoredToken(Stored):
    """A token as it is stored, with its digest, never its text."""

    id: str
    kind: TokenKind
    board_id: BoardId | None
    name: str
    preset: str
    scopes: tuple[Scope, ...]
    digest: str
    created_by_user_id: UserId
    created_at: Instant
    expires_at: Instant | None
    revoked_at: Instant | None = None


class AccessToken(Resource):
    """A token as its owner sees it."""

    object: Literal["access_token"] = "access_token"
    id: str
    kind: TokenKind
    board_id: str | None
    name: str
    preset: str
    scopes: tuple[Scope, ...]
    created_by_user_id: str
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    status: TokenStatus


class MintedToken(AccessToken):
    """A new token; `secret` is given once, and is null when the request is repeated with its idempotency key."""

    secret: str | None


TokenName = Annotated[str, text(1, TOKEN_NAME), NotBlank]


def expiry_days(days: int) -> int:
    """Returns the days until expiry. Raises `ValueError` for a number that is not a choice.

    A literal type would accept 30.0 for 30.
    """
    if days not in TOKEN_EXPIRY_DAYS:
        raise ValueError(f"must be one of {', '.join(map(str, TOKEN_EXPIRY_DAYS))}, or null for never")
    return days


TokenLifetime = Annotated[
    int, AfterValidator(expiry_days), WithJsonSchema({"type": "integer", "enum": [*TOKEN_EXPIRY_DAYS]})
]
Expiry = TokenLifetime | None


class PersonalTokenCreate(Body):
    """The body that creates a personal token; `expires_in_days` must be given, and null means never."""

    name: TokenName
    preset: PersonalTokenPreset
    expires_in_days: Expiry


class BoardTokenCreate(Body):
    """The body that creates a board token; `expires_in_days` must be given, and null means never."""

    name: TokenName
    preset: BoardTokenPreset | None = None
    expires_in_days: Expiry


class JwtWhoami(Resource):
    """The response of `whoami` to a session."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["jwt"] = "jwt"
    user_id: str
    email: str


class ApiTokenWhoami(Resource):
    """The response of `whoami` to a personal token."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["api_token"] = "api_token"
    user_id: str
    email: str
    scopes: tuple[Scope, ...]
    token_name: str
    expires_at: str | None


class BoardTokenWhoami(Resource):
    """The response of `whoami` to a board token."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["board_token"] = "board_token"
    board_id: str
    board_name: str
    scopes: tuple[Scope, ...]
    token_name: str
    expires_at: str | None


Whoami = JwtWhoami | ApiTokenWhoami | BoardTokenWhoami
"""The owner of the credential (the API specification, section 2.12)."""
