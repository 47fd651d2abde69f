"""The events of invites."""

from governance.domain.events.kind import (
    Audience,
    Detail,
    Effect,
    EventKind,
    Lookup,
    Notification,
    Payload,
    Ref,
    notifies,
)
from governance.ids import UserId
from governance.models.history.event import Event


class Invited(Payload):
    """A user invited the holder of an e-mail address.

    It has `bounced` in the consequence that notifies the inviter that the invitation came back.
    """

    invite_id: Ref[str]
    inviter_id: Ref[UserId | None] = None
    invitee_email: str
    bounced: bool = False

    @property
    def variant(self) -> str | None:
        """`bounced` for a mail that came back."""
        return "bounced" if self.bounced else None


class Joined(Payload):
    """The holder of an e-mail address accepted an invite."""

    invite_id: Ref[str]
    accepting_user_id: Ref[UserId | None] = None
    member_email: Detail[str | None] = None
    positions: Detail[tuple[str, ...]] = ()
    inviter_ids: list[UserId]


INVITE_CREATED = EventKind(
    Event.INVITE_CREATED,
    Invited,
    notifications={
        None: Notification("board_invite", Audience(lookup=Lookup.INVITEES, has_outsiders=True), "told.invite_created"),
        "bounced": Notification("board_update", Audience(), "told.invitation_bounced", is_sentence=True),
    },
)
INVITE_ACCEPTED = EventKind(
    Event.INVITE_ACCEPTED,
    Joined,
    audit="memberChange",
    notifications=notifies(
        Notification("membership_accepted", Audience(named=lambda joined: joined.inviter_ids), "told.invite_accepted")
    ),
    effects=(Effect.RECOMMENDS_MERGES,),
)
