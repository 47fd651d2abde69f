"""The events of members, their invites and committees."""

from governance.domain.events.kind import (
    ADMINS,
    Audience,
    Changed,
    Detail,
    Effect,
    EventKind,
    Leftovers,
    Lookup,
    Notification,
    Payload,
    Ref,
    Subject,
    notifies,
)
from governance.ids import UserId
from governance.models.base import Resource
from governance.models.history.event import Event
from governance.texts import Language, listed, text


class Invited(Payload):
    """A user invited the holder of an e-mail address.

    It has `bounced` in the consequence that tells the inviter that the invitation came back.
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


class Left(Resource):
    """What a member left behind, with the names of the first tokens."""

    names: list[str]
    tokens: int
    webhooks: int
    invites: int

    def in_words(self, language: Language) -> str:
        """Returns what was left as a part of a sentence."""
        shown = [text(language, "list.quoted", text=name) for name in self.names]
        if self.tokens > len(self.names):
            shown.append(text(language, "told.left.more", number=self.tokens - len(self.names)))
        parts = [
            text(language, "told.left.tokens", number=self.tokens, names=listed(language, shown))
            if self.tokens
            else "",
            text(language, "told.left.webhooks", number=self.webhooks) if self.webhooks else "",
            text(language, "told.left.invites", number=self.invites) if self.invites else "",
        ]
        return "; ".join(part for part in parts if part)


class LosesRights(Payload):
    """A member lost rights. `invites_left` of their invites stay pending, because others made them too.

    `left` is set in the consequence that tells the owner and admins what the member left behind.
    """

    user_id: Ref[UserId | None] = None
    invites_left: int = 0
    left: Left | None = None

    @property
    def ends_administration(self) -> bool:
        """Whether the member loses the right to manage the board tokens that they created."""
        return True

    @property
    def variant(self) -> str | None:
        """`left` for what the member left behind."""
        return "left" if self.left else None

    def words(self, language: Language) -> dict[str, object]:
        """Returns the values of the texts; the title is what was left behind."""
        return {**super().words(language), **({"title": self.left.in_words(language)} if self.left else {})}


class MemberChanged(LosesRights):
    """A membership changed; one of several at once has an audit entry only, and names no user.

    `bounced_email` is set in the consequence that tells the owner and admins that mails to the member come back.
    """

    member_email: Detail[str | None] = None
    positions: Detail[tuple[str, ...]] = ()
    fields: Detail[tuple[str, ...]] = ()
    demoted: bool = False
    bounced_email: str | None = None

    @property
    def variant(self) -> str | None:
        """`bounced` for mails that come back, `left` for what the member left behind."""
        return "bounced" if self.bounced_email else super().variant

    @property
    def ends_administration(self) -> bool:
        """Whether an admin became a member."""
        return self.demoted


class MemberEnded(LosesRights, Subject):
    """A membership ended; `board_name` is the board's name at that time."""

    member_email: str | None = None
    board_name: str | None = None


class OwnershipTransferred(Subject):
    """A member became the owner."""

    user_id: Ref[UserId]


class CommitteeNamed(Subject):
    """A committee was created or deleted."""

    committee_id: Ref[str | None] = None


class CommitteeUpdated(Changed):
    """A committee changed; `seated_user_ids` are those who were or are in it, where its seats changed."""

    committee_id: Ref[str | None] = None
    title: str | None = None
    seated_user_ids: tuple[UserId, ...] = ()


def bounced_address(payload: Payload) -> str | None:
    """Returns the address of the mail that came back, for the consequences that tell of one."""
    match payload:
        case Invited(bounced=True):
            return payload.invitee_email
        case MemberChanged():
            return payload.bounced_email
    return None


_LEFT: Notification[LosesRights] = Notification("board_update", ADMINS, "told.left_behind")

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
MEMBER_CHANGED = EventKind(
    Event.MEMBER_CHANGED,
    MemberChanged,
    audit="memberChange",
    is_protecting=True,
    notifications={
        None: Notification(
            "membership_modified", Audience(named=lambda member: [member.user_id]), "told.member_changed"
        ),
        "left": _LEFT,
        "bounced": Notification("board_update", ADMINS, "told.member_bounced"),
    },
)
MEMBER_REMOVED = EventKind(
    Event.MEMBER_REMOVED,
    MemberEnded,
    audit="memberDelete",
    is_protecting=True,
    notifications={
        None: Notification(
            "membership_removed",
            Audience(named=lambda member: [member.user_id], has_outsiders=True),
            "told.member_removed",
        ),
        "left": _LEFT,
    },
    leaves=Leftovers.MEMBER,
)
MEMBER_LEFT = EventKind(
    Event.MEMBER_LEFT,
    MemberEnded,
    audit="memberLeft",
    is_protecting=True,
    notifications={None: Notification("member_left", ADMINS, "told.member_left"), "left": _LEFT},
    leaves=Leftovers.MEMBER,
)
OWNERSHIP_TRANSFERRED = EventKind(
    Event.OWNERSHIP_TRANSFERRED,
    OwnershipTransferred,
    audit="ownershipTransfer",
    is_protecting=True,
    notifications=notifies(
        Notification("ownership_transfer", Audience(named=lambda owner: [owner.user_id]), "told.ownership_transferred")
    ),
)
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
