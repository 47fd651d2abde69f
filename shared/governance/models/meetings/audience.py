"""Who an item in camera is for (an extension of the API, ADR in-camera)."""

from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, ModelWrapValidatorHandler, model_validator

from governance.agenda_limits import ITEM_AUDIENCE
from governance.ids import UserId
from governance.models.base import Body, Resource, Stored
from governance.models.text import NamedUserId, once_each


class Audience(Resource):
    """The members of the board that an item in camera is for."""

    user_ids: tuple[UserId, ...]
    """Identifiers of the users. One who leaves the board is no longer among them; after the last, the board's owner is.
    """


class AudienceBody(Body):
    """The members of the board that an item in camera is for."""

    user_ids: Annotated[list[NamedUserId], Field(min_length=1, max_length=ITEM_AUDIENCE), AfterValidator(once_each)]
    """Identifiers of users, yours among them, at most $ITEM_AUDIENCE members of the board."""


class ItemForSomeBody(Body):
    """The body of an item that may be in camera. An audience of null is not the same as none: a writer sends it."""

    audience: AudienceBody | None = None
    """Who the item is for. Managers put an item in camera by it, with its papers; null opens the item. What is left out
    stays, and a new item of minutes about one of the agenda in camera has its audience.
    """
    withheld: bool = False
    """Whether to leave the item as it is. Send a withheld item back as you got it, or leave it out: it stays.
    """

    @model_validator(mode="wrap")
    @classmethod
    def _with_null(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Counts an audience of null as sent."""
        body = handler(value)
        is_sent = isinstance(value, dict) and "audience" in value
        return body.model_copy(update={"audience": body.audience}) if is_sent else body


class StoredAudience(Stored):
    """An audience as it is stored: the `join_id` of each member's membership, which is another after they left."""

    join_ids: dict[UserId, str]
