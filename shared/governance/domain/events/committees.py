"""The events of committees."""

from governance.domain.events.kind import Audience, Changed, EventKind, Notification, Ref, Subject, notifies
from governance.ids import UserId
from governance.models.history.event import Event


class CommitteeNamed(Subject):
    """A committee was created or deleted."""

    committee_id: Ref[str | None] = None


class CommitteeUpdated(Changed):
    """A committee changed; `seated_user_ids` are those who were or are in it, where its seats changed."""

    committee_id: Ref[str | None] = None
    title: str | None = None
    seated_user_ids: tuple[UserId, ...] = ()


COMMITTEE_CREATED = EventKind(Event.COMMITTEE_CREATED, CommitteeNamed)
COMMITTEE_UPDATED = EventKind(
    Event.COMMITTEE_UPDATED,
    CommitteeUpdated,
    is_protecting=True,
    notifications=notifies(
        Notification("board_update", Audience(named=lambda update: update.seated_user_ids), "told.committee_updated")
    ),
)
COMMITTEE_DELETED = EventKind(Event.COMMITTEE_DELETED, CommitteeNamed, is_protecting=True)
