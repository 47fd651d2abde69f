"""The live channel: its tickets, connections and rings, as they are stored and as they are sent (ADR live)."""

from typing import Literal

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Resource, Stored
from governance.models.history.event import CreatedVia

LeftReason = Literal["removed", "left_board", "suspended", "token_revoked", "board_deleted"]
"""Why somebody who did not ask for it left a room."""


class LiveTicket(ApiObject):
    """A ticket for one connection to the live channel."""

    object: Literal["live_ticket"] = "live_ticket"
    ticket: str | None
    """The ticket, which is shown only once; null in a replayed response."""
    url: str
    """The address of the live channel."""
    expires_at: str
    """Until when a connection can be opened with the ticket."""


class LiveCredential(Stored):
    """The credential that a connection depends on: an access token, or a session that ends by the clock."""

    user_id: UserId
    token_id: str | None
    created_via: CreatedVia
    ends_at: Instant | None


class StoredTicket(LiveCredential):
    """A ticket as it is stored, under the digest of its text."""

    expires_at: Instant


class StoredConnection(LiveCredential):
    """A connection: `rooms` are the boards whose rooms it is in.

    `recent` has the instants of its last messages, in milliseconds since 1970.
    """

    id: str
    connected_at: Instant
    rooms: tuple[BoardId, ...] = ()
    recent: tuple[int, ...] = ()
    version: int = 1


class RoomEntry(LiveCredential):
    """A connection in a room, or in its user's own."""

    connection_id: str


class Ring(Resource):
    """What the channel sends when a GET could now show something else: ids, and nothing of it."""

    type: Literal["ring"] = "ring"
    room: str
    """The room: `boards/` and the id of a board, or `me` for your notifications."""
    event: str
    """The type of an event of the feed, one that the channel alone has (such as `vote.cast`), or `changed`: read all
    again.
    """
    ids: dict[str, str]
    """Identifiers of what changed, by name, as in webhooks."""
    at: str
    """When it changed."""


class View(Stored):
    """Who hears of a change: who may read its subject, described by what decides that.

    Members from `tier` up hear of it (None: nobody by their tier); with a `committee_id`, the committee's members only.
    Its creator hears of a draft, and members from `draft_tier` up if that is given. `user_ids` are members who hear of
    it whatever their tier. `meeting_id` or `document_id` is the subject that has to be read for it.
    """

    tier: int | None = None
    draft_tier: int | None = None
    draft_of: UserId | None = None
    committee_id: str | None = None
    user_ids: tuple[UserId, ...] = ()
    meeting_id: str | None = None
    document_id: str | None = None


class Change(Stored):
    """Something that changed, and who may hear of it: those with one of the `views`.

    Without a board it concerns `user_id` alone, in their own room. `ends_for` is the member who lost the board by it.
    `after` and `below` bound the part of the room that a message is for. One that stands for others is `folded_in` the
    second of them (`YYYY-MM-DDTHH:MM:SS`): those who may hear any of these hear it. One of every board of a user is
    `on_boards_of` them, until it is split by board.
    """

    event: str
    ids: dict[str, str]
    at: Instant
    board_id: BoardId | None = None
    user_id: UserId | None = None
    views: tuple[View, ...] = ()
    ends_for: UserId | None = None
    after: str | None = None
    below: str | None = None
    folded_in: str | None = None
    on_boards_of: UserId | None = None
