"""The events of people without an account; their audit entries hold no names and no addresses (ADR people)."""

from governance.domain.events.kind import ADMINS, Detail, Effect, EventKind, Leftovers, Notification, Payload, Ref
from governance.domain.events.meetings import RSVP_CHANGED, RsvpChanged
from governance.ids import PersonId, UserId
from governance.models.history.event import Event


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


UNREGISTERED_USER_CREATED = EventKind(
    Event.UNREGISTERED_USER_CREATED,
    OfPerson,
    audit="boardUserUnregisteredCreate",
    effects=(Effect.RECOMMENDS_MERGES,),
)
UNREGISTERED_USER_UPDATED = EventKind(
    Event.UNREGISTERED_USER_UPDATED,
    PersonChanged,
    audit="boardUserUnregisteredUpdate",
    is_protecting=True,
    notifications={
        "merge": Notification("merge_recommendation", ADMINS, "told.merge_recommended", is_sentence=True),
    },
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
