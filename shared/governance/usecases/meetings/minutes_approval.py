"""The approval of circulated minutes (an extension of the API, ADR minutes)."""

from __future__ import annotations

from governance.domain.access.visibility import can_see_meeting
from governance.domain.events import meetings as meeting_events
from governance.domain.events import minutes as events
from governance.domain.meetings import minute_book as book_rules
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.errors import Reason, conflict
from governance.ids import time_ordered_id
from governance.instants import millis
from governance.models.boards.board import RosterEntry
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.minutes_versions import MinutesApproval, MinutesApprovalBody, StoredMinutesApproval
from governance.store import numbers
from governance.store.meetings import (
    agendas,
    meetings,
    minute_book,
    minutes_corrections,
    minutes_remarks,
    minutes_versions,
)
from governance.store.schema.entities import AGENDA, MEETING
from governance.store.schema.minutes import MINUTES, MINUTES_APPROVAL, MINUTES_CORRECTION, minutes_numbers_key
from governance.store.table import read
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, prefetch, roster_of
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minutes import approval_of, open_correction, visible_minutes


@loads(MEETING, MINUTES, MINUTES_CORRECTION, MINUTES_APPROVAL, own_committees)
@prefetch(roster_of)
@finds(visible_meeting, visible_minutes)
def approve_minutes(
    context: Context,
    meeting: StoredMeeting,
    minutes: StoredMinutes,
    members: list[RosterEntry],
    body: MinutesApprovalBody,
) -> Outcome[MinutesApproval]:
    """Approves the minutes as they were circulated last: they are final and have a number from then on.

    An open correction takes their place. They are written even if they were final before, so that who changes them at
    the same time reads again.
    """
    last, correction = approval_of(context), open_correction(context)
    draft = version_rules.next_draft(minutes, correction, last)
    old = approval_rules.check_approvable(last, draft)
    if not body.force and minutes_remarks.has_open(old):
        raise conflict(Reason.REMARKS_OPEN)
    entry = _entry(context, meeting, body, is_correction=correction is not None)
    year = approval_rules.year_of(meeting)
    numbers_key = minutes_numbers_key(meeting.board_id, year)
    number = numbers.last(numbers_key) + 1
    event_id = time_ordered_id(millis(context.now))
    new = approval_rules.approved(old, body, f"{year}-{number}", event_id, context.known_user_id, context.now)
    final = approval_rules.final(minutes, draft, [member.user_id for member in members])
    writes = [
        minutes_versions.put_approval(old, new),
        numbers.take(numbers_key, number),
        *_book_entries(meeting, new),
        agendas.put_minutes(minutes, final),
        *([minutes_corrections.delete(correction)] if correction else []),
        meetings.check_open_state(meeting),
        *entry,
        *_event(context, meeting, new, event_id),
    ]
    return Outcome(version_rules.approval_resource(final, new), writes)


def _book_entries(meeting: StoredMeeting, approval: StoredMinutesApproval) -> list[Write]:
    """Returns the writes of the entry in the minute book, and of the one that it corrects."""
    entry = book_rules.entry_of_minutes(meeting, approval)
    corrected = approval.superseded[-1].book_number if approval.superseded else None
    superseded = minute_book.supersede(meeting.board_id, "minutes", corrected, entry.number) if corrected else []
    return [minute_book.put(entry), *superseded]


def _event(context: Context, meeting: StoredMeeting, approval: StoredMinutesApproval, event_id: str) -> list[Write]:
    approved = events.MinutesApproved(
        meeting_id=meeting.id,
        number=approval.number,
        sha256=approval.sha256,
        title=meeting.title,
        book_number=approval.book_number or "",
    )
    if not approval.superseded:
        return record_meeting_event(context, events.MINUTES_APPROVED, meeting, approved, event_id)
    corrects = approved.model_copy(update={"supersedes_version": approval.superseded[-1].number})
    return record_meeting_event(context, events.MINUTES_CORRECTED, meeting, corrects, event_id)


def _entry(context: Context, meeting: StoredMeeting, body: MinutesApprovalBody, *, is_correction: bool) -> list[Write]:
    """Returns the writes of the entry in the minutes of the meeting that approves; none for a resolution."""
    if body.in_meeting_id is None:
        _check_resolution(context, body)
        return []
    named = {"boardId": meeting.board_id, "meetingId": body.in_meeting_id}
    kinds = (MEETING, MINUTES, MINUTES_APPROVAL, AGENDA)
    key, minutes_key, approval_key, agenda_key = (kind.key_for(**named) for kind in kinds)
    items = read([key, minutes_key, approval_key, agenda_key])
    found = StoredMeeting.model_validate(items[key]) if key in items else None
    visible = found if found is not None and can_see_meeting(context.user_id, found) else None
    approving = approval_rules.check_meeting(meeting, visible)
    old = StoredMinutes.model_validate(items[minutes_key]) if minutes_key in items else None
    approval = StoredMinutesApproval.model_validate(items[approval_key]) if approval_key in items else None
    agenda = StoredAgenda.model_validate(items[agenda_key]) if agenda_key in items else None
    entry = approval_rules.entry_of(meeting, body, agenda, context.language, is_correction=is_correction)
    new = approval_rules.with_entry(approving, old, approval, entry, context.known_user_id, context.now)
    updated = meeting_events.OfMeeting(meeting_id=approving.id)
    return [
        agendas.put_minutes(old, new),
        minutes_versions.check_approval_unchanged(approving.board_id, approving.id, approval),
        *([agendas.check_agenda_unchanged(agenda)] if agenda and entry.agenda_item_id else []),
        meetings.check_open_state(approving),
        *record_meeting_event(context, meeting_events.MINUTES_UPDATED, approving, updated),
    ]


def _check_resolution(context: Context, body: MinutesApprovalBody) -> None:
    from governance.domain.resolutions.visibility import Reader, can_see
    from governance.store.resolutions import resolutions  # few approvals need it; a start of the meetings gains 44 ms

    found = resolutions.find(context.board.id, body.resolution_id or "")
    reader = Reader(context.user_id, context.tier, context.committee_ids)
    approval_rules.check_resolution(found if found is not None and can_see(reader, found) else None)
