"""The events of meetings: their times, polls, agendas, drafts of minutes, slots and guests."""

from collections.abc import Mapping
from typing import Annotated, Literal

from governance.domain.events.kind import (
    APP,
    COLLABORATORS,
    MEMBERS,
    Audience,
    Changed,
    Effect,
    EventKind,
    Hearers,
    Leftovers,
    Notification,
    Payload,
    Ref,
    StoredAs,
    Subject,
    Transition,
    notifies,
    readers_from,
)
from governance.ids import PersonId, UserId
from governance.instants import Instant
from governance.models.history.event import Event
from governance.scopes import Tier

MeetingNews = Literal["meeting_scheduled", "meeting_changed", "meeting_cancelled"]
_News = Annotated[MeetingNews | Literal["minutes"] | None, StoredAs("delivery_data", "told")]


class OfMeeting(Payload):
    """An event of a meeting."""

    meeting_id: Ref[str]


class MeetingNamed(OfMeeting, Subject):
    """An event whose details name the meeting."""


class GuestLinkClosed(MeetingNamed):
    """A guest link was closed; `discards` says whether the votes of guests went with it."""

    discards: bool = False


class _WithNews(OfMeeting):
    """An event that members hear of if it is `news` to them (`domain/meetings/meeting.py`)."""

    news: _News = None

    @property
    def variant(self) -> str | None:
        """The news."""
        return self.news


class MeetingCreated(_WithNews, Subject):
    """A meeting was created."""


class MeetingDeleted(_WithNews, Subject):
    """A meeting was deleted; only the event still has its last `SEQUENCE`."""

    sequence: int = 0


class _Moved(Payload):
    """A meeting that may have got another time: `was` is its start before, `start_time` the one that it has now."""

    was: Instant | None = None
    start_time: Instant | None = None
    timezone: str | None = None

    @property
    def is_moved(self) -> bool:
        """Whether the meeting had a time and got another."""
        return self.was is not None and self.start_time is not None

    @property
    def instants(self) -> Mapping[str, tuple[Instant, str | None]]:
        """The times before and after."""
        times = {"was": self.was, "start_time": self.start_time}
        return {name: (instant, self.timezone) for name, instant in times.items() if instant is not None}


class MeetingUpdated(_WithNews, _Moved, Changed):
    """Fields of a meeting changed, by the confirmation of a slot if it names one.

    `invited` are the people without an account who were not invited before.
    """

    slot_id: Ref[str | None] = None
    title: str | None = None
    invited: tuple[PersonId, ...] = ()

    @property
    def variant(self) -> str | None:
        """The news; `moved` for another time."""
        return "moved" if self.news == "meeting_changed" and self.is_moved else self.news


class MeetingCancellation(_WithNews, Changed):
    """A meeting was cancelled, for a reason or without one, or its cancellation was taken back."""

    title: str | None = None
    reason: str | None = None

    @property
    def variant(self) -> str | None:
        """The news; `because` if there is a reason."""
        return "because" if self.news and self.reason else self.news


class MeetingStatusChanged(_WithNews, Transition):
    """The status of a meeting changed."""

    title: str | None = None

    @property
    def opens_draft(self) -> bool:
        """Whether a draft becomes visible to the members of the board."""
        return self.before == "draft"


class ChangedByCalendar(OfMeeting, _Moved, Changed):
    """A calendar's reply changed a meeting."""

    title: str | None = None

    @property
    def variant(self) -> str | None:
        """`moved` for another time."""
        return "moved" if self.is_moved else None


class RsvpChanged(OfMeeting, Transition):
    """A member changed whether they attend; `creator_id` is the meeting's creator."""

    title: str | None = None
    creator_id: UserId | None = None


class SlotNamed(OfMeeting, Subject):
    """A slot was proposed or removed, or a draft with slots was opened; the title is the meeting's.

    Slots created from `since` to before `until` share a notification; the other fields are for one recipient.
    """

    slot_id: Ref[str | None] = None
    since: Instant | None = None
    until: Instant | None = None
    slot_ids: tuple[str, ...] = ()
    number: int = 1
    by_others: bool = False

    @property
    def variant(self) -> str | None:
        """`by_others` if not all slots are the actor's."""
        return "by_others" if self.by_others else None


class SlotRemoved(SlotNamed):
    """A slot was removed, with the members who had voted on it, and the people without an account who had."""

    start_time: Instant | None = None
    timezone: str | None = None
    voter_ids: tuple[UserId, ...] = ()
    person_ids: tuple[PersonId, ...] = ()

    @property
    def instants(self) -> Mapping[str, tuple[Instant, str | None]]:
        """The time that is no longer proposed."""
        return {"start_time": (self.start_time, self.timezone)} if self.start_time else {}


class GuestVoted(MeetingNamed):
    """A guest voted on a slot."""

    slot_id: Ref[str]


def _hearers_of_status(changed: MeetingStatusChanged) -> Hearers:
    """Returns who hears of a new status: everybody who no longer sees a meeting that becomes a draft."""
    return Hearers(draft_tier=Tier.GUEST if changed.after == "draft" else None)


_BY_ADMINS = readers_from(Tier.ADMIN)
_BY_COLLABORATORS = readers_from(Tier.COLLABORATOR)
_EFFECTS = (Effect.CHANGES_CALENDAR_FEEDS, Effect.CHANGES_CALENDAR_INVITATIONS)
_NEWS: Mapping[str | None, Notification[Payload]] = {
    "meeting_scheduled": Notification("meeting_scheduled", MEMBERS, "told.meeting_scheduled"),
    "meeting_changed": Notification("meeting_changed", MEMBERS, "told.meeting_changed"),
    "meeting_cancelled": Notification("meeting_cancelled", MEMBERS, "told.meeting_cancelled"),
}
_SLOT_VOTERS: Audience[SlotRemoved] = Audience(
    named=lambda removed: removed.voter_ids, people=lambda removed: removed.person_ids
)
_ORGANIZER: Audience[RsvpChanged] = Audience(Tier.ADMIN, named=lambda changed: [changed.creator_id])

MEETING_CREATED = EventKind(
    Event.MEETING_CREATED, MeetingCreated, audit="meetingCreate", notifications=_NEWS, effects=_EFFECTS
)
MEETING_UPDATED = EventKind(
    Event.MEETING_UPDATED,
    MeetingUpdated,
    audit="meetingUpdate",
    notifications={**_NEWS, "moved": Notification("meeting_changed", MEMBERS, "told.meeting_moved")},
    effects=_EFFECTS,
)
MEETING_STATUS_CHANGED = EventKind(
    Event.MEETING_STATUS_CHANGED,
    MeetingStatusChanged,
    audit="meetingStatusChange",
    notifications={
        **_NEWS,
        "minutes": Notification("post_meeting_minutes_distributed", MEMBERS, "told.minutes_finalized"),
    },
    effects=_EFFECTS,
    heard_by=_hearers_of_status,
)
MEETING_DELETED = EventKind(
    Event.MEETING_DELETED,
    MeetingDeleted,
    audit="meetingDelete",
    notifications=_NEWS,
    effects=_EFFECTS,
    leaves=Leftovers.MEETING,
)
_OF_CANCELLATION: Mapping[str | None, Notification[MeetingCancellation]] = {
    **_NEWS,
    "because": Notification("meeting_cancelled", MEMBERS, "told.meeting_cancelled_because"),
}
MEETING_CANCELLED = EventKind(
    Event.MEETING_CANCELLED,
    MeetingCancellation,
    audit="meetingUpdate",
    notifications=_OF_CANCELLATION,
    effects=_EFFECTS,
)
MEETING_REINSTATED = EventKind(
    Event.MEETING_REINSTATED,
    MeetingCancellation,
    audit="meetingUpdate",
    notifications=_NEWS,
    effects=_EFFECTS,
)
MEETING_MOVED_BY_CALENDAR = EventKind(
    Event.MEETING_MOVED_BY_CALENDAR,
    ChangedByCalendar,
    audit="meetingUpdate",
    notifications={
        None: Notification("meeting_updated_from_calendar", MEMBERS, "told.moved_by_calendar"),
        "moved": Notification("meeting_updated_from_calendar", MEMBERS, "told.moved_by_calendar_from"),
    },
    effects=_EFFECTS,
)
MEETING_CANCELLED_BY_CALENDAR = EventKind(
    Event.MEETING_CANCELLED_BY_CALENDAR,
    ChangedByCalendar,
    audit="meetingUpdate",
    notifications=notifies(Notification("meeting_cancelled_from_calendar", MEMBERS, "told.cancelled_by_calendar")),
    effects=_EFFECTS,
)
RSVP_CHANGED = EventKind(
    Event.RSVP_CHANGED,
    RsvpChanged,
    notifications={
        answer: Notification("meeting_rsvp_changed", _ORGANIZER, words)
        for answer, words in {
            "accepted": "told.rsvp_accepted",
            "tentative": "told.rsvp_tentative",
            "declined": "told.rsvp_declined",
            "noAnswer": "told.rsvp_withdrawn",
        }.items()
    },
)
POLL_SET = EventKind(Event.POLL_SET, OfMeeting)
POLL_DELETED = EventKind(Event.POLL_DELETED, OfMeeting)
AGENDA_UPDATED = EventKind(Event.AGENDA_UPDATED, OfMeeting, effects=(Effect.CHANGES_CALENDAR_FEEDS,))
MINUTES_UPDATED = EventKind(Event.MINUTES_UPDATED, OfMeeting, heard_by=_BY_COLLABORATORS)
MINUTES_DELETED = EventKind(Event.MINUTES_DELETED, OfMeeting, heard_by=_BY_COLLABORATORS)
MINUTES_RESTORED = EventKind(Event.MINUTES_RESTORED, OfMeeting, heard_by=_BY_COLLABORATORS)
SLOT_PROPOSED = EventKind(
    Event.SLOT_PROPOSED,
    SlotNamed,
    notifications={
        None: Notification("slot_proposed", COLLABORATORS, "told.slot_proposed", channels=APP),
        "by_others": Notification(
            "slot_proposed", COLLABORATORS, "told.slots_proposed", is_sentence=True, channels=APP
        ),
    },
    effects=(Effect.CHANGES_CALENDAR_FEEDS,),
)
SLOT_REMOVED = EventKind(
    Event.SLOT_REMOVED,
    SlotRemoved,
    notifications=notifies(Notification("slot_removed", _SLOT_VOTERS, "told.slot_removed")),
    effects=(Effect.CHANGES_CALENDAR_FEEDS,),
    leaves=Leftovers.SLOT,
)
GUEST_LINK_OPENED = EventKind(Event.GUEST_LINK_OPENED, MeetingNamed, heard_by=_BY_ADMINS)
GUEST_LINK_CLOSED = EventKind(
    Event.GUEST_LINK_CLOSED,
    GuestLinkClosed,
    is_protecting=True,
    leaves=Leftovers.GUEST_VOTES,
    heard_by=lambda event: Hearers() if event.discards else Hearers(Tier.ADMIN),
)
GUEST_SLOTS_VIEWED = EventKind(
    Event.GUEST_SLOTS_VIEWED, MeetingNamed, audit="meetingGuestSlotsViewed", heard_by=_BY_ADMINS
)
GUEST_VOTE_CAST = EventKind(Event.GUEST_VOTE_CAST, GuestVoted, audit="meetingGuestVoteCast")
