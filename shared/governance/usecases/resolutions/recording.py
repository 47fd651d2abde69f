"""The writes that record an event of a resolution: hidden like a draft, or like what is a committee's."""

from __future__ import annotations

from governance.domain.events.kind import EventKind, P
from governance.domain.events.resolutions import OfVoter
from governance.domain.resolutions.visibility import draft_owner
from governance.ids import UserId
from governance.models.resolutions.resolution import StoredResolution
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event


def record_resolution_event(
    context: Context, kind: EventKind[P], resolution: StoredResolution, payload: P, event_id: str | None = None
) -> list[Write]:
    """Returns the writes that record an event of a resolution as it is after the event."""
    return record_event(
        context,
        kind,
        payload,
        draft_of=draft_owner(resolution),
        committee_id=resolution.committee_id,
        event_id=event_id,
    )


def record_voter_event(
    context: Context, kind: EventKind[OfVoter], resolution: StoredResolution, voter_id: UserId
) -> list[Write]:
    """Returns the writes that record an event of one voter."""
    payload = OfVoter(
        resolution_id=resolution.id,
        meeting_id=resolution.meeting_id,
        voter_id=voter_id,
        ballots=resolution.ballots,
    )
    return record_resolution_event(context, kind, resolution, payload)
