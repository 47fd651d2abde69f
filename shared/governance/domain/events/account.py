"""The events of accounts and of access tokens."""

from governance.domain.events.kind import OWNER, EventKind, Notification, Ref, Subject, notifies
from governance.ids import UserId
from governance.models.history.event import Event


class TokenNamed(Subject):
    """An access token of the board was created or revoked."""

    token_id: Ref[str]


class UserPurged(Subject):
    """The operator purged a member's account."""

    user_id: Ref[UserId]


TOKEN_CREATED = EventKind(
    Event.TOKEN_CREATED, TokenNamed, notifications=notifies(Notification("board_update", OWNER, "told.token_created"))
)
TOKEN_REVOKED = EventKind(Event.TOKEN_REVOKED, TokenNamed, is_protecting=True)
USER_PURGED = EventKind(Event.USER_PURGED, UserPurged, audit="userHardPurge", is_protecting=True, is_delivered=False)
