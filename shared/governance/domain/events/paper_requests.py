"""The events of paper requests: ids alone, so that nobody reads in them what a paper is about."""

from collections.abc import Mapping

from governance.domain.events.kind import (
    Audience,
    EventKind,
    Hearers,
    Leftovers,
    Lookup,
    Notification,
    Payload,
    Ref,
    notifies,
)
from governance.ids import PersonId, UserId
from governance.instants import Instant
from governance.models.history.event import Event
from governance.scopes import Tier


class OfPaperRequest(Payload):
    """An event of a paper request; its title and its people are for who is notified, and for who hears of it live."""

    paper_request_id: Ref[str]
    meeting_id: Ref[str | None] = None
    title: str = ""
    due_at: Instant | None = None
    asked_user_id: UserId | None = None
    reviewer_user_id: UserId | None = None
    requester_user_id: UserId | None = None

    @property
    def instants(self) -> Mapping[str, tuple[Instant, str | None]]:
        """When the paper is due."""
        return {"due_at": (self.due_at, None)} if self.due_at else {}


class PaperRequestDelivered(OfPaperRequest):
    """A paper was delivered, by a member or, with their link, by a person without an account."""

    unregistered_user_id: Ref[PersonId | None] = None


class PaperRequestDecided(OfPaperRequest):
    """A delivered paper was approved or returned."""

    decision: str

    @property
    def variant(self) -> str | None:
        """The decision."""
        return self.decision


def _readers(about: OfPaperRequest) -> Hearers:
    """Returns the collaborators, and of the guests who deliver or review."""
    named = (about.asked_user_id, about.reviewer_user_id)
    return Hearers(Tier.COLLABORATOR, named=tuple(user_id for user_id in named if user_id))


_ASKED: Audience[Payload] = Audience(lookup=Lookup.PAPER_ASKED)
_REVIEWERS: Audience[OfPaperRequest] = Audience(named=lambda about: [about.requester_user_id, about.reviewer_user_id])
_DELIVERERS: Audience[OfPaperRequest] = Audience(lookup=Lookup.PAPER_DELIVERERS)

PAPER_REQUEST_CREATED = EventKind(
    Event.PAPER_REQUEST_CREATED,
    OfPaperRequest,
    notifications=notifies(Notification("paper_requested", _ASKED, "told.paper_requested")),
    heard_by=_readers,
)
PAPER_REQUEST_UPDATED = EventKind(Event.PAPER_REQUEST_UPDATED, OfPaperRequest, heard_by=_readers)
PAPER_REQUEST_DELIVERED = EventKind(
    Event.PAPER_REQUEST_DELIVERED,
    PaperRequestDelivered,
    notifications=notifies(Notification("paper_delivered", _REVIEWERS, "told.paper_delivered")),
    heard_by=_readers,
)
PAPER_REQUEST_DECIDED = EventKind(
    Event.PAPER_REQUEST_DECIDED,
    PaperRequestDecided,
    notifications={
        "approved": Notification("paper_decided", _DELIVERERS, "told.paper_approved"),
        "returned": Notification("paper_decided", _DELIVERERS, "told.paper_returned"),
    },
    heard_by=_readers,
)
PAPER_REQUEST_DELETED = EventKind(
    Event.PAPER_REQUEST_DELETED, OfPaperRequest, leaves=Leftovers.PAPER_REQUEST, heard_by=_readers
)
