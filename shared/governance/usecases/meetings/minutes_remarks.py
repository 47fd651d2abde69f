"""Remarks on circulated minutes: list, create, decide about, delete (an extension of the API, ADR minutes)."""

from __future__ import annotations

from governance.domain.events import minutes as events
from governance.domain.meetings import minutes_remarks as remark_rules
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
from governance.store.schema.entities import MEETING
from governance.store.schema.minutes import MINUTES_APPROVAL, MINUTES_REMARK
from governance.usecases.byte_pages import page_within
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.minutes import approval_of


def _requested_remark(context: Context) -> StoredMinutesRemark:
    """Returns the remark that the path names; raises 404 if it is absent."""
    return context.stored(MINUTES_REMARK, StoredMinutesRemark)


def _own_remark(context: Context) -> StoredMinutesRemark:
    """Returns the remark that the path names; raises 403 if the caller did not write it."""
    remark = context.find(_requested_remark)
    remark_rules.check_author(remark, context.user_id)
    return remark


@loads(MEETING)
@finds(visible_meeting)
def list_minutes_remarks(context: Context, meeting: StoredMeeting, query: PageQuery) -> Page[MinutesRemark]:
    """Returns a page of the remarks on the minutes, oldest first; it ends early where it would outgrow a response."""
    remarks, last = minutes_remarks.list_of_meeting(meeting.board_id, meeting.id, context.window(query))
    entries = ((remark.id, remark_rules.to_resource(remark)) for remark in remarks)
    return page_within(entries, last)


@creates(MINUTES_REMARK, "remarkId")
@loads(MEETING, MINUTES_APPROVAL)
@finds(visible_meeting)
def create_minutes_remark(
    context: Context, meeting: StoredMeeting, body: MinutesRemarkCreate
) -> Outcome[MinutesRemark]:
    """Makes a remark on the newest version of the minutes, and tells the author of the circulation."""
    approval = remark_rules.check_welcome(approval_of(context), body, context.now)
    version = minutes_versions.newest_version(approval)
    remark_id = time_ordered_id(millis(context.now))
    remark = remark_rules.new_remark(version, body, context.user_id, remark_id, context.now)
    remarked = events.MinutesRemarked(
        meeting_id=meeting.id,
        remark_id=remark.id,
        number=remark.number,
        title=meeting.title,
        circulated_by_user_id=version.circulated_by_user_id,
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
