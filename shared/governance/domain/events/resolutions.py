"""The events of resolutions; none says what was chosen, or what a resolution is called."""

from __future__ import annotations

from governance.domain.events.kind import (
    Audience,
    Detail,
    EventKind,
    Leftovers,
    Lookup,
    Notification,
    Payload,
    Ref,
    notifies,
)
from governance.ids import UserId
from governance.instants import Instant
from governance.models.event import Event


class OfResolution(Payload):
    """An event of a resolution."""

    resolution_id: Ref[str]
    meeting_id: Ref[str | None] = None


class ResolutionDeleted(OfResolution):
    """A draft was deleted; only the event still has when it was made."""

    drafted_at: Instant | None = None


class ResolutionUpdated(OfResolution):
    """Fields of a draft changed."""

    fields: Detail[list[str]]


class ResolutionOpened(OfResolution):
    """A resolution was opened; until when it is open is for what its voters are told."""

    number: Detail[str]
    title: str
    closes_at: Instant | None = None


class OfVoter(OfResolution):
    """An event of one voter of a resolution."""

    voter_id: Ref[UserId]


class Recused(OfVoter):
    """A voter was recused, or counts again."""

    recused: Detail[bool]


class ResolutionClosed(OfResolution):
    """The result of a resolution was recorded."""

    number: Detail[str]
    outcome: Detail[str]
    certificate_sha256: Detail[str]
    title: str

    @property
    def variant(self) -> str | None:
        """The result."""
        return self.outcome


class ResolutionWithdrawn(OfResolution):
    """An open resolution was withdrawn."""

    number: Detail[str]


_VOTERS: Audience[Payload] = Audience(lookup=Lookup.RESOLUTION_VOTERS)
_READERS: Audience[Payload] = Audience(lookup=Lookup.RESOLUTION_READERS)

RESOLUTION_CREATED = EventKind(Event.RESOLUTION_CREATED, OfResolution)
RESOLUTION_UPDATED = EventKind(Event.RESOLUTION_UPDATED, ResolutionUpdated)
RESOLUTION_DELETED = EventKind(Event.RESOLUTION_DELETED, ResolutionDeleted, leaves=Leftovers.RESOLUTION_EVENTS)
RESOLUTION_OPENED = EventKind(
    Event.RESOLUTION_OPENED,
    ResolutionOpened,
    notifications=notifies(Notification("resolution_opened", _VOTERS, "told.resolution_opened")),
)
BALLOT_CAST = EventKind(Event.BALLOT_CAST, OfVoter)
BALLOT_WITHDRAWN = EventKind(Event.BALLOT_WITHDRAWN, OfVoter)
PROXY_CHANGED = EventKind(Event.PROXY_CHANGED, OfVoter)
VOTER_RECUSED = EventKind(Event.VOTER_RECUSED, Recused)
RESOLUTION_CLOSED = EventKind(
    Event.RESOLUTION_CLOSED,
    ResolutionClosed,
    notifications={
        outcome: Notification("resolution_closed", _READERS, f"told.resolution_{outcome}", is_sentence=True)
        for outcome in ("carried", "rejected", "lapsed")
    },
    leaves=Leftovers.SECRET_CHOICES,
)
RESOLUTION_WITHDRAWN = EventKind(Event.RESOLUTION_WITHDRAWN, ResolutionWithdrawn, leaves=Leftovers.SECRET_CHOICES)
