"""The events of resolutions; none says what was chosen, or what a resolution is called."""

from governance.domain.events.kind import (
    Audience,
    Detail,
    Effect,
    EventKind,
    Hearers,
    Leftovers,
    Lookup,
    Notification,
    Payload,
    Ref,
    notifies,
)
from governance.ids import UserId
from governance.instants import Instant
from governance.models.history.event import Event
from governance.scopes import Tier


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
    """A resolution was opened; `closes_at` is for the notification of its voters."""

    number: Detail[str]
    title: str
    closes_at: Instant | None = None


class OfVoter(OfResolution):
    """An event of one voter of a resolution; `ballots` says who sees a ballot while the resolution is open."""

    voter_id: Ref[UserId]
    ballots: str | None = None


class SeatChanged(OfVoter):
    """What a voter may do has changed; unpublished fields are for the recipient."""

    number: str = ""
    title: str = ""

    @property
    def told_user_id(self) -> UserId | None:
        """The voter who is notified."""
        return self.voter_id


class ProxyChanged(SeatChanged):
    """A voter gave their proxy, perhaps in place of one that another held, or took it back."""

    holder_id: UserId | None = None
    former_id: UserId | None = None

    @property
    def told_user_id(self) -> UserId | None:
        """Who holds the proxy; without anybody, who held it."""
        return self.holder_id or self.former_id

    @property
    def variant(self) -> str | None:
        """Whether the recipient holds the proxy now, or no longer; None for an event of an earlier release."""
        if self.told_user_id is None:
            return None
        return "proxy_given" if self.holder_id else "proxy_ended"


class Recused(SeatChanged):
    """A voter was recused, or counts again."""

    recused: Detail[bool]
    is_own: bool = True
    had_voted: bool = False

    @property
    def variant(self) -> str | None:
        """What became of the voter and their ballot; None for their own act."""
        if self.is_own:
            return None
        if not self.recused:
            return "counts_again"
        return "recused_after_voting" if self.had_voted else "recused"


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
_SEAT: Audience[SeatChanged] = Audience(lookup=Lookup.RESOLUTION_SEAT)


def _hearers_of_draft(_event: Payload) -> Hearers:
    """Returns who hears of a draft: its creator and the managers."""
    return Hearers(draft_tier=Tier.MANAGER)


def _hearers_of_ballot(ballot: OfVoter) -> Hearers:
    """Returns who hears of a ballot: the readers of a named one, its voter alone of another."""
    return Hearers() if ballot.ballots == "named" else Hearers(None, named=(ballot.voter_id,))


RESOLUTION_CREATED = EventKind(Event.RESOLUTION_CREATED, OfResolution, heard_by=_hearers_of_draft, is_delivered=False)
RESOLUTION_UPDATED = EventKind(
    Event.RESOLUTION_UPDATED, ResolutionUpdated, heard_by=_hearers_of_draft, is_delivered=False
)
RESOLUTION_DELETED = EventKind(
    Event.RESOLUTION_DELETED,
    ResolutionDeleted,
    leaves=Leftovers.RESOLUTION_EVENTS,
    heard_by=_hearers_of_draft,
    is_delivered=False,
)
RESOLUTION_OPENED = EventKind(
    Event.RESOLUTION_OPENED,
    ResolutionOpened,
    notifications=notifies(Notification("resolution_opened", _VOTERS, "told.resolution_opened")),
)
BALLOT_CAST = EventKind(Event.BALLOT_CAST, OfVoter, heard_by=_hearers_of_ballot)
BALLOT_WITHDRAWN = EventKind(Event.BALLOT_WITHDRAWN, OfVoter, heard_by=_hearers_of_ballot)
PROXY_CHANGED = EventKind(
    Event.PROXY_CHANGED,
    ProxyChanged,
    notifications={
        variant: Notification("resolution_proxy", _SEAT, f"told.resolution_{variant}")
        for variant in ("proxy_given", "proxy_ended")
    },
)
VOTER_RECUSED = EventKind(
    Event.VOTER_RECUSED,
    Recused,
    notifications={
        variant: Notification("resolution_recused", _SEAT, f"told.resolution_{variant}")
        for variant in ("recused", "recused_after_voting", "counts_again")
    },
)
RESOLUTION_CLOSED = EventKind(
    Event.RESOLUTION_CLOSED,
    ResolutionClosed,
    notifications={
        outcome: Notification("resolution_closed", _READERS, f"told.resolution_{outcome}", is_sentence=True)
        for outcome in ("carried", "rejected", "lapsed")
    },
    effects=(Effect.MAKES_CERTIFICATE,),
    leaves=Leftovers.SECRET_CHOICES,
)
RESOLUTION_WITHDRAWN = EventKind(Event.RESOLUTION_WITHDRAWN, ResolutionWithdrawn, leaves=Leftovers.SECRET_CHOICES)
