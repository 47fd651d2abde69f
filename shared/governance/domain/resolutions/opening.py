"""The rules of opening a resolution: who may vote, by which rule, until when (ADR resolutions)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from governance.domain.access.access import member_tier
from governance.errors import Reason, conflict, invalid_body
from governance.ids import UserId
from governance.instants import Instant, from_millis, millis, shift
from governance.limits import (
    EVENT_SETTLES_SECONDS,
    RESOLUTION_OPEN_DAYS,
    RESOLUTION_OPEN_SECONDS,
    RESOLUTION_REMINDER_HOURS,
    SECRET_VOTERS,
    VOTERS_PER_GROUP,
)
from governance.models.boards.board import Membership
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import StoredVersions
from governance.models.meetings.meeting import StoredMeeting
from governance.models.resolutions.ballot import StoredVoter, VoterGroup
from governance.models.resolutions.paper import Paper
from governance.models.resolutions.resolution import DraftVoter, StoredContent, StoredResolution
from governance.scopes import Tier


@dataclass(frozen=True)
class Circumstances:
    """What a resolution refers to, as it is when it is opened.

    `members` are those of the board, or of the committee where there is one. `seats` are the committees of each.
    """

    members: Mapping[UserId, Membership]
    seats: Mapping[UserId, Collection[str]]
    documents: Mapping[str, StoredDocument]
    meeting: StoredMeeting | None
    has_agenda_item: bool
    superseded: StoredResolution | None
    versions: Mapping[str, StoredVersions] = field(default_factory=dict)


def check_draft(resolution: StoredResolution) -> None:
    """Raises 409 `NOT_DRAFT` for a resolution that was opened."""
    if resolution.status != "draft":
        raise conflict(Reason.NOT_DRAFT)


def voters(content: StoredContent, circumstances: Circumstances) -> tuple[StoredVoter, ...]:
    """Returns who may vote, by id: those that the draft names, else members from collaborator up of the board's own.

    Raises 400 if nobody votes, or if someone is named who is not a member.
    """
    named = content.voters or tuple(
        DraftVoter(user_id=member.user_id)
        for member in circumstances.members.values()
        if member_tier(member) >= Tier.COLLABORATOR and not member.is_internal_mgmt
    )
    strangers = [
        f"voters.{number}.userId" for number, voter in enumerate(named) if voter.user_id not in circumstances.members
    ]
    if strangers:
        raise invalid_body(dict.fromkeys(strangers, "must be a member of the board, and of the resolution's committee"))
    if not named:
        raise invalid_body({"voters": "must name someone: nobody would vote"})
    joined = {voter.user_id: circumstances.members[voter.user_id].join_id for voter in named}
    return tuple(
        StoredVoter(user_id=voter.user_id, weight=voter.weight, join_id=joined[voter.user_id])
        for voter in sorted(named, key=lambda voter: voter.user_id)
    )


def check(
    resolution: StoredResolution, voting: Sequence[StoredVoter], circumstances: Circumstances, now: Instant
) -> None:
    """Raises 400 for a rule, a reference or an end with which the resolution cannot be opened."""
    errors = {
        **_errors_of_rule(resolution, voting),
        **_errors_of_papers(resolution, voting, circumstances),
        **_errors_of_end(resolution, circumstances.meeting, now),
        **_errors_of_references(resolution, circumstances),
    }
    if errors:
        raise invalid_body(errors)


def _errors_of_rule(resolution: StoredResolution, voting: Sequence[StoredVoter]) -> dict[str, str]:
    rule, errors = resolution.rule, {}
    if rule.casting_vote_user_id is not None and all(rule.casting_vote_user_id != voter.user_id for voter in voting):
        errors["rule.castingVoteUserId"] = "must be the user id of a voter"
    if resolution.ballots == "secret":
        if len(voting) < SECRET_VOTERS:
            errors["voters"] = f"must be at least {SECRET_VOTERS} where ballots are secret"
        if any(voter.weight != 1 for voter in voting):
            errors["voters"] = "must have the weight 1 where ballots are secret"
        if rule.casting_vote_user_id is not None:
            errors["rule.castingVoteUserId"] = "must not be given where ballots are secret"
        if rule.proxies:
            errors["rule.proxies"] = "must be false where ballots are secret"
    return errors


def _errors_of_papers(
    resolution: StoredResolution, voting: Sequence[StoredVoter], circumstances: Circumstances
) -> dict[str, str]:
    errors = {}
    for number, document_id in enumerate(resolution.document_ids):
        document = circumstances.documents.get(document_id)
        if document is None:
            errors[f"documentIds.{number}"] = "must be the id of a document of this board"
        elif document.audience is not None or not _is_seen_by_all(document.committee_id, voting, circumstances.seats):
            errors[f"documentIds.{number}"] = "must be a document that every voter may see"
    return errors


def _is_seen_by_all(
    committee_id: str | None, voting: Iterable[StoredVoter], seats: Mapping[UserId, Collection[str]]
) -> bool:
    return committee_id is None or all(committee_id in seats.get(voter.user_id, ()) for voter in voting)


def _errors_of_end(resolution: StoredResolution, meeting: StoredMeeting | None, now: Instant) -> dict[str, str]:
    if resolution.closes_at is None:
        is_running = meeting is not None and meeting.status == "in_progress"
        return {} if is_running else {"closesAt": "must be given, unless the meeting is in progress"}
    earliest, latest = shift(now, seconds=RESOLUTION_OPEN_SECONDS), shift(now, days=RESOLUTION_OPEN_DAYS)
    if earliest <= resolution.closes_at <= latest:
        return {}
    return {"closesAt": f"must be {RESOLUTION_OPEN_SECONDS} seconds to {RESOLUTION_OPEN_DAYS} days ahead"}


def _errors_of_references(resolution: StoredResolution, circumstances: Circumstances) -> dict[str, str]:
    errors = {}
    meeting, superseded = circumstances.meeting, circumstances.superseded
    if resolution.meeting_id is not None and (meeting is None or meeting.status in ("draft", "finalized")):
        errors["meetingId"] = "must be a meeting that is neither a draft nor finalized"
    if resolution.agenda_item_id is not None and not circumstances.has_agenda_item:
        errors["agendaItemId"] = "must be the id of an item of the meeting's agenda"
    if resolution.supersedes_id is not None and not _can_be_superseded(superseded):
        errors["supersedesId"] = "must be a resolution that is carried and not superseded"
    return errors


def _can_be_superseded(resolution: StoredResolution | None) -> bool:
    return resolution is not None and resolution.status == "carried" and resolution.superseded_by_id is None


def papers(resolution: StoredResolution, circumstances: Circumstances) -> tuple[Paper, ...]:
    """Returns the papers as they are now: the latest file of each; none for a document without files."""
    return tuple(
        _paper(circumstances.documents[id_], circumstances.versions.get(id_)) for id_ in resolution.document_ids
    )


def _paper(document: StoredDocument, versions: StoredVersions | None) -> Paper:
    latest = [version for version in versions.versions if version.id == document.latest_version_id] if versions else []
    sha256 = latest[0].sha256 if latest else None
    return Paper(document_id=document.id, version_id=document.latest_version_id, sha256=sha256)


def groups(resolution_id: str, voting: Sequence[StoredVoter]) -> list[VoterGroup]:
    """Returns the voters in groups of one item each."""
    return [
        VoterGroup(resolution_id=resolution_id, voters=tuple(voting[start : start + VOTERS_PER_GROUP]))
        for start in range(0, len(voting), VOTERS_PER_GROUP)
    ]


def opened(
    resolution: StoredResolution, number: str, groups: Sequence[VoterGroup], committee_version: int, now: Instant
) -> StoredResolution:
    """Returns the resolution after it was opened."""
    return resolution.model_copy(
        update={
            "number": number,
            "status": "open",
            "group_starts": tuple(group.voters[0].user_id for group in groups),
            "committee_version": committee_version,
            "content_version": resolution.content_version + 1,
            "opened_at": now,
            "updated_at": now,
            "version": resolution.version + 1,
        }
    )


def reminder_due(opened_at: Instant, closes_at: Instant) -> Instant:
    """Returns when those who have not voted are reminded: a day before the end, or at half time if that is later."""
    half_time = from_millis((millis(opened_at) + millis(closes_at)) // 2)
    return max(shift(closes_at, hours=-RESOLUTION_REMINDER_HOURS), half_time)


def record_due(closes_at: Instant) -> Instant:
    """Returns when the result that the clock decides is recorded: once every earlier change is stored."""
    return shift(closes_at, seconds=EVENT_SETTLES_SECONDS)
