"""Ballots: cast, take back, list (an extension of the API, ADR resolutions).

A ballot reads the head of its resolution and one group of voters, however many there are. Its write is not committed
after the resolution closes.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from governance.domain.events import resolutions as events
from governance.domain.resolutions import closing, voting
from governance.domain.resolutions.voting import no_voter
from governance.ids import UserId
from governance.models.base import Deleted
from governance.models.page import Page
from governance.models.resolutions.ballot import Ballot, BallotBody, BallotQuery, BallotsQuery, StoredVoter, VoterGroup
from governance.models.resolutions.resolution import StoredDeparture, StoredResolution
from governance.settings import Secret
from governance.store.dynamodb import run_async
from governance.store.resolutions import departures, resolutions, secret_choices
from governance.store.resolutions.resolutions import Body
from governance.store.schema.entities import RESOLUTION
from governance.store.writes import StaleRead, Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, prefetch, uses_secret
from governance.usecases.resolutions.reading import body_named, reader_of, state_of, visible_resolution
from governance.usecases.resolutions.recording import record_voter_event


@dataclass(frozen=True)
class _Place:
    """A voter of an open resolution as they are now, and the group that they are stored in."""

    resolution: StoredResolution
    number: int
    group: VoterGroup
    voter: StoredVoter

    def put(self, new: StoredVoter) -> Write:
        """Returns the write that changes the voter."""
        return put_voters(self.resolution, self.number, self.group, {new.user_id: new})


def put_voters(
    resolution: StoredResolution, number: int, group: VoterGroup, changed: dict[UserId, StoredVoter]
) -> Write:
    """Returns the write of a group in which these voters changed, before the outcome is shown."""
    voters = tuple(changed.get(voter.user_id, voter) for voter in group.voters)
    new = group.model_copy(update={"voters": voters, "version": group.version + 1})
    return resolutions.replace_group(resolution, number, group, new, voting.settled_at(resolution.closes_at))


@dataclass(frozen=True)
class VoterPlace:
    """Where a user would be stored as a voter of a resolution: no group has them if they are none."""

    resolution: StoredResolution
    user_id: UserId
    number: int | None
    group: VoterGroup | None
    left: Future[list[StoredDeparture]]

    @property
    def voter(self) -> StoredVoter | None:
        """The voter as stored, without what follows from departures."""
        return next(
            (voter for voter in (self.group.voters if self.group else ()) if voter.user_id == self.user_id), None
        )


def voter_place(context: Context, resolution: StoredResolution, user_id: UserId) -> VoterPlace:
    """Reads the group in which a user is, if they are a voter, and beside it who has left since the vote was opened."""
    number = resolutions.group_number(resolution, user_id)
    left = run_async(lambda: departures.since(resolution.board_id, resolution.opened_at or context.now))
    group = resolutions.read_group(resolution, number) if number is not None else None
    return VoterPlace(resolution, user_id, number, group, left)


def own_voter(context: Context) -> VoterPlace:
    """Returns the caller's seat in the resolution that the path names; raises 404, then 403 unless they are a voter."""
    resolution = context.find(visible_resolution)
    seat = voter_place(context, resolution, context.known_user_id)
    if resolution.status != "draft" and seat.voter is None:
        raise no_voter()
    return seat


def _place(context: Context, own: VoterPlace, user_id: UserId) -> _Place:
    """Returns a voter where they are stored. Raises 400, 403 unless the ballot is the caller's to cast, then 409."""
    resolution = own.resolution
    if resolution.status == "draft":
        voting.check_open(resolution, context.arrived_at)
    seat = own if user_id == own.user_id else voter_place(context, resolution, user_id)
    number, group = seat.number, seat.group
    voters = voting.as_of(resolution, group.voters if group else (), seat.left.result())
    voter = voting.named_voter(voters, user_id)
    voting.check_may_cast(voter, context.known_user_id)
    voting.check_open(resolution, context.arrived_at)
    if number is None or group is None or group.closed:
        raise StaleRead
    return _Place(resolution, number, group, voter)


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@finds(own_voter)
def put_ballot(context: Context, own: VoterPlace, body: BallotBody) -> Outcome[Ballot]:
    """Casts a ballot, one's own or as the holder of a proxy. This answer alone says what was chosen by a secret one."""
    place, resolution = _place(context, own, body.for_user_id or context.known_user_id), own.resolution
    new = voting.cast(resolution, place.voter, context.known_user_id, body, context.now)
    is_secret = resolution.ballots == "secret"
    writes = [
        place.put(new),
        *([secret_choices.put(resolution, body.choice)] if is_secret else []),
        *record_voter_event(context, events.BALLOT_CAST, resolution, new.user_id),
    ]
    return Outcome(closing.ballot_of(resolution, new, body.choice if is_secret else None), writes)


@loads(RESOLUTION, own_committees)
@finds(own_voter)
def delete_ballot(context: Context, own: VoterPlace, query: BallotQuery) -> Outcome[Deleted]:
    """Takes a ballot back; without one, nothing happens."""
    place, resolution = _place(context, own, UserId(query.for_user_id or context.known_user_id)), own.resolution
    new = voting.taken_back(resolution, place.voter, context.known_user_id)
    if new is place.voter:
        return Outcome(Deleted(), [])
    event = record_voter_event(context, events.BALLOT_WITHDRAWN, resolution, new.user_id)
    return Outcome(Deleted(), [place.put(new), *event])


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(visible_resolution)
def list_ballots(
    context: Context, resolution: StoredResolution, read: Body | None, query: BallotsQuery
) -> Page[Ballot]:
    """Returns a page of the ballots that the caller may see, by voter; of secret ones only who voted."""
    state = state_of(resolution, read, context.now)
    window = context.window(query)
    visible = closing.ballots(state.resolution, state.voters, reader_of(context))
    following = [ballot for ballot in visible if ballot.user_id > (window.after or "")]
    page = following[: window.limit]
    return Page(page, page[-1].user_id if len(following) > len(page) else None)
