"""Who an item in camera is for (an extension of the API, ADR in-camera)."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

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
    """The body of an item whose `audience` says something by null, too: an item keeps what is left out."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        """Leaves out the optional fields that are null, but the audience."""
        if not isinstance(value, dict):
            return value
        optional = {field.alias for field in cls.model_fields.values() if not field.is_required()} - {"audience"}
        return {name: part for name, part in value.items() if part is not None or name not in optional}


class StoredAudience(Stored):
    """An audience as it is stored: the `join_id` of each member's membership, which is another after they left."""

    join_ids: dict[UserId, str]
