"""Closes and withdraws resolutions, by a manager or by the clock (an extension of the API, ADR resolutions).

The record is one transaction: the result, its certificate, the event, and every group of voters as it was counted. So a
ballot that was accepted is in it, and none is accepted after it.
"""

from __future__ import annotations

import json

from governance import instants
from governance.domain.events import resolutions as events
from governance.domain.meetings import minute_book as book_rules
from governance.domain.resolutions import closing as closing_rules
from governance.domain.resolutions import voting
from governance.domain.resolutions.certificate import certify
from governance.ids import BoardId, time_ordered_id
from governance.instants import Instant, millis
from governance.models.meetings.meeting import StoredMeeting
from governance.models.resolutions.ballot import StoredVoter
from governance.models.resolutions.resolution import DECIDED, ReasonBody, Resolution, StoredResolution
from governance.settings import Secret
from governance.store.boards import boards
from governance.store.meetings import meetings, minute_book
from governance.store.resolutions import certificates, resolutions
from governance.store.resolutions.resolutions import ResolutionContents
from governance.store.schema.entities import RESOLUTION
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write, retry_stale_reads
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, prefetch, renewed_by, uses_secret
from governance.usecases.resolutions.opening import forget_due
from governance.usecases.resolutions.reading import (
    State,
    body_named,
    count_of,
    run_resolution,
    secret_of,
    state_of,
    visible_resolution,
)
from governance.usecases.resolutions.recording import record_resolution_event


def _with_voters(context: Context, recorded: str) -> str:
    """Returns a recorded response with the voters, who never change any more. Raises 404 if it is hidden by now.

    With the reasons of their recusals they may take more than a recorded response can hold.
    """
    ended = context.find(visible_resolution)
    answer = json.loads(recorded)
    voters = state_of(ended, resolutions.read_body(ended.board_id, ended.id), context.now).shown().voters
    answer["data"]["voters"] = [json.loads(voter.to_json()) for voter in voters]
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def _without_voters(state: State) -> Resolution:
    return state.shown().model_copy(update={"voters": ()})


@renewed_by(_with_voters)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@uses_secret(Secret.BALLOT)
@finds(visible_resolution)
def close_resolution(context: Context, old: StoredResolution, read: ResolutionContents | None) -> Outcome[Resolution]:
    """Closes an open resolution whose outcome cannot change, or whose meeting is in progress."""
    voting.check_open(old, context.arrived_at)
    state = state_of(old, read, context.now)
    closing_rules.check_closable(old, tuple(state.voters.values()), _meeting(old))
    closed = _closed(state, context.now)
    writes = _record(context, old, resolutions.body_of(old, read), closed)
    return Outcome(closed.shown(), writes, replay=_without_voters(closed))


def _meeting(resolution: StoredResolution) -> StoredMeeting | None:
    return meetings.find(resolution.board_id, resolution.meeting_id) if resolution.meeting_id else None


def _closed(state: State, at: Instant) -> State:
    return State(closing_rules.closed(state.resolution, count_of(state), at, at), state.content, state.voters)


def _record(
    context: Context, old: StoredResolution, body: ResolutionContents, closed: State, *, by_clock: bool = False
) -> list[Write]:
    """Returns the writes of the result; they fail with `StaleRead` if a voter changed since they were read."""
    new, shown = closed.resolution, closed.shown()
    tally = new.tally
    if tally is None or new.status not in DECIDED:
        raise StaleRead
    secret = secret_of(closed)
    named = closing_rules.certified(closed.voters.values())
    ballots = named if secret is None else closing_rules.certified_choices(tally, secret)
    event_id = time_ordered_id(millis(context.now))
    certificate = certify(context.board, shown, tally, body.content.papers, ballots)
    payload = events.ResolutionClosed(
        resolution_id=new.id,
        meeting_id=new.meeting_id,
        number=new.number or "",
        outcome=new.status,
        certificate_sha256=certificate.sha256,
        title=new.title,
    )
    return [
        *resolutions.replace(old, new, commit_by=None if by_clock else voting.settled_at(old.closes_at)),
        *_close_groups(old, body, closed),
        *certificates.put(new, certificate.text, event_id),
        *enter(new, certificate.sha256, event_id),
        *supersede(new, context.now),
        *forget_due(old),
        *record_resolution_event(context, events.RESOLUTION_CLOSED, new, payload, event_id),
    ]


def _close_groups(resolution: StoredResolution, body: ResolutionContents, closed: State) -> list[Write]:
    return [
        resolutions.replace_group(
            resolution,
            number,
            group,
            group.model_copy(
                update={"voters": _final(group.voters, closed), "closed": True, "version": group.version + 1}
            ),
        )
        for number, group in enumerate(body.groups)
    ]


def _final(voters: tuple[StoredVoter, ...], closed: State) -> tuple[StoredVoter, ...]:
    return tuple(closed.voters[voter.user_id] for voter in voters)


def enter(new: StoredResolution, sha256: str, event_id: str) -> list[Write]:
    """Returns the write of a carried resolution's entry in the minute book; of any other none."""
    if new.status != "carried":
        return []
    return [minute_book.put(book_rules.entry_of_resolution(new, sha256, event_id))]


def supersede(new: StoredResolution, now: Instant) -> list[Write]:
    """Returns the writes by which a carried resolution takes the place of another, unless one has taken it before."""
    if new.status != "carried" or new.supersedes_id is None:
        return []
    other = resolutions.find(new.board_id, new.supersedes_id)
    if other is None or other.superseded_by_id is not None:
        return []
    return [
        *resolutions.replace(other, closing_rules.superseded(other, new.id, now)),
        *minute_book.supersede(new.board_id, "resolution", other.number or "", new.number or ""),
    ]


@renewed_by(_with_voters)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(run_resolution)
def withdraw_resolution(
    context: Context, old: StoredResolution, read: ResolutionContents | None, body: ReasonBody
) -> Outcome[Resolution]:
    """Withdraws an open resolution: there is no result, and what is hidden stays hidden."""
    voting.check_open(old, context.arrived_at)
    state = state_of(old, read, context.now)
    new = closing_rules.withdrawn(old, body.reason, context.known_user_id, context.now)
    withdrawn = State(new, state.content, state.voters)
    payload = events.ResolutionWithdrawn(resolution_id=new.id, meeting_id=new.meeting_id, number=new.number or "")
    writes = [
        *resolutions.replace(old, new, commit_by=voting.settled_at(old.closes_at)),
        *_close_groups(old, resolutions.body_of(old, read), withdrawn),
        *forget_due(old),
        *record_resolution_event(context, events.RESOLUTION_WITHDRAWN, new, payload),
    ]
    return Outcome(withdrawn.shown(), writes, replay=_without_voters(withdrawn))


def record_by_clock(board_id: BoardId, resolution_id: str) -> None:
    """Records the result of a resolution whose time is over, whatever the board's billing state; else does nothing."""
    retry_stale_reads(lambda: _record_by_clock(board_id, resolution_id))


def _record_by_clock(board_id: BoardId, resolution_id: str) -> None:
    at = instants.now()
    board, old = boards.find(board_id), resolutions.find(board_id, resolution_id)
    if board is None or old is None or not voting.is_over(old, at):
        return
    read = resolutions.read_body(board_id, resolution_id)
    context = Context(now=at, known_board=board)
    writes = _record(context, old, resolutions.body_of(old, read), state_of(old, read, at), by_clock=True)
    transact(context.while_board_exists(writes))
