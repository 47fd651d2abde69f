"""Opens a resolution: its text, its rule, its papers and its voters are fixed from then on (ADR resolutions)."""

from __future__ import annotations

from governance.domain.events import resolutions as events
from governance.domain.resolutions import opening as opening_rules
from governance.domain.resolutions.opening import Circumstances
from governance.models.committees.committee import StoredCommittee
from governance.models.notifications.reminder import DueReminder, ReminderKind
from governance.models.queue import DeliveryKind, DueMessage
from governance.models.resolutions.resolution import Resolution, StoredResolution
from governance.settings import Secret
from governance.store import due, numbers
from governance.store.committees import committees
from governance.store.meetings import meetings
from governance.store.resolutions import resolutions
from governance.store.resolutions.resolutions import ResolutionContents
from governance.store.schema.entities import RESOLUTION, resolution_numbers_key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, prefetch, uses_secret
from governance.usecases.resolutions.reading import State, body_named, state_of, visible_resolution, with_tally
from governance.usecases.resolutions.recording import record_resolution_event
from governance.usecases.resolutions.references import circumstances, committee_of


@uses_secret(Secret.BALLOT)
@loads(RESOLUTION, own_committees)
@prefetch(body_named)
@finds(visible_resolution)
def open_resolution(context: Context, old: StoredResolution, read: ResolutionContents | None) -> Outcome[Resolution]:
    """Opens a draft: gives it its number, and fixes its text, its rule, its voters and the files of its documents.

    What a meeting or a committee allows now is decided on their present state: the writes fail if it changes meanwhile.
    """
    opening_rules.check_draft(old)
    content = state_of(old, read, context.now).content
    committee = committee_of(old)
    references = circumstances(context, old, content, committee)
    voting = opening_rules.voters(content, references)
    opening_rules.check(old, voting, references, context.now)
    groups = opening_rules.groups(old.id, voting)
    year = context.now[:4]
    numbers_key = resolution_numbers_key(old.board_id, year)
    number = numbers.last(numbers_key) + 1
    new = opening_rules.opened(old, f"{year}-{number}", groups, committee.version + 1 if committee else 0, context.now)
    fixed = content.model_copy(
        update={"voters": (), "papers": opening_rules.papers(old, references), "version": new.content_version}
    )
    told = events.ResolutionOpened(
        resolution_id=new.id,
        meeting_id=new.meeting_id,
        number=new.number or "",
        title=new.title,
        closes_at=new.closes_at,
    )
    writes = [
        *resolutions.replace(old, new, fixed),
        *resolutions.create_groups(new, groups),
        numbers.take(numbers_key, number),
        *_held(references, committee),
        *due_rows(new),
        *record_resolution_event(context, events.RESOLUTION_OPENED, new, told),
    ]
    state = State(new, fixed, {voter.user_id: voter for voter in voting})
    return Outcome(with_tally(state).shown(), writes)


def _held(references: Circumstances, committee: StoredCommittee | None) -> list[Write]:
    """Returns the writes that make a deletion notice the resolution which has just been opened on the same thing."""
    return [
        *([meetings.renew(references.meeting)] if references.meeting else []),
        *([committees.renew(committee)] if committee else []),
    ]


def _due(resolution: StoredResolution) -> list[DueMessage]:
    """Returns what the clock has to do for a resolution while it is open: remind the voters, and record the result."""
    if resolution.status != "open" or resolution.closes_at is None or resolution.opened_at is None:
        return []
    reminder = DueReminder(
        kind=ReminderKind.RESOLUTION,
        due_at=opening_rules.reminder_due(resolution.opened_at, resolution.closes_at),
        board_id=resolution.board_id,
        resolution_id=resolution.id,
    )
    record = DueMessage(
        kind=DeliveryKind.RESOLUTION,
        due_at=opening_rules.record_due(resolution.closes_at),
        group=resolution.board_id,
        subject_id=resolution.id,
        body={"boardId": resolution.board_id, "resolutionId": resolution.id},
    )
    return [due.message_of(reminder), record]


def due_rows(resolution: StoredResolution) -> list[Write]:
    """Returns the writes of what the clock has to do for an open resolution."""
    return [due.put(message) for message in _due(resolution)]


def forget_due(resolution: StoredResolution) -> list[Write]:
    """Returns the writes by which the clock has nothing more to do for a resolution."""
    return [due.forget(message) for message in _due(resolution)]
