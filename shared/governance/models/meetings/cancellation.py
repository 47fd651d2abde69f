"""Cancellations of meetings (an extension of the API, ADR meetings)."""

from typing import Annotated, Literal

from governance.ids import UserId
from governance.instants import Instant
from governance.limits import CANCELLATION_REASON
from governance.models.base import Body, Resource, Stored
from governance.models.text import NoControlsButBreaks, text


class StoredCancellation(Stored):
    """The cancellation of a meeting, as it is stored with the meeting."""

    reason: str | None
    cancelled_by_user_id: UserId
    cancelled_at: Instant


class Cancellation(Resource):
    """The cancellation of a meeting, which keeps its votes, answers, agenda and papers."""

    object: Literal["cancellation"] = "cancellation"
    meeting_id: str
    reason: str | None
    """Why the meeting does not take place, or null."""
    cancelled_by_user_id: UserId
    """Identifier of the user who cancelled it. For a board access token, the admin who created the token."""
    cancelled_at: str
    """When the meeting was cancelled."""


class CancellationBody(Body):
    """Why the meeting does not take place."""

    reason: Annotated[str, text(0, CANCELLATION_REASON), NoControlsButBreaks] | None = None
    """The reason that members get, at most $CANCELLATION_REASON characters."""
