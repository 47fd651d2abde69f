"""Who an item in camera is for (an extension of the API, ADR in-camera)."""

from typing import Annotated

from pydantic import AfterValidator, Field

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


class StoredAudience(Stored):
    """An audience as it is stored: the `join_id` of each member's membership, which is another after they left."""

    join_ids: dict[UserId, str]
