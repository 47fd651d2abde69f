"""Access tokens, and the response of `whoami` (the API specification, sections 2.12 and 5)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, WithJsonSchema

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import TOKEN_EXPIRY_DAYS, TOKEN_NAME
from governance.models.base import Body, Resource, Stored
from governance.models.text import NoReordering, NotBlank, text
from governance.scopes import Scope

TokenKind = Literal["personal", "board"]
"""Whether a token acts for a user (`personal`) or for a board (`board`)."""
TokenStatus = Literal["active", "expired", "revoked"]
"""Whether a token works. Expired and revoked tokens never work again."""
PersonalTokenPreset = Literal["read_only", "full_access"]
"""Every read scope (`read_only`), or every scope (`full_access`)."""
BoardTokenPreset = Literal["read_only", "read_write"]
"""The read scopes of a board (`read_only`), or its read and write scopes (`read_write`)."""


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
    """An access token without its secret."""

    object: Literal["access_token"] = "access_token"
    id: str
    kind: TokenKind
    """Whether the token acts for a user or for a board."""
    board_id: BoardId | None
    """Identifier of the board of a board access token; null for a personal one."""
    name: str
    """The name that the token was created with."""
    preset: str
    """The preset that the token was created with."""
    scopes: tuple[Scope, ...]
    """The scopes that the preset gave the token."""
    created_by_user_id: UserId
    """Identifier of the user who created the token."""
    created_at: str
    expires_at: str | None
    """When the token stops working, or null if it never expires."""
    last_used_at: str | None
    """When the token was last used, accurate to the minute; null if it never was."""
    status: TokenStatus
    """Whether the token still works."""


class MintedToken(AccessToken):
    """A new access token with its secret."""

    secret: str | None
    """The token itself. It is shown only once; null in a replayed response."""


TokenName = Annotated[str, text(1, TOKEN_NAME), NotBlank, NoReordering]


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
"""Days after which a token expires."""
Expiry = TokenLifetime | None


class PersonalTokenCreate(Body):
    """The personal access token to create."""

    name: TokenName
    """A name that helps you recognize the token."""
    preset: PersonalTokenPreset
    """The scopes that the token gets."""
    expires_in_days: Expiry
    """Days until the token expires. Null means that it never expires; there is no default."""


class BoardTokenCreate(Body):
    """The board access token to create."""

    name: TokenName
    """A name that helps you recognize the token."""
    preset: BoardTokenPreset | None = None
    """The scopes that the token gets. Left out or null means `read_only`."""
    expires_in_days: Expiry
    """Days until the token expires. Null means that it never expires; there is no default."""


class JwtWhoami(Resource):
    """A user, by a browser session."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["jwt"] = "jwt"
    """The kind of credential; always this value."""
    user_id: UserId
    """Identifier of the user that the credential acts for."""
    email: str
    """E-mail address of the user that the credential acts for."""


class ApiTokenWhoami(Resource):
    """A user, by a personal access token."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["api_token"] = "api_token"
    """The kind of credential; always this value."""
    user_id: UserId
    """Identifier of the user that the credential acts for."""
    email: str
    """E-mail address of the user that the credential acts for."""
    scopes: tuple[Scope, ...]
    """The scopes that the token was created with."""
    token_name: str
    """The name that the token was created with."""
    expires_at: str | None
    """When the token stops working, or null if it never expires."""


class BoardTokenWhoami(Resource):
    """A board, by one of its access tokens."""

    object: Literal["whoami"] = "whoami"
    auth_type: Literal["board_token"] = "board_token"
    """The kind of credential; always this value."""
    board_id: BoardId
    """Identifier of the only board that the token can reach."""
    board_name: str
    """Current name of that board."""
    scopes: tuple[Scope, ...]
    """The scopes that the token was created with."""
    token_name: str
    """The name that the token was created with."""
    expires_at: str | None
    """When the token stops working, or null if it never expires."""


Whoami = JwtWhoami | ApiTokenWhoami | BoardTokenWhoami
"""What a credential acts for. `authType` tells the three shapes apart."""
