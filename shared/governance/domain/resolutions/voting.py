"""The rules of voting: ballots, proxies and recusals (ADR resolutions).

A voter is what is stored, with what has followed since from departures: `as_of` says who no longer counts. A voter who
left and has not voted is recused by it; a proxy ends when its holder leaves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from governance.errors import ApiError, Reason, conflict, forbidden, invalid_body
from governance.ids import UserId
from governance.instants import Instant, shift
from governance.limits import RESOLUTION_SETTLES_SECONDS
from governance.models.resolutions.ballot import BallotBody, Choice, StoredBallot, StoredVoter, VoterGroup
from governance.models.resolutions.resolution import Recusal, StoredDeparture, StoredResolution

LEFT = "left"
"""The reason of the recusal of someone who left."""
Voters = Mapping[UserId, StoredVoter]


def settled_at(closes_at: Instant | None) -> Instant | None:
    """Returns the instant by which all that arrived before the close is committed; from then on the outcome is shown.

    None for a resolution that a person closes.
    """
    return shift(closes_at, seconds=RESOLUTION_SETTLES_SECONDS) if closes_at is not None else None


def is_open_at(status: str, closes_at: Instant | None, now: Instant) -> bool:
    """Returns whether a resolution is shown as open at an instant."""
    settled = settled_at(closes_at)
    return status == "open" and (settled is None or now < settled)


def is_over(resolution: StoredResolution, now: Instant) -> bool:
    """Returns whether the clock has closed a resolution whose result is not recorded yet."""
    return resolution.status == "open" and not is_open_at(resolution.status, resolution.closes_at, now)


def check_open(resolution: StoredResolution, arrived_at: Instant) -> None:
    """Raises 409 `RESOLUTION_CLOSED` unless the resolution takes what arrives at this instant."""
    is_in_time = resolution.closes_at is None or arrived_at < resolution.closes_at
    if resolution.status != "open" or not is_in_time:
        raise conflict(Reason.RESOLUTION_CLOSED)


def as_of(
    resolution: StoredResolution, voters: Iterable[StoredVoter], departures: Sequence[StoredDeparture]
) -> dict[UserId, StoredVoter]:
    """Returns the voters by id, with what follows from departures before the resolution closes."""
    left, gone = _left(resolution, departures), gone_since(resolution, departures)
    return {voter.user_id: _after(voter, left, gone, resolution.committee_version) for voter in voters}


def gone_since(resolution: StoredResolution, departures: Sequence[StoredDeparture]) -> frozenset[UserId]:
    """Returns who left while the resolution was open: they hold no proxies, even if they came back."""
    opened_at = resolution.opened_at or ""
    left = _left(resolution, departures)
    return frozenset(user_id for user_id, own in left.items() if any(departure.at >= opened_at for departure in own))


_Left = Mapping[UserId, Sequence[StoredDeparture]]


def _left(resolution: StoredResolution, departures: Sequence[StoredDeparture]) -> _Left:
    left: dict[UserId, list[StoredDeparture]] = {}
    for departure in departures:
        in_time = resolution.closes_at is None or departure.at < resolution.closes_at
        if in_time and departure.committee_id in (None, resolution.committee_id):
            for user_id in departure.user_ids:
                left.setdefault(user_id, []).append(departure)
    return left


def _after(voter: StoredVoter, left: _Left, gone: Collection[UserId], committee_version: int) -> StoredVoter:
    mine = [departure for departure in left.get(voter.user_id, ()) if _ends(departure, voter, committee_version)]
    changes: dict[str, object] = {}
    if mine and voter.recused is None and voter.ballot is None:
        changes["recused"] = Recusal(reason=LEFT, by_user_id=None, at=mine[0].at)
    if voter.proxy_user_id in gone:
        changes["proxy_user_id"] = None
    return voter.model_copy(update=changes) if changes else voter


def _ends(departure: StoredDeparture, voter: StoredVoter, committee_version: int) -> bool:
    """Returns whether a departure is that of the membership, or from the seat, with which the voter became one."""
    if departure.committee_id is None:
        return departure.join_id == voter.join_id
    return departure.committee_version > committee_version


def choices(voters: Iterable[StoredVoter]) -> dict[UserId, Choice]:
    """Returns what was chosen for each voter who has voted, of ballots that are not secret."""
    return {voter.user_id: voter.ballot.choice for voter in voters if voter.ballot and voter.ballot.choice}


def have_all_voted(voters: Iterable[StoredVoter]) -> bool:
    """Returns whether everybody who may vote has."""
    return all(voter.ballot is not None for voter in voters if voter.recused is None)


def voter_in(voters: Voters, user_id: UserId) -> StoredVoter:
    """Returns a voter; raises 403 for a user who is not one."""
    voter = voters.get(user_id)
    if voter is None:
        raise no_voter()
    return voter


def named_voter(voters: Voters, user_id: UserId) -> StoredVoter:
    """Returns the voter that a ballot is cast for; raises 400 for a user who is not one."""
    voter = voters.get(user_id)
    if voter is None:
        raise invalid_body({"forUserId": "must be the user id of a voter of this resolution"})
    return voter


def no_voter() -> ApiError:
    """Returns the 403 for a user who is not a voter."""
    return forbidden("Only the voters of this resolution may do this.")


def _not_recused(voter: StoredVoter) -> None:
    if voter.recused is not None:
        raise conflict(Reason.RECUSED)


def check_may_cast(voter: StoredVoter, caster: UserId) -> None:
    """Raises 403 unless the ballot is the caller's own, or that of a voter whose proxy they hold."""
    if voter.user_id != caster and voter.proxy_user_id != caster:
        raise forbidden("Only the voter and the holder of their proxy may do this.")


def cast(
    resolution: StoredResolution, voter: StoredVoter, caster: UserId, body: BallotBody, now: Instant
) -> StoredVoter:
    """Returns the voter with the ballot that is cast for them; of a secret one, only that they voted.

    Raises 400 for a comment on a secret ballot, then 409: `RECUSED`, or `ALREADY_VOTED` where a ballot stands that this
    caller cannot replace.
    """
    is_secret = resolution.ballots == "secret"
    if is_secret and body.comment is not None:
        raise invalid_body({"comment": "must not be given where ballots are secret"})
    _not_recused(voter)
    _check_replaceable(resolution, voter, caster)
    if is_secret:
        return voter.model_copy(update={"ballot": StoredBallot(cast_by_user_id=caster)})
    ballot = StoredBallot(cast_by_user_id=caster, choice=body.choice, comment=body.comment, updated_at=now)
    return voter.model_copy(update={"ballot": ballot})


def _check_replaceable(resolution: StoredResolution, voter: StoredVoter, caster: UserId) -> None:
    """Raises 409 `ALREADY_VOTED` where a ballot stands: a secret one, or a voter's own against their proxy's holder."""
    if voter.ballot is None:
        return
    is_own = voter.ballot.cast_by_user_id == voter.user_id
    if resolution.ballots == "secret" or (is_own and caster != voter.user_id):
        raise conflict(Reason.ALREADY_VOTED)


def taken_back(resolution: StoredResolution, voter: StoredVoter, caster: UserId) -> StoredVoter:
    """Returns the voter without their ballot; the same object if there is none. Raises 409 as `cast` does."""
    _not_recused(voter)
    _check_replaceable(resolution, voter, caster)
    return voter if voter.ballot is None else voter.model_copy(update={"ballot": None})


def check_proxies(resolution: StoredResolution) -> None:
    """Raises 409 `PROXIES_NOT_ALLOWED` unless the rule allows proxies."""
    if not resolution.rule.proxies:
        raise conflict(Reason.PROXIES_NOT_ALLOWED)


def with_proxy(voters: Voters, giver: StoredVoter, holder_id: UserId, gone: Collection[UserId] = ()) -> StoredVoter:
    """Returns a voter who gave their proxy to another; the same object if they had given it to them before.

    A ballot that an earlier holder cast is taken back. Those who have `gone` hold none, even if they are back. Raises
    400 for oneself and for a user who is not a voter, then 409: `RECUSED`, `PROXY_CHAIN` or `ALREADY_VOTED`.
    """
    holder = voters.get(holder_id)
    if holder is None or holder_id == giver.user_id:
        raise invalid_body({"userId": "must be the user id of another voter of this resolution"})
    _not_recused(giver)
    _not_recused(holder)
    if holder_id in gone:
        raise conflict(Reason.RECUSED)
    if holder.proxy_user_id is not None or any(voter.proxy_user_id == giver.user_id for voter in voters.values()):
        raise conflict(Reason.PROXY_CHAIN)
    if giver.ballot is not None and giver.ballot.cast_by_user_id == giver.user_id:
        raise conflict(Reason.ALREADY_VOTED)
    if giver.proxy_user_id == holder_id:
        return giver
    return giver.model_copy(update={"proxy_user_id": holder_id, "ballot": None})


def without_proxy(giver: StoredVoter) -> StoredVoter:
    """Returns a voter who took their proxy back, with the ballot that its holder cast; the same object without one."""
    _not_recused(giver)
    is_own = giver.ballot is None or giver.ballot.cast_by_user_id == giver.user_id
    if giver.proxy_user_id is None and is_own:
        return giver
    return giver.model_copy(update={"proxy_user_id": None, "ballot": giver.ballot if is_own else None})


def recused(
    resolution: StoredResolution, voters: Voters, user_id: UserId, reason: str, by: UserId, now: Instant
) -> dict[UserId, StoredVoter]:
    """Returns the voters who change when one is recused by themselves or by a manager.

    Their ballot is taken back, and proxies that they hold end. An earlier recusal is replaced, but not a manager's by
    the voter, who could undo it then, nor that of someone who left. Raises 409 `ALREADY_VOTED` for a secret ballot, and
    `BALLOTS_CAST` where another recuses once there are secret ballots: each recusal would leave fewer to hide among.
    """
    voter = voters[user_id]
    if voter.recused is not None:
        old_by = voter.recused.by_user_id
        is_undone_by_voter = by == user_id and old_by != user_id
        if old_by is None or is_undone_by_voter or (old_by, voter.recused.reason) == (by, reason):
            return {}
    if voter.ballot is not None and resolution.ballots == "secret":
        raise conflict(Reason.ALREADY_VOTED)
    if hides_by_number(resolution, user_id, by) and any(other.ballot is not None for other in voters.values()):
        raise conflict(Reason.BALLOTS_CAST)
    recusal = Recusal(reason=reason, by_user_id=by, at=now)
    givers = [giver for giver in voters.values() if giver.proxy_user_id == user_id]
    return {
        user_id: voter.model_copy(update={"recused": recusal, "ballot": None, "proxy_user_id": None}),
        **{giver.user_id: giver.model_copy(update={"proxy_user_id": None}) for giver in givers},
    }


def hides_by_number(resolution: StoredResolution, user_id: UserId, by: UserId) -> bool:
    """Returns whether a recusal depends on there being no ballot yet: by another than the voter, of a secret vote."""
    return resolution.ballots == "secret" and by != user_id


def check_may_undo(voter: StoredVoter, by: UserId, *, is_manager: bool) -> None:
    """Raises 403 unless the caller made the recusal, or is a manager."""
    made_by = voter.recused.by_user_id if voter.recused else by
    if not is_manager and made_by != by:
        raise forbidden("Ask a manager of the board or the member who recused the voter.")


def not_recused(voter: StoredVoter) -> StoredVoter:
    """Returns a voter who counts again; the same object if they did. Raises 409 `RECUSED` for someone who left."""
    if voter.recused is None:
        return voter
    if voter.recused.by_user_id is None:
        raise conflict(Reason.RECUSED)
    return voter.model_copy(update={"recused": None})


def without_comments(group: VoterGroup, casters: Collection[UserId]) -> VoterGroup:
    """Returns a group of voters without what these users wrote with ballots; the same object if there is nothing."""
    changed = {
        voter.user_id: voter.model_copy(update={"ballot": voter.ballot.model_copy(update={"comment": None})})
        for voter in group.voters
        if voter.ballot and voter.ballot.comment is not None and voter.ballot.cast_by_user_id in casters
    }
    if not changed:
        return group
    voters = tuple(changed.get(voter.user_id, voter) for voter in group.voters)
    return group.model_copy(update={"voters": voters, "version": group.version + 1})
