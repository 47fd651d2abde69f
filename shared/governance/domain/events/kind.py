"""What the record of an event kind declares: its payload, its audit entry, its notifications and its effects."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple, Self, TypeVar

from governance.ids import PersonId, UserId, millis_of_id, time_ordered_id
from governance.instants import Instant
from governance.models.base import Resource
from governance.models.history.audit import AuditAction
from governance.models.history.event import Event, FieldChange, StoredEvent
from governance.scopes import Tier
from governance.texts import Language, text

if TYPE_CHECKING:  # no request needs these
    from governance.models.notifications.notification import NotificationChannel, NotificationType

_Part = Literal["refs", "details", "delivery_data"]


@dataclass(frozen=True)
class StoredAs:
    """Where an event stores a field of its payload; without a key, under the field's name in camel case.

    A field that is not `is_recorded` is set in consequences only (`consequence`), which neither feed nor webhooks see.
    """

    part: _Part
    key: str | None = None
    is_recorded: bool = True


class Parts(NamedTuple):
    """The parts of an event that store its payload."""

    refs: dict[str, str]
    details: dict[str, Any]
    delivery_data: dict[str, Any]


T = TypeVar("T")
Ref = Annotated[T, StoredAs("refs")]
"""An id that the feed, webhooks and exports show."""
ToldRef = Annotated[T, StoredAs("refs", is_recorded=False)]
"""An id for one recipient, which a recorded event never has."""
Detail = Annotated[T, StoredAs("details")]
"""Shown with the event and in the audit log. Fields that are neither are for what follows from the event only."""


class Payload(Resource):
    """What an event says.

    An enumerated field takes values of a newer release. A field that another release stores in another part of the
    event is found there. `changes` are values before and after, which the feed shows beside the details.
    """

    changes: Sequence[FieldChange] = ()

    @classmethod
    @cache
    def _stored_as(cls) -> tuple[tuple[str, _Part, str], ...]:
        """Returns the name, the part and the key of each field."""
        fields = []
        for name, info in cls.model_fields.items():
            stored = next((entry for entry in info.metadata if isinstance(entry, StoredAs)), StoredAs("delivery_data"))
            fields.append((name, stored.part, stored.key or info.alias or name))
        return tuple(fields)

    @classmethod
    def recorded_ids(cls) -> Mapping[str, bool]:
        """Returns the keys of the ids that recorded events have, each with whether every event has it."""
        ids = {}
        for name, info in cls.model_fields.items():
            stored = next((entry for entry in info.metadata if isinstance(entry, StoredAs)), None)
            if stored and stored.part == "refs" and stored.is_recorded:
                ids[stored.key or info.alias or name] = info.is_required()
        return ids

    def parts(self) -> Parts:
        """Returns the parts of an event that store the fields which were set."""
        parts = Parts({}, {}, {})
        members = self.model_dump(by_alias=False, exclude_unset=True)
        for name, part, key in self._stored_as():
            if name in members and (part != "refs" or members[name] is not None):
                getattr(parts, part)[key] = members[name]
        return parts

    @classmethod
    def of(cls, event: StoredEvent) -> Self:
        """Returns the payload of an event. Raises `ValidationError` if a field is missing that this kind needs."""
        members = {}
        for name, part, key in cls._stored_as():
            places = (getattr(event, part), event.delivery_data, event.details)
            if holder := next((place for place in places if key in place), None):
                members[name] = holder[key]
        return cls.model_validate(members)

    def members(self) -> dict[str, Any]:
        """Returns the values of all fields by the keys under which they are stored."""
        return {key: getattr(self, name) for name, _, key in self._stored_as()}

    @property
    def variant(self) -> str | None:
        """The key of the one among the kind's notifications that the event makes."""
        return None

    @property
    def instants(self) -> Mapping[str, tuple[Instant, str | None]]:
        """The instants that texts about the event name, each with the time zone of what it is about."""
        return {}

    def words(self, language: Language) -> dict[str, object]:
        """Returns the values of the texts about the event: its fields, with a phrase for a subject without a title."""
        values = {name: getattr(self, name) for name, _, _ in self._stored_as()}
        return {**values, "title": values.get("title") or text(language, "told.untitled")}


class Subject(Payload):
    """An event whose details name what it is about; `title` is null for a resource without one."""

    id: Detail[str] = ""
    title: Detail[str | None] = None


class Changed(Payload):
    """An event whose details are the names of the fields that changed."""

    fields: Detail[list[str]]


class Transition(Payload):
    """An event whose details are a change from one status to another."""

    before: Annotated[str, StoredAs("details", "from")]
    after: Annotated[str, StoredAs("details", "to")]

    @property
    def variant(self) -> str | None:
        """The new status."""
        return self.after


P = TypeVar("P", bound=Payload)
P_contra = TypeVar("P_contra", bound=Payload, contravariant=True)


class Lookup(Enum):
    """Recipients who are looked up when an event is delivered (`deliveries/notifications/recipients.py`)."""

    INVITEES = "every user who has the invited e-mail address"
    DASHBOARD_OWNER = "the owner of the dashboard"
    COMMENT_READERS = (
        "those mentioned by a comment, the one it replies to, and the owner of what it is on, if they see it"
    )
    WITHOUT_VOTE = "the members who have not voted on the slots that the reminder is about"
    WITHOUT_ANSWER = "the members who have not said whether they attend"
    ATTENDING = "the members who attend, or have not said otherwise"
    TASK_ASSIGNEE = "the assignee of an open action item that is still due then"
    SECTION_OWNER = "the owner of an unfinished section of a cycle that is still due then"
    BET_OWNER = "the owner of an open bet that is still due then"
    RESOLUTION_VOTERS = "the voters of a resolution that is open"
    WITHOUT_BALLOT = "the voters of an open resolution who have not voted and are not recused"
    RESOLUTION_READERS = "the members who see a resolution"
    RESOLUTION_SEAT = "the voter of a resolution that an event of its proxies and recusals is about"
    PACK_READERS = "the members who see the document of a board pack"

    @property
    def is_repeated(self) -> bool:
        """Whether they are looked up again before each of them is notified: it may no longer concern them."""
        return self not in (Lookup.INVITEES, Lookup.DASHBOARD_OWNER)

    @property
    def finds_readers(self) -> bool:
        """Whether only those who see what the event is about are found, also for a committee's."""
        resolutions = (
            Lookup.RESOLUTION_VOTERS,
            Lookup.WITHOUT_BALLOT,
            Lookup.RESOLUTION_READERS,
            Lookup.RESOLUTION_SEAT,
        )
        return self in (Lookup.COMMENT_READERS, Lookup.PACK_READERS, *resolutions)


@dataclass(frozen=True)
class Audience(Generic[P_contra]):
    """The recipients of a notification: members from a tier up, users that the payload names, or those of a lookup.

    If no user who is named is a member, the members from `tier` up are notified. All but outsiders must be members at
    delivery. `people` without an account may be named, too. An empty audience is that of a consequence, whose
    recipients are found with it.
    """

    tier: Tier | None = None
    named: Callable[[P_contra], Iterable[UserId | None]] | None = None
    people: Callable[[P_contra], Iterable[PersonId | None]] | None = None
    lookup: Lookup | None = None
    has_outsiders: bool = False


MEMBERS: Audience[Payload] = Audience(Tier.GUEST)
COLLABORATORS: Audience[Payload] = Audience(Tier.COLLABORATOR)
MANAGERS: Audience[Payload] = Audience(Tier.MANAGER)
ADMINS: Audience[Payload] = Audience(Tier.ADMIN)
OWNER: Audience[Payload] = Audience(Tier.OWNER)
BOTH: frozenset[NotificationChannel] = frozenset(("email", "in_app"))
MAIL: frozenset[NotificationChannel] = frozenset(("email",))
APP: frozenset[NotificationChannel] = frozenset(("in_app",))


@dataclass(frozen=True)
class Notification(Generic[P_contra]):
    """How the recipients of an event are notified.

    `words` is the key of a text (ADR languages) with the board's name as `board` and the values of `Payload.words`. It
    continues the actor's name, unless it `is_sentence`. A user gets those of `channels` that they have not turned off.
    What all notifications of a type have in common is in `domain/notifications/notification_types.py`.
    """

    type: NotificationType
    audience: Audience[P_contra]
    words: str
    is_sentence: bool = False
    channels: frozenset[NotificationChannel] = BOTH


class Effect(Enum):
    """What an event does besides notifying (`deliveries/following.py`)."""

    MOVES_BOARD_IN_LISTS = auto()
    CHANGES_CALENDAR_FEEDS = auto()
    CHANGES_CALENDAR_INVITATIONS = auto()
    CHANGES_FIGURES = auto()
    BEGINS_EXAMPLE_BOARD = auto()
    BEGINS_BOARD_PACK = auto()
    RECOMMENDS_MERGES = auto()
    MAKES_CERTIFICATE = auto()


class Leftovers(Enum):
    """What a deletion or departure leaves behind until it is cleaned up (`usecases/cleanup.py`)."""

    BOARD = auto()
    MEMBER = auto()
    MEETING = auto()
    SLOT = auto()
    GUEST_VOTES = auto()
    DOCUMENT = auto()
    DOCUMENT_VERSION = auto()
    REPORT = auto()
    DASHBOARD = auto()
    WEBHOOK = auto()
    SECRET_CHOICES = auto()
    RESOLUTION_EVENTS = auto()
    SERIES = auto()
    SCRUBBED = auto()


@dataclass(frozen=True)
class Hearers:
    """Who hears of an event by the live channel: the members who may read its subject (ADR live).

    They are members from `tier` up; the event's committee and draft bound them further, as they bound its lists.
    Members from `draft_tier` up may read drafts of others. `named` hear of it whatever their tier; without a tier, they
    alone.
    """

    tier: Tier | None = Tier.GUEST
    draft_tier: Tier | None = None
    named: tuple[UserId, ...] = ()


def readers(_payload: Payload) -> Hearers:
    """Returns every member who may read the subject of an event."""
    return Hearers()


def readers_from(tier: Tier) -> Callable[[Payload], Hearers]:
    """Returns the rule of events whose subject only members from a tier up may read."""
    hearers = Hearers(tier)
    return lambda _: hearers


@dataclass(frozen=True)
class EventKind(Generic[P]):
    """The record of one kind of events.

    `audit` is the action of its audit entry, which has the event's details; without one it leaves none. An event that
    `is_protecting` ends a right or is an operator's: it is recorded even if a board's history is full (ADR history).
    `notifications` are by the payload's variant; a variant without one notifies nobody. `heard_by` says who hears of it
    by the live channel. Only events that are `is_delivered` are sent to webhooks.
    """

    event_type: Event
    payload: type[P]
    audit: AuditAction | None = None
    is_protecting: bool = False
    notifications: Mapping[str | None, Notification[P]] = field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    leaves: Leftovers | None = None
    heard_by: Callable[[P], Hearers] = readers
    is_delivered: bool = True

    def notification_of(self, event: StoredEvent, payload: P) -> Notification[P] | None:
        """Returns how an event of this kind is notified; None if it notifies nobody.

        Events of a draft or of a committee's document do not, because not all members of the board may see these.
        Comments on such a document and a committee's resolutions are the exceptions: only its readers are looked up.
        """
        notification = self.notifications.get(payload.variant)
        if notification is None or event.draft_of is not None:
            return None
        is_checked = notification.audience.lookup is not None and notification.audience.lookup.finds_readers
        return notification if event.committee_id is None or is_checked else None


def notifies(notification: Notification[P]) -> Mapping[str | None, Notification[P]]:
    """Returns the one notification of a kind without variants."""
    return {None: notification}


def consequence(cause: StoredEvent, kind: EventKind[P], payload: P, subject: str) -> StoredEvent:
    """Returns an event that follows from another and is delivered, but not recorded.

    Its id follows from the cause's and `subject`, so that a repeated delivery makes the same one.
    """
    digest = hashlib.sha256(f"{cause.id}\n{subject}".encode()).hexdigest()
    id_ = time_ordered_id(millis_of_id(cause.id), digest[:12])
    return cause.model_copy(update={**payload.parts()._asdict(), "type": kind.event_type, "id": id_})
