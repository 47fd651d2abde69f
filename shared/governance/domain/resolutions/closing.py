"""The rules of closing a resolution: when a manager may, and what its readers see (ADR resolutions)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from governance.domain.resolutions import voting
from governance.domain.resolutions.count import count, count_secret, is_settled
from governance.domain.resolutions.visibility import Reader
from governance.errors import Reason, conflict
from governance.ids import UserId
from governance.instants import Instant
from governance.models.meetings.meeting import StoredMeeting
from governance.models.resolutions.ballot import Ballot, CertifiedBallot, Choice, StoredVoter
from governance.models.resolutions.resolution import (
    DECIDED,
    DraftVoter,
    Resolution,
    StoredResolution,
    Tally,
    Voter,
    Withdrawal,
)


def tally_of(resolution: StoredResolution, voters: Sequence[StoredVoter], secret: Sequence[Choice] | None) -> Tally:
    """Returns the count of the ballots as they are; `secret` are the choices of ballots that are secret."""
    if secret is not None:
        return count_secret(resolution.rule, voters, secret)
    return count(resolution.rule, voters, voting.choices(voters))


def check_closable(resolution: StoredResolution, voters: Sequence[StoredVoter], meeting: StoredMeeting | None) -> None:
    """Raises 409 `VOTES_OPEN` unless the meeting is in progress, all have voted, or no missing vote can decide.

    A secret one is closed when all have voted, so that nobody chooses whose ballots are counted.
    """
    if meeting is not None and meeting.status == "in_progress" and resolution.ballots != "secret":
        return
    is_named = resolution.ballots == "named"
    if voting.have_all_voted(voters) or (is_named and is_settled(resolution.rule, voters, voting.choices(voters))):
        return
    raise conflict(Reason.VOTES_OPEN)


def closed(resolution: StoredResolution, tally: Tally, closed_at: Instant, now: Instant) -> StoredResolution:
    """Returns the resolution with its result: it has lapsed where the count must not say one."""
    changes = {"status": tally.outcome or "lapsed", "tally": tally, "closed_at": closed_at, "updated_at": now}
    return resolution.model_copy(update={**changes, "version": resolution.version + 1})


def withdrawn(resolution: StoredResolution, reason: str, by: UserId, now: Instant) -> StoredResolution:
    """Returns the resolution after it was withdrawn: without a result."""
    withdrawal = Withdrawal(reason=reason, by_user_id=by, at=now)
    changes = {"status": "withdrawn", "withdrawn": withdrawal, "updated_at": now}
    return resolution.model_copy(update={**changes, "version": resolution.version + 1})


def superseded(resolution: StoredResolution, by_id: str, now: Instant) -> StoredResolution:
    """Returns a resolution after another one that takes its place was carried."""
    changes = {"superseded_by_id": by_id, "updated_at": now, "version": resolution.version + 1}
    return resolution.model_copy(update=changes)


def shown(resolution: StoredResolution, text: str, voters: Iterable[Voter | DraftVoter]) -> Resolution:
    """Returns a resolution as its readers see it, with these voters."""
    return Resolution.model_validate(
        {
            **{name: getattr(resolution, name) for name in Resolution.model_fields if hasattr(resolution, name)},
            "object": "resolution",
            "text": text,
            "voters": tuple(Voter.model_validate(vars(voter)) for voter in voters),
        }
    )


def ballots(resolution: StoredResolution, voters: Mapping[UserId, StoredVoter], reader: Reader) -> list[Ballot]:
    """Returns the ballots that a reader sees, by voter.

    Named ones are visible at once, hidden ones when the resolution was decided; before that, the reader's own and those
    that they cast. Secret ones only show who voted.
    """
    is_hidden = resolution.ballots == "hidden" and resolution.status not in DECIDED
    return [
        ballot_of(resolution, voter)
        for user_id, voter in sorted(voters.items())
        if voter.ballot is not None and (not is_hidden or reader.user_id in (user_id, voter.ballot.cast_by_user_id))
    ]


def ballot_of(resolution: StoredResolution, voter: StoredVoter, secret: Choice | None = None) -> Ballot:
    """Returns the ballot of a voter who has one; `secret` is the choice, for the answer to the user who cast it."""
    if voter.ballot is None:
        raise ValueError("the voter has no ballot")
    return Ballot(
        resolution_id=resolution.id,
        user_id=voter.user_id,
        cast_by_user_id=voter.ballot.cast_by_user_id,
        choice=secret or voter.ballot.choice,
        weight=voter.weight,
        comment=voter.ballot.comment,
        updated_at=voter.ballot.updated_at,
    )


def certified_choices(tally: Tally, secret: Sequence[Choice]) -> Sequence[Choice]:
    """Returns the secret choices that the certificate shows: none where their sums are not shown."""
    return [] if tally.for_ is None else secret


def certified(voters: Iterable[StoredVoter]) -> list[CertifiedBallot]:
    """Returns the ballots that count, as the certificate names them."""
    return [
        CertifiedBallot(
            user_id=voter.user_id,
            cast_by_user_id=voter.ballot.cast_by_user_id,
            choice=voter.ballot.choice,
            weight=voter.weight,
        )
        for voter in voters
        if voter.ballot is not None and voter.ballot.choice is not None
    ]
