"""Access tokens: what is stored, what is shown, how one is asked for (the API specification, section 5)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, WithJsonSchema

from governance.limits import TOKEN_EXPIRY_DAYS, TOKEN_NAME
from governance.models.base import Body, Resource
from governance.models.text import NotBlank, text
from governance.scopes import Scope


class StoredToken(Resource):
    """A token as the store keeps it: by its digest, never its text."""

    id: str
    kind: Literal["personal", "board"]
    board_id: str | None
    name: str
    preset: str
    scopes: tuple[Scope, ...]
    digest: str
    created_by_user_id: str
    created_at: str
    expires_at: str | None
    revoked_at: str | None = None


class AccessToken(Resource):
    """A token as its owner sees it; `secret` is there once, in the answer that mints it."""

    object: Literal["access_token"] = "access_token"
    id: str
    kind: Literal["personal", "board"]
    board_id: str | None
    name: str
    preset: str
    scopes: tuple[Scope, ...]
    created_by_user_id: str
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    status: Literal["active", "expired", "revoked"]


class MintedToken(AccessToken):
    """A token just made; a repeat under the same idempotency key shows no secret."""

    secret: str | None


TokenName = Annotated[str, text(1, TOKEN_NAME), NotBlank]


def expiry_days(days: int) -> int:
    """One of the choices; a literal type would take 30.0 for 30."""
    if days not in TOKEN_EXPIRY_DAYS:
        raise ValueError(f"must be one of {', '.join(map(str, TOKEN_EXPIRY_DAYS))}, or null for never")
    return days


Days = Annotated[int, AfterValidator(expiry_days), WithJsonSchema({"type": "integer", "enum": [*TOKEN_EXPIRY_DAYS]})]
Expiry = Days | None


class PersonalTokenCreate(Body):
    """What a new personal token is made of."""

    name: TokenName
    preset: Literal["read_only", "full_access"]
    expires_in_days: Expiry = None


class BoardTokenCreate(Body):
    """What a new board token is made of."""

    name: TokenName
    preset: Literal["read_only", "read_write"] | None = None
    expires_in_days: Expiry = None


class JwtWhoami(Resource):
    """A user by session."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["jwt"] = "jwt"
    user_id: str
    email: str


class ApiTokenWhoami(Resource):
    """A user by personal token."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["api_token"] = "api_token"
    user_id: str
    email: str
    scopes: tuple[Scope, ...]
    token_name: str
    expires_at: str | None


class BoardTokenWhoami(Resource):
    """A board by its own token."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["board_token"] = "board_token"
    board_id: str
    board_name: str
    scopes: tuple[Scope, ...]
    token_name: str
    expires_at: str | None


Whoami = JwtWhoami | ApiTokenWhoami | BoardTokenWhoami
"""Who the credential speaks for (the API specification, section 2.12): one of three shapes."""
