"""Remarks on circulated minutes (an extension of the API, ADR minutes)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from governance.agenda_limits import (
    MINUTES_ITEMS,
    MINUTES_REMARK_QUOTE,
    MINUTES_REMARK_REPLY,
    MINUTES_REMARK_TEXT,
    MINUTES_VERSIONS,
)
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Resource, Stored
from governance.models.meetings.audience import StoredAudience
from governance.models.text import NoControlsButBreaks, NotBlank, text

RemarkDisposition = Literal["accepted", "declined", "noted"]
"""Whether the minutes follow the remark (`accepted`), do not (`declined`), or it changes nothing in them (`noted`)."""


class MinutesRemarkFields(Resource):
    """The fields that a remark has both in the store and in the API."""

    id: str
    meeting_id: str
    item_index: int | None = None
    """Place of the item that the remark is on among those of the version, from 0. Null for the whole minutes."""
    quote: str | None = None
    """Passage of that item that the remark is on. Null without one."""
    text: str
    """Text of the remark."""
    author_user_id: UserId | None = None
    """Identifier of the user who wrote the remark. Null for a board access token and after the user's data was removed.
    """
    disposition: RemarkDisposition | None = None
    """What was decided about the remark. Null until then."""
    reply: str | None = None
    """What the author was told about that. Null without a reply."""
    disposed_by_user_id: UserId | None = None
    """Identifier of the user who decided. Null until then, for a board access token, and after the user's data was
    removed.
    """
    disposed_at: Instant | None = None
    """When that was decided last. Null until then."""
    created_at: Instant
    updated_at: Instant


class MinutesRemark(MinutesRemarkFields, ApiObject):
    """A remark on a version of the minutes of a meeting."""

    object: Literal["minutes_remark"] = "minutes_remark"
    version: int
    """Number of the version of the minutes that the remark is on."""


class StoredMinutesRemark(MinutesRemarkFields, Stored):
    """A remark as it is stored: `number` is that of the version of the minutes, `version` that of this item.

    `audience` is that of the item in camera that the remark is on.
    """

    board_id: BoardId
    number: int
    audience: StoredAudience | None = None
    version: int = 1


class MinutesRemarkCreate(Body):
    """The remark to make."""

    version: Annotated[int, Field(ge=1, le=MINUTES_VERSIONS)]
    """Number of the version that the remark is on. It must be the one that was circulated last."""
    item_index: Annotated[int, Field(ge=0, le=MINUTES_ITEMS)] | None = None
    """Place of the item that the remark is on among those of the version, from 0. Leave it out for the whole minutes.
    """
    quote: Annotated[str, text(1, MINUTES_REMARK_QUOTE), NoControlsButBreaks] | None = None
    """Passage that the remark is on, at most $MINUTES_REMARK_QUOTE characters. It must occur in the text or the
    decision of the item that `itemIndex` names.
    """
    text: Annotated[str, text(1, MINUTES_REMARK_TEXT), NotBlank, NoControlsButBreaks]
    """Text of the remark, at most $MINUTES_REMARK_TEXT characters."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the error of a passage without the item that has it."""
        is_unplaced = value.get("quote") is not None and value.get("itemIndex") is None
        return {"itemIndex": "must be given with a `quote`, which is of that item"} if is_unplaced else {}


class RemarkDispositionBody(Body):
    """The decision about the remark."""

    disposition: RemarkDisposition
    """`accepted` if the minutes follow the remark, `declined` if they do not, `noted` if it changes nothing in them."""
    reply: Annotated[str, text(0, MINUTES_REMARK_REPLY), NoControlsButBreaks] | None = None
    """What to tell the author, at most $MINUTES_REMARK_REPLY characters. Leave it out for none; an earlier reply is
    removed then.
    """
