"""The events of members, and of people without an account.

What is recorded of people holds no names and no addresses (ADR people).
"""

from collections.abc import Sequence

from governance.domain.events.invites import Invited
from governance.domain.events.kind import (
    ADMINS,
    MANAGERS,
    Audience,
    Detail,
    Effect,
    EventKind,
    Leftovers,
    Notification,
    Payload,
    Ref,
    Subject,
    notifies,
)
from governance.domain.events.meetings import RSVP_CHANGED, RsvpChanged
from governance.ids import PersonId, UserId
from governance.models.base import Resource
from governance.models.history.event import Event
from governance.texts import Language, listed, text


def _first(language: Language, names: Sequence[str], number: int) -> str:
    """Returns the first names of this number of things as a list in words, which says how many more there are."""
    shown = [text(language, "list.quoted", text=name) for name in names]
    more = [text(language, "told.left.more", number=number - len(names))] if number > len(names) else []
    return listed(language, [*shown, *more])


class Left(Resource):
    """What a member left behind, with the names of the first tokens."""

    names: list[str]
    tokens: int
    webhooks: int
    invites: int

    def in_words(self, language: Language) -> str:
        """Returns what was left as a part of a sentence."""
        parts = [
            text(language, "told.left.tokens", number=self.tokens, names=_first(language, self.names, self.tokens))
            if self.tokens
            else "",
            text(language, "told.left.webhooks", number=self.webhooks) if self.webhooks else "",
            text(language, "told.left.invites", number=self.invites) if self.invites else "",
        ]
        return "; ".join(part for part in parts if part)


class LosesRights(Payload):
    """A member lost rights. `invites_left` of their invites stay pending, because others made them too.

    `left` is set in the consequence that notifies the owner and admins of what the member left behind.
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

    `bounced_email` is set in the consequence that notifies the owner and admins of mails to the member that come back.
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
    """A membership ended; `board_name` is the board's name at that time.

    `number` and `meetings` are set in the consequence that notifies the managers of the number of guest links that
    ended with it, and of their first meetings.
    """

    member_email: str | None = None
    board_name: str | None = None
    join_id: str | None = None
    number: int = 0
    meetings: tuple[str, ...] = ()

    @property
    def variant(self) -> str | None:
        """`links` for the guest links that ended, `left` for what the member left behind."""
        return "links" if self.number else super().variant

    def words(self, language: Language) -> dict[str, object]:
        """Returns the values of the texts; the title is that of the meetings whose guest links ended."""
        values = super().words(language)
        return {**values, "title": _first(language, self.meetings, self.number)} if self.number else values


class OwnershipTransferred(Subject):
    """A member became the owner."""

    user_id: Ref[UserId]


class OfPerson(Payload):
    """A person without an account was added, archived, or made active again."""

    unregistered_user_id: Ref[PersonId]
    id: Detail[str] = ""


class PersonChanged(OfPerson):
    """A person changed; `fields` are what changed.

    The names are set in the consequence that recommends to merge the person into a member, who is `member_user_id`.
    """

    fields: Detail[list[str]]
    member_user_id: UserId | None = None
    person: str = ""
    member: str = ""

    @property
    def variant(self) -> str | None:
        """`merge` for a recommended merge."""
        return "merge" if self.member_user_id else None


class Merged(PersonChanged):
    """A person was merged into the member who is this user."""

    user_id: Ref[UserId]


class PersonAnswered(RsvpChanged):
    """A person answered the invitation to a meeting."""

    unregistered_user_id: Ref[PersonId]


def bounced_address(payload: Payload) -> str | None:
    """Returns the address of the mail that came back, for the consequences about one."""
    match payload:
        case Invited(bounced=True):
            return payload.invitee_email
        case MemberChanged():
            return payload.bounced_email
    return None


_LEFT: Notification[LosesRights] = Notification("board_update", ADMINS, "told.left_behind")
_LINKS: Notification[MemberEnded] = Notification("board_update", MANAGERS, "told.links_ended")

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
        "links": _LINKS,
    },
    leaves=Leftovers.MEMBER,
)
MEMBER_LEFT = EventKind(
    Event.MEMBER_LEFT,
    MemberEnded,
    audit="memberLeft",
    is_protecting=True,
    notifications={None: Notification("member_left", ADMINS, "told.member_left"), "left": _LEFT, "links": _LINKS},
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
UNREGISTERED_USER_CREATED = EventKind(
    Event.UNREGISTERED_USER_CREATED, OfPerson, audit="boardUserUnregisteredCreate", effects=(Effect.RECOMMENDS_MERGES,)
)
UNREGISTERED_USER_UPDATED = EventKind(
    Event.UNREGISTERED_USER_UPDATED,
    PersonChanged,
    audit="boardUserUnregisteredUpdate",
    is_protecting=True,
    notifications={"merge": Notification("merge_recommendation", ADMINS, "told.merge_recommended", is_sentence=True)},
    effects=(Effect.RECOMMENDS_MERGES,),
)
UNREGISTERED_USER_ARCHIVED = EventKind(
    Event.UNREGISTERED_USER_ARCHIVED, OfPerson, audit="boardUserUnregisteredArchive", is_protecting=True
)
UNREGISTERED_USER_UNARCHIVED = EventKind(
    Event.UNREGISTERED_USER_UNARCHIVED,
    OfPerson,
    audit="boardUserUnregisteredUnarchive",
    effects=(Effect.RECOMMENDS_MERGES,),
)
UNREGISTERED_USER_SCRUBBED = EventKind(
    Event.UNREGISTERED_USER_SCRUBBED,
    OfPerson,
    audit="boardUserUnregisteredScrubPii",
    is_protecting=True,
    leaves=Leftovers.SCRUBBED,
)
UNREGISTERED_USER_MERGED = EventKind(Event.UNREGISTERED_USER_MERGED, Merged, audit="boardUserUnregisteredUpdate")
UNREGISTERED_USER_FLAGGED = EventKind(
    Event.UNREGISTERED_USER_FLAGGED, PersonChanged, audit="boardUserUnregisteredUpdate", is_protecting=True
)
UNREGISTERED_USER_FLAG_DISMISSED = EventKind(
    Event.UNREGISTERED_USER_FLAG_DISMISSED, OfPerson, audit="boardUserUnregisteredDismissBounceFlag"
)
UNREGISTERED_RSVP_CHANGED = EventKind(
    Event.UNREGISTERED_RSVP_CHANGED, PersonAnswered, notifications=RSVP_CHANGED.notifications
)
