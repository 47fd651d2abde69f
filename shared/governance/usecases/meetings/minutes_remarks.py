"""Remarks on circulated minutes: list, create, decide about, delete (an extension of the API, ADR minutes)."""

from __future__ import annotations

from dataclasses import replace

from governance.domain.events import minutes as events
from governance.domain.meetings import in_camera
from governance.domain.meetings import minutes_remarks as remark_rules
from governance.errors import not_found
from governance.ids import time_ordered_id
from governance.instants import millis
from governance.models.base import Deleted
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes_remarks import (
    MinutesRemark,
    MinutesRemarkCreate,
    RemarkDispositionBody,
    StoredMinutesRemark,
)
from governance.models.page import Page, PageQuery
from governance.store.meetings import minutes_remarks, minutes_versions
from governance.store.paging import Window
from governance.store.schema.entities import MEETING
from governance.store.schema.minutes import MINUTES_APPROVAL, MINUTES_REMARK
from governance.usecases.byte_pages import page_within
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.in_camera import reader_of
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minutes import approval_of


def _requested_remark(context: Context) -> StoredMinutesRemark:
    """Returns the remark that the path names; raises 404 if it is absent, or on an item in camera for others."""
    remark = context.stored(MINUTES_REMARK, StoredMinutesRemark)
    if in_camera.hidden([remark], reader_of(context, [remark])):
        raise not_found()
    return remark


def _own_remark(context: Context) -> StoredMinutesRemark:
    """Returns the remark that the path names; raises 403 if the caller did not write it."""
    remark = context.find(_requested_remark)
    remark_rules.check_author(remark, context.user_id)
    return remark


@loads(MEETING)
@finds(visible_meeting)
def list_minutes_remarks(context: Context, meeting: StoredMeeting, query: PageQuery) -> Page[MinutesRemark]:
    """Returns a page of the remarks on the minutes, oldest first; it ends early where it would outgrow a response."""
    remarks, last = _seen(context, meeting, context.window(query))
    entries = ((remark.id, remark_rules.to_resource(remark)) for remark in remarks)
    return page_within(entries, last)


def _seen(context: Context, meeting: StoredMeeting, window: Window) -> tuple[list[StoredMinutesRemark], str | None]:
    """Returns a page of the remarks that the caller sees, and the last's position; None if they see no more."""
    seen, part = list[StoredMinutesRemark](), window
    while True:
        remarks, last = minutes_remarks.list_of_meeting(meeting.board_id, meeting.id, part)
        hidden = in_camera.hidden(remarks, reader_of(context, remarks))
        seen += [remark for remark in remarks if remark.id not in hidden]
        if len(seen) > window.limit:
            return seen[: window.limit], seen[window.limit - 1].id
        if last is None:
            return seen, None
        part = replace(window, after=last)


@creates(MINUTES_REMARK, "remarkId", _requested_remark)
@loads(MEETING, MINUTES_APPROVAL)
@finds(visible_meeting)
def create_minutes_remark(
    context: Context, meeting: StoredMeeting, body: MinutesRemarkCreate
) -> Outcome[MinutesRemark]:
    """Makes a remark on the newest version of the minutes, and tells the author of the circulation."""
    approval = remark_rules.check_welcome(approval_of(context), body, context.now)
    version = minutes_versions.newest_version(approval)
    remark_id = time_ordered_id(millis(context.now))
    author = reader_of(context, version.in_camera)
    remark = remark_rules.new_remark(version, body, author, remark_id, context.now)
    remarked = events.MinutesRemarked(
        meeting_id=meeting.id,
        remark_id=remark.id,
        number=remark.number,
        title=meeting.title,
        circulated_by_user_id=remark_rules.circulator_to_tell(version, remark),
    )
    writes = [
        minutes_versions.renew_approval(approval),
        *minutes_remarks.create(remark),
        *record_meeting_event(context, events.MINUTES_REMARKED, meeting, remarked),
    ]
    return Outcome(remark_rules.to_resource(remark), writes)


@loads(MEETING, MINUTES_REMARK)
@finds(visible_meeting, _requested_remark)
def dispose_minutes_remark(
    context: Context, meeting: StoredMeeting, old: StoredMinutesRemark, body: RemarkDispositionBody
) -> Outcome[MinutesRemark]:
    """Records what was decided about a remark, in place of an earlier decision; the same one changes nothing."""
    new = remark_rules.disposed(old, body, context.user_id, context.now)
    if new is old:
        return Outcome(remark_rules.to_resource(old), [])
    event = record_meeting_event(context, events.MINUTES_DISPOSED, meeting, _about(new))
    return Outcome(remark_rules.to_resource(new), [minutes_remarks.replace(old, new), *event])


@loads(MEETING, MINUTES_REMARK)
@finds(visible_meeting, _own_remark)
def delete_minutes_remark(context: Context, meeting: StoredMeeting, remark: StoredMinutesRemark) -> Outcome[Deleted]:
    """Deletes a remark of the caller about which nothing was decided."""
    remark_rules.check_deletable(remark)
    event = record_meeting_event(context, events.MINUTES_REMARK_DELETED, meeting, _about(remark))
    return Outcome(Deleted(), [*minutes_remarks.delete(remark), *event])


def _about(remark: StoredMinutesRemark) -> events.OfRemark:
    return events.OfRemark(meeting_id=remark.meeting_id, remark_id=remark.id, number=remark.number)
