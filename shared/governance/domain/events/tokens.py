"""The events of a board's access tokens."""

from governance.domain.events.kind import OWNER, EventKind, Notification, Ref, Subject, notifies
from governance.models.history.event import Event


class TokenNamed(Subject):
    """An access token of the board was created or revoked."""

    token_id: Ref[str]


TOKEN_CREATED = EventKind(
    Event.TOKEN_CREATED, TokenNamed, notifications=notifies(Notification("board_update", OWNER, "told.token_created"))
)
TOKEN_REVOKED = EventKind(Event.TOKEN_REVOKED, TokenNamed, is_protecting=True)
