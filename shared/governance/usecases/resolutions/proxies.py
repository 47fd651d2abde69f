"""Proxies and recusals of the voters of an open resolution (an extension of the API, ADR resolutions)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from governance.domain.events import resolutions as events
from governance.domain.events.resolutions import Recused
from governance.domain.resolutions import voting
from governance.errors import forbidden, not_found
from governance.ids import UserId
from governance.models.resolutions.ballot import StoredVoter
from governance.models.resolutions.resolution import ProxyBody, ReasonBody, Resolution, StoredResolution
from governance.settings import Secret
from governance.store.resolutions import resolutions
from governance.store.resolutions.resolutions import ResolutionContents
from governance.store.schema.entities import RESOLUTION
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, prefetch, uses_secret
from governance.usecases.resolutions.ballots import VoterPlace, own_voter, put_voters, voter_place
from governance.usecases.resolutions.reading import State, body_named, reader_of, state_of, visible_resolution
from governance.usecases.resolutions.recording import record_resolution_event


@dataclass(frozen=True)
class _Vote:
    """An open resolution: its state now, and its voters as they are stored."""

    resolution: StoredResolution
    state: State
    body: ResolutionContents
    gone: frozenset[UserId]

    def changed(self, new: Mapping[UserId, StoredVoter], touched: Iterable[UserId] = ()) -> list[Write]:
        """Returns the writes that change voters, and those that make a change of the `touched` ones fail meanwhile."""
        numbers = {resolutions.group_number(self.resolution, user_id) for user_id in (*new, *touched)}
        return [
            put_voters(self.resolution, number, self.body.groups[number], dict(new))
            for number in sorted(number for number in numbers if number is not None)
        ]


def _vote(context: Context, seat: VoterPlace, read: ResolutionContents | None) -> _Vote:
    resolution, left = seat.resolution, seat.left.result()
    state = state_of(resolution, read, context.now, left)
    return _Vote(resolution, state, resolutions.body_of(resolution, read), voting.gone_since(resolution, left))


def _giver(context: Context, vote: _Vote) -> StoredVoter:
    """Returns the calling voter; raises 403 for others, then 409."""
    if vote.resolution.status != "draft":
        voting.voter_in(vote.state.voters, context.known_user_id)
    voting.check_open(vote.resolution, context.arrived_at)
    voting.check_proxies(vote.resolution)
    return vote.state.voters[context.known_user_id]


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(own_voter)
def put_resolution_proxy(
    context: Context, own: VoterPlace, read: ResolutionContents | None, body: ProxyBody
) -> Outcome[Resolution]:
    """Gives the caller's proxy to another voter, in place of an earlier one."""
    vote = _vote(context, own, read)
    giver = _giver(context, vote)
    new = voting.with_proxy(vote.state.voters, giver, body.user_id, vote.gone)
    return _proxy_changed(context, vote, giver, new, [body.user_id])


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(own_voter)
def delete_resolution_proxy(context: Context, own: VoterPlace, read: ResolutionContents | None) -> Outcome[Resolution]:
    """Takes the caller's proxy back, with the ballot that its holder cast."""
    vote = _vote(context, own, read)
    giver = _giver(context, vote)
    return _proxy_changed(context, vote, giver, voting.without_proxy(giver), [])


def _proxy_changed(
    context: Context, vote: _Vote, old: StoredVoter, new: StoredVoter, touched: list[UserId]
) -> Outcome[Resolution]:
    if new is old:
        return Outcome(vote.state.shown(), [])
    changed = {new.user_id: new}
    resolution = vote.resolution
    payload = events.ProxyChanged(
        resolution_id=resolution.id,
        meeting_id=resolution.meeting_id,
        voter_id=new.user_id,
        ballots=resolution.ballots,
        number=resolution.number or "",
        title=resolution.title,
        holder_id=new.proxy_user_id,
        former_id=old.proxy_user_id,
    )
    event = record_resolution_event(context, events.PROXY_CHANGED, resolution, payload)
    return Outcome(vote.state.after(changed).shown(), [*vote.changed(changed, touched), *event])


def _named_seat(context: Context) -> tuple[VoterPlace, StoredVoter]:
    """Returns the seat of the voter that the path names; raises 404 for a user who is not one."""
    resolution = context.find(visible_resolution)
    if resolution.status == "draft":
        raise not_found()
    seat = voter_place(context, resolution, UserId(context.params["userId"]))
    if seat.voter is None:
        raise not_found()
    return seat, seat.voter


def recusable_seat(context: Context) -> VoterPlace:
    """Returns the seat of the voter that the path names; raises 404, then 403 unless the caller may recuse them."""
    seat, voter = _named_seat(context)
    if voter.user_id != context.known_user_id and not reader_of(context).is_manager:
        raise forbidden("Only the voter and managers of the board may do this.")
    return seat


def recused_seat(context: Context) -> VoterPlace:
    """Returns the seat of the voter that the path names; raises 404, then 403 unless the caller may undo a recusal."""
    seat, voter = _named_seat(context)
    voting.check_may_undo(voter, context.known_user_id, is_manager=reader_of(context).is_manager)
    return seat


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(recusable_seat)
def put_resolution_recusal(
    context: Context, seat: VoterPlace, read: ResolutionContents | None, body: ReasonBody
) -> Outcome[Resolution]:
    """Recuses a voter, whose vote no longer counts: their ballot is taken back, and proxies that they hold end."""
    vote = _vote(context, seat, read)
    voting.check_open(seat.resolution, context.arrived_at)
    changed = voting.recused(
        seat.resolution, vote.state.voters, seat.user_id, body.reason, context.known_user_id, context.now
    )
    hiding = voting.hides_by_number(seat.resolution, seat.user_id, context.known_user_id)
    touched = vote.state.voters if hiding else ()  # a first ballot meanwhile makes it fail
    return _recusal_changed(context, vote, seat.user_id, changed, touched, recused=True)


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(recused_seat)
def delete_resolution_recusal(
    context: Context, seat: VoterPlace, read: ResolutionContents | None
) -> Outcome[Resolution]:
    """Lets a recused voter count again; without a recusal, nothing happens."""
    vote = _vote(context, seat, read)
    voter = vote.state.voters[seat.user_id]
    voting.check_may_undo(voter, context.known_user_id, is_manager=reader_of(context).is_manager)
    voting.check_open(seat.resolution, context.arrived_at)
    new = voting.not_recused(voter)
    changed = {} if new is voter else {new.user_id: new}
    return _recusal_changed(context, vote, voter.user_id, changed, (), recused=False)


def _recusal_changed(
    context: Context,
    vote: _Vote,
    voter_id: UserId,
    changed: Mapping[UserId, StoredVoter],
    touched: Iterable[UserId],
    *,
    recused: bool,
) -> Outcome[Resolution]:
    if not changed:
        return Outcome(vote.state.shown(), [])
    resolution = vote.resolution
    payload = Recused(
        resolution_id=resolution.id,
        meeting_id=resolution.meeting_id,
        voter_id=voter_id,
        recused=recused,
        number=resolution.number or "",
        title=resolution.title,
        is_own=voter_id == context.known_user_id,
        had_voted=vote.state.voters[voter_id].ballot is not None,
    )
    event = record_resolution_event(context, events.VOTER_RECUSED, resolution, payload)
    return Outcome(vote.state.after(changed).shown(), [*vote.changed(changed, touched), *event])
