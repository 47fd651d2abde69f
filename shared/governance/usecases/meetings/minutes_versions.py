"""The circulation of minutes, and their versions (an extension of the API, ADR minutes)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from governance.domain.access.visibility import event_visibilities
from governance.domain.events import minutes as events
from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.errors import not_found
from governance.ids import BoardId, is_id
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.minutes_versions import (
    CirculationBody,
    MinutesApproval,
    MinutesApprovalQuery,
    MinutesVersion,
    StoredMinutesApproval,
    StoredMinutesVersion,
    StoredVersionApproval,
)
from governance.models.page import OrderedQuery, Page
from governance.store.history import events as events_store
from governance.store.meetings import agendas, meetings, minutes_corrections, minutes_versions
from governance.store.schema.entities import MEETING
from governance.store.schema.keys import Key
from governance.store.schema.minutes import (
    MINUTES,
    MINUTES_APPROVAL,
    MINUTES_CORRECTION,
    minutes_version_key,
    minutes_version_position,
)
from governance.store.writes import Write
from governance.usecases.byte_pages import page_within
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.in_camera import reader_of
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minutes import approval_of, open_correction, stored_minutes, visible_minutes

_NUMBER = re.compile(r"[1-9]\d{0,3}", re.ASCII)


def _approvable_minutes(context: Context) -> StoredMinutes:
    """Returns the minutes. Raises 404 if there are none that the caller sees, and no version of them."""
    context.find(visible_meeting)
    minutes = stored_minutes(context)
    return minutes if minutes is not None and approval_of(context) is not None else context.find(visible_minutes)


@loads(MEETING, MINUTES, MINUTES_CORRECTION, MINUTES_APPROVAL)
@finds(_approvable_minutes)
def get_minutes_approval(context: Context, minutes: StoredMinutes, query: MinutesApprovalQuery) -> MinutesApproval:
    """Returns how far the minutes of the meeting are on their way to approval, or one approved version of them."""
    approval, correction = approval_of(context), open_correction(context)
    signed = approval.of_version(query.version) if approval and query.version else approval
    indexes = log_indexes(context, signed)
    if query.version is not None:
        return version_rules.approval_of_version(approval, query.version, indexes)
    is_shown = correction is not None and minutes_rules.can_see(correction, context.tier)
    return version_rules.approval_resource(minutes, approval, correction if is_shown else None, indexes)


def log_indexes(context: Context, approval: StoredVersionApproval | None) -> dict[str, int]:
    """Returns the places in the log of the signatures on a version, by their events, as far as they are logged."""
    event_ids = [signature.event_id for signature in (approval.signatures if approval else ())]
    visibilities = event_visibilities(context.user_id, ())
    return events_store.indexes_of(context.board.id, dict.fromkeys(event_ids, visibilities))


@loads(MEETING, MINUTES, MINUTES_CORRECTION, MINUTES_APPROVAL)
@finds(visible_meeting, visible_minutes)
def circulate_minutes(
    context: Context, meeting: StoredMeeting, minutes: StoredMinutes, body: CirculationBody
) -> Outcome[MinutesApproval]:
    """Fixes the next version of the minutes, or of their open correction, and tells the members.

    Minutes that are as they were circulated last keep their version: another end of the remarks is told again, and
    without one nothing happens.
    """
    old, correction = approval_of(context), open_correction(context)
    draft = version_rules.next_draft(minutes, correction, old)
    new, version = version_rules.circulated(meeting, draft, old, body, context.known_user_id, context.now)
    resource = version_rules.approval_resource(minutes, new)
    if new is old:
        return Outcome(resource, [])
    writes = [
        *([minutes_versions.create(version)] if version else []),
        minutes_versions.put_approval(old, new),
        minutes_corrections.check_unchanged(correction)
        if correction
        else agendas.check_minutes_unchanged(meeting.board_id, meeting.id, minutes),
        meetings.check_open_state(meeting),
        *_event(context, meeting, new),
    ]
    return Outcome(resource, writes)


def _event(context: Context, meeting: StoredMeeting, approval: StoredMinutesApproval) -> list[Write]:
    circulated = events.MinutesCirculated(
        meeting_id=meeting.id,
        number=approval.number,
        title=meeting.title,
        remarks_until=approval.remarks_until,
        timezone=meeting.timezone,
    )
    return record_meeting_event(context, events.MINUTES_CIRCULATED, meeting, circulated)


@loads(MEETING)
@finds(visible_meeting)
def list_minutes_versions(context: Context, meeting: StoredMeeting, query: OrderedQuery) -> Page[MinutesVersion]:
    """Returns a page of the versions of the minutes, newest first; it ends early where it would outgrow a response."""
    versions, last = minutes_versions.list_of_meeting(meeting.board_id, meeting.id, context.window(query))
    reader = reader_of(context, [item for version in versions for item in version.in_camera])
    entries = (
        (minutes_version_position(version.number), version_rules.version_resource(version, reader))
        for version in versions
    )
    return page_within(entries, last)


def _version_key(params: Mapping[str, str]) -> Key | None:
    """Returns the key of the version that a path names; None if it names none."""
    board_id, meeting_id, number = params["boardId"], params["meetingId"], params["version"]
    if not is_id(board_id) or not is_id(meeting_id) or not _NUMBER.fullmatch(number):
        return None
    return minutes_version_key(BoardId(board_id), meeting_id, int(number))


def version_keys(info: RequestInfo) -> list[Key | None]:
    """Returns the key of the version that a path names, if it names one."""
    return [_version_key(info.params)]


def requested_version(context: Context) -> StoredMinutesVersion:
    """Returns the version that the path names; raises 404 if it does not exist."""
    context.find(visible_meeting)
    key = _version_key(context.params)
    item = context.loaded.get(key) if key else None
    if item is None:
        raise not_found()
    return StoredMinutesVersion.model_validate(item)


@loads(MEETING, version_keys)
@finds(requested_version)
def get_minutes_version(context: Context, version: StoredMinutesVersion) -> MinutesVersion:
    """Returns one version of the minutes."""
    return version_rules.version_resource(version, reader_of(context, version.in_camera))
