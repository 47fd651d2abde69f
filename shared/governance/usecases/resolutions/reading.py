"""What a resolution is at an instant: with who has left since it was opened, and closed once its time is over.

The record of a result that the clock decides follows within two minutes. A read before it shows the same result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from governance.domain.resolutions import closing, voting
from governance.domain.resolutions.visibility import Reader, can_see, may_run
from governance.errors import forbidden, not_found
from governance.ids import UserId, is_id
from governance.instants import Instant
from governance.models.resolutions.ballot import Choice, StoredVoter
from governance.models.resolutions.resolution import (
    Resolution,
    StoredContent,
    StoredDeparture,
    StoredResolution,
    Tally,
)
from governance.store.resolutions import departures, resolutions, secret_choices
from governance.store.resolutions.resolutions import Body
from governance.store.schema.entities import RESOLUTION
from governance.store.writes import StaleRead
from governance.usecases.context import Context, RequestInfo


@dataclass(frozen=True)
class State:
    """A resolution with its content and its voters, as it is at an instant; a draft has no voters here."""

    resolution: StoredResolution
    content: StoredContent
    voters: Mapping[UserId, StoredVoter]

    def shown(self) -> Resolution:
        """Returns the resolution as its readers see it."""
        is_draft = self.resolution.status == "draft"
        voters = self.content.voters if is_draft else tuple(self.voters.values())
        return closing.shown(self.resolution, self.content.text, voters)

    def after(self, changed: Mapping[UserId, StoredVoter]) -> State:
        """Returns the state after voters changed."""
        return with_tally(replace(self, voters={**self.voters, **changed}))


def reader_of(context: Context) -> Reader:
    """Returns the caller, as far as they decide which resolutions they see; the use case loads `own_committees`."""
    return Reader(context.user_id, context.tier, context.committee_ids)


def visible_resolution(context: Context) -> StoredResolution:
    """Returns the head of the resolution that the path names; raises 404 if it does not exist or is hidden."""
    resolution = context.stored_or_none(RESOLUTION, StoredResolution)
    if resolution is None or not can_see(reader_of(context), resolution):
        raise not_found()
    return resolution


def run_resolution(context: Context) -> StoredResolution:
    """Returns the resolution that the path names; raises 404, then 403 unless the caller drafted it or is a manager."""
    resolution = context.find(visible_resolution)
    if not may_run(reader_of(context), resolution):
        raise forbidden("Ask the creator of the resolution or a manager of the board.")
    return resolution


def body_named(info: RequestInfo) -> Body | None:
    """Reads the content and the voters of the resolution that the path names; for `@prefetch`."""
    resolution_id = info.params["resolutionId"]
    return resolutions.read_body(info.board_id, resolution_id) if is_id(resolution_id) else None


def state_of(
    resolution: StoredResolution, body: Body | None, now: Instant, left: Sequence[StoredDeparture] | None = None
) -> State:
    """Returns a resolution as it is; `left` are the departures since it was opened, if they were read before.

    Raises `StaleRead` if head and body are of different instants.
    """
    own_body = resolutions.body_of(resolution, body)
    if resolution.status != "open":
        return State(resolution, own_body.content, {voter.user_id: voter for voter in own_body.voters})
    if left is None:
        left = departures.since(resolution.board_id, resolution.opened_at or now)
    state = with_tally(State(resolution, own_body.content, voting.as_of(resolution, own_body.voters, left)))
    return _closed_by_clock(state) if voting.is_over(resolution, now) else state


def with_tally(state: State) -> State:
    """Returns the state of an open resolution with its count so far, which named ballots alone show."""
    if state.resolution.ballots != "named":
        return state
    so_far = count_of(state).model_copy(update={"outcome": None})
    return replace(state, resolution=state.resolution.model_copy(update={"tally": so_far}))


def count_of(state: State) -> Tally:
    """Returns the count of the ballots; reads those that are secret."""
    return closing.tally_of(state.resolution, tuple(state.voters.values()), secret_of(state))


def secret_of(state: State) -> list[Choice] | None:
    """Returns the choices of secret ballots; None for others. Raises `StaleRead` if somebody votes meanwhile."""
    if state.resolution.ballots != "secret":
        return None
    choices = secret_choices.of_resolution(state.resolution)
    if len(choices) != sum(voter.ballot is not None for voter in state.voters.values()):
        raise StaleRead
    return choices


def _closed_by_clock(state: State) -> State:
    closes_at = state.resolution.closes_at or Instant("")
    decided = closing.closed(state.resolution, count_of(state), closes_at, closes_at)
    return replace(state, resolution=decided)
