"""Who signs the approved minutes of a board (an extension of the API, ADR minutes)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.agenda_limits import MINUTES_SIGNER_ROLE, MINUTES_SIGNERS
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Resource, Stored
from governance.models.text import NamedUserId, NoControls, NotBlank


class MinutesSigner(Resource):
    """A member who signs minutes."""

    user_id: UserId
    role: str
    """In which role they sign."""


class MinutesSigners(ApiObject):
    """Who signs the approved minutes of a board."""

    object: Literal["minutes_signers"] = "minutes_signers"
    board_id: BoardId
    signers: tuple[MinutesSigner, ...]
    """The signers in their order; those who are no longer members of the board are left out."""
    updated_at: str | None
    """When the list was last set. Null if it never was."""


class MinutesSignerBody(Body):
    """A member who signs minutes."""

    user_id: NamedUserId
    """Identifier of a member of the board, once in the list."""
    role: Annotated[str, Field(min_length=1, max_length=MINUTES_SIGNER_ROLE), NoControls, NotBlank]
    """In which role they sign, for instance `Chair`."""


class MinutesSignersBody(Body):
    """Who signs the approved minutes of the board from now on."""

    signers: Annotated[list[MinutesSignerBody], Field(max_length=MINUTES_SIGNERS)]
    """The signers in their order, at most $MINUTES_SIGNERS. An empty list means that nobody signs."""


class StoredMinutesSigner(Stored):
    """A signer as stored."""

    user_id: UserId
    role: str


class StoredMinutesSigners(Stored):
    """The signers of a board's minutes, as they were set last; some may have left the board since."""

    board_id: BoardId
    signers: tuple[StoredMinutesSigner, ...]
    updated_at: Instant
    version: int = 1
