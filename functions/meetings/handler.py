"""Meetings, their slots and votes, their members' answers, and the links that open them to guests."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.comments.comment_routes import declare_comments
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.comments import meeting_comments
from governance.usecases.meetings import (
    agendas,
    approval_items,
    cancellations,
    decisions,
    guests,
    meetings,
    minute_book,
    minutes,
    minutes_approval,
    minutes_corrections,
    minutes_remarks,
    minutes_signing,
    minutes_versions,
    people,
    polls,
    rsvps,
    slots,
)
from governance.usecases.planning import agenda_templates, postponing

READ, WRITE = Scope.MEETINGS_READ, Scope.MEETINGS_WRITE
MEETINGS = "/api/v1/boards/{boardId}/meetings"
MEETING = MEETINGS + "/{meetingId}"
SLOTS = MEETING + "/slots"
SLOT = SLOTS + "/{slotId}"
RSVP = MEETING + "/rsvp"
LINK = MEETING + "/guest-link"
PEOPLE = MEETING + "/people"
POLL = MEETING + "/poll"
CANCELLATION = MEETING + "/cancellation"
AGENDA = MEETING + "/agenda"
MINUTES = MEETING + "/minutes"
REMARKS = MINUTES + "/remarks"
SIGNERS = "/api/v1/boards/{boardId}/minutes-signers"
BOOK = "/api/v1/boards/{boardId}/minute-book/{year}"

api = Api()
writes = api.group(scope=WRITE, codes=CONFLICT)
api.get(MEETINGS, meetings.list_meetings, scope=READ)
api.post(MEETINGS, meetings.create_meeting, scope=WRITE, tier=Tier.COLLABORATOR)
api.get(MEETING, meetings.get_meeting, scope=READ)
writes.patch(MEETING, meetings.update_meeting, tier=Tier.COLLABORATOR)
writes.delete(MEETING, meetings.delete_meeting, tier=Tier.COLLABORATOR, extension=True)
api.get(SLOTS, slots.list_slots, scope=READ, codes=(Code.NOT_ACCEPTABLE,))
writes.post(SLOTS, slots.create_slot, tier=Tier.COLLABORATOR)
writes.put(SLOT + "/vote", slots.vote_on_slot, audience=Audience.USER, tier=Tier.COLLABORATOR)
writes.delete(SLOT, slots.delete_slot, tier=Tier.COLLABORATOR)
writes.post(SLOT + "/confirm", slots.confirm_slot, tier=Tier.COLLABORATOR, status=200)

extra_reads = api.group(scope=READ, extension=True)
extra_writes = writes.group(extension=True)
extra_writes.put(RSVP, rsvps.put_my_rsvp, audience=Audience.USER)
extra_writes.delete(RSVP, rsvps.delete_my_rsvp, audience=Audience.USER)
extra_reads.get("/api/v1/boards/{boardId}/decisions", decisions.list_meeting_decisions)
extra_reads.get(MEETING + "/rsvps", rsvps.list_rsvps)
extra_reads.get(MEETING + "/unregistered-rsvps", rsvps.list_unregistered_rsvps)
extra_reads.get(PEOPLE, people.get_meeting_people, agents=False)
extra_writes.put(PEOPLE, people.put_meeting_people, tier=Tier.COLLABORATOR, agents=False)
extra_reads.get(POLL, polls.get_meeting_poll)
extra_writes.put(POLL, polls.put_meeting_poll, tier=Tier.COLLABORATOR)
extra_writes.delete(POLL, polls.delete_meeting_poll, tier=Tier.COLLABORATOR)
extra_writes.post(MEETING + "/reminders", polls.send_meeting_reminder, tier=Tier.COLLABORATOR)
extra_reads.get(CANCELLATION, cancellations.get_cancellation)
extra_writes.put(CANCELLATION, cancellations.cancel_meeting, tier=Tier.COLLABORATOR)
extra_writes.delete(CANCELLATION, cancellations.reinstate_meeting, tier=Tier.COLLABORATOR)
extra_reads.get(AGENDA, agendas.get_agenda)
extra_writes.put(AGENDA, agendas.put_agenda, tier=Tier.COLLABORATOR)
extra_writes.post(
    AGENDA + "/approvals",
    approval_items.add_agenda_approvals,
    tier=Tier.COLLABORATOR,
    status=200,
    agents=False,
)
extra_writes.post(AGENDA + "/carry-over", agendas.carry_over_agenda, tier=Tier.COLLABORATOR, status=200)
extra_writes.post(
    AGENDA + "/template",
    agenda_templates.apply_agenda_template,
    tier=Tier.COLLABORATOR,
    status=200,
    agents=False,
)
extra_writes.post(
    AGENDA + "/items/{itemId}/postpone",
    postponing.postpone_agenda_item,
    tier=Tier.COLLABORATOR,
    status=200,
    agents=False,
)
extra_reads.get(MINUTES, minutes.get_minutes)
extra_writes.put(MINUTES, minutes.put_minutes, tier=Tier.COLLABORATOR)
extra_writes.delete(MINUTES, minutes.delete_minutes, tier=Tier.COLLABORATOR)
extra_writes.post(MINUTES + "/restoration", minutes.restore_minutes, tier=Tier.COLLABORATOR, status=200)
extra_reads.get(MINUTES + "/approval", minutes_versions.get_minutes_approval, agents=False)
extra_writes.post(
    MINUTES + "/circulation",
    minutes_versions.circulate_minutes,
    audience=Audience.SESSION,
    tier=Tier.MANAGER,
    agents=False,
)
extra_writes.post(
    MINUTES + "/approval",
    minutes_approval.approve_minutes,
    audience=Audience.SESSION,
    tier=Tier.MANAGER,
    status=200,
    agents=False,
)
extra_reads.get(SIGNERS, minutes_signing.get_minutes_signers, agents=False)
extra_writes.put(
    SIGNERS, minutes_signing.put_minutes_signers, audience=Audience.SESSION, tier=Tier.MANAGER, agents=False
)
extra_writes.post(
    MINUTES + "/signatures",
    minutes_signing.sign_minutes,
    audience=Audience.SESSION,
    status=200,
    codes=(Code.CONFLICT, Code.FRESH_SESSION_REQUIRED),
    agents=False,
)
extra_reads.get(MINUTES + "/corrections", minutes_corrections.get_minutes_correction, agents=False)
extra_writes.post(
    MINUTES + "/corrections",
    minutes_corrections.correct_minutes,
    audience=Audience.SESSION,
    tier=Tier.MANAGER,
    agents=False,
)
extra_reads.get(MINUTES + "/versions", minutes_versions.list_minutes_versions, agents=False)
extra_reads.get(MINUTES + "/versions/{version}", minutes_versions.get_minutes_version, agents=False)
extra_reads.get(REMARKS, minutes_remarks.list_minutes_remarks, agents=False)
extra_writes.post(REMARKS, minutes_remarks.create_minutes_remark, agents=False)
extra_writes.put(
    REMARKS + "/{remarkId}/disposition",
    minutes_remarks.dispose_minutes_remark,
    tier=Tier.COLLABORATOR,
    agents=False,
)
extra_writes.delete(
    REMARKS + "/{remarkId}", minutes_remarks.delete_minutes_remark, audience=Audience.USER, agents=False
)
extra_reads.get(BOOK, minute_book.get_minute_book, agents=False)
extra_writes.post(LINK, guests.open_guest_link, tier=Tier.COLLABORATOR)
extra_writes.delete(LINK, guests.close_guest_link, tier=Tier.COLLABORATOR)
declare_comments(api, MEETING, READ, WRITE, meeting_comments.COMMENTS, meeting_comments.create_meeting_comment)

lambda_handler = api
