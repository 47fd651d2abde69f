"""Corrections of approved minutes (an extension of the API, ADR minutes)."""

from __future__ import annotations

from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings import minutes_corrections as correction_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.errors import not_found
from governance.models.boards.board import RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import Minutes, MinutesBody, StoredMinutes
from governance.models.meetings.minutes_versions import MinutesApproval
from governance.store.meetings import agendas, minutes_corrections, minutes_versions
from governance.store.schema.entities import AGENDA, MEETING, UNREGISTERED_USER_COUNT
from governance.store.schema.minutes import MINUTES, MINUTES_APPROVAL, MINUTES_CORRECTION
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, prefetch, roster_of
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minutes import (
    approval_of,
    known_subjects,
    open_correction,
    shown,
    visible_minutes,
    writes_beside,
)


def _visible_correction(context: Context) -> StoredMinutes:
    """Returns the open correction of the minutes; raises 404 if there is none that the caller sees."""
    context.find(visible_meeting)
    correction = open_correction(context)
    if correction is None or not minutes_rules.can_see(correction, context.tier):
        raise not_found()
    return correction


@loads(MEETING, MINUTES_CORRECTION)
@prefetch(roster_of)
@finds(_visible_correction)
def get_minutes_correction(context: Context, correction: StoredMinutes, members: list[RosterEntry]) -> Minutes:
    """Returns the open correction of the minutes."""
    return shown(context, correction, members)


@loads(MEETING, MINUTES, MINUTES_CORRECTION, MINUTES_APPROVAL, AGENDA, UNREGISTERED_USER_COUNT)
@prefetch(roster_of)
@finds(visible_meeting, visible_minutes)
def correct_minutes(
    context: Context,
    meeting: StoredMeeting,
    approved: StoredMinutes,
    members: list[RosterEntry],
    body: MinutesBody,
) -> Outcome[MinutesApproval]:
    """Opens a correction of approved minutes, in place of an open one; the approved ones stay until it is approved."""
    approval, in_force = correction_rules.check_correctable(approval_of(context))
    old = open_correction(context)
    known = known_subjects(context, meeting, members, body)
    new = correction_rules.corrected(meeting, approved, old, body, known, context.now)
    correction_rules.check_differs(new, in_force)
    writes = [
        minutes_corrections.put(old, new),
        agendas.check_minutes_unchanged(meeting.board_id, meeting.id, approved),
        minutes_versions.check_approval_unchanged(meeting.board_id, meeting.id, approval),
        *writes_beside(context, meeting, correction_rules.correctable(approved, old, known.writer), body),
    ]
    return Outcome(version_rules.approval_resource(approved, approval, new), writes)
