"""Meetings, their slots and votes, their members' answers, and the links that open them to guests."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.comment_routes import CommentUseCases, declare_comments
from governance.http.route import Audience
from governance.scopes import Scope, Tier
from governance.usecases import agendas, guests, meeting_comments, meetings, minutes, polls, rsvps, slots

READ, WRITE = Scope.MEETINGS_READ, Scope.MEETINGS_WRITE
MEETINGS = "/api/v1/boards/{boardId}/meetings"
MEETING = MEETINGS + "/{meetingId}"
SLOTS = MEETING + "/slots"
SLOT = SLOTS + "/{slotId}"
RSVP = MEETING + "/rsvp"
LINK = MEETING + "/guest-link"
POLL = MEETING + "/poll"
AGENDA = MEETING + "/agenda"
MINUTES = MEETING + "/minutes"

api = Api()
api.get(MEETINGS, meetings.list_meetings, scope=READ)
api.post(MEETINGS, meetings.create_meeting, scope=WRITE, tier=Tier.COLLABORATOR)
api.get(MEETING, meetings.get_meeting, scope=READ)
api.patch(MEETING, meetings.update_meeting, scope=WRITE, tier=Tier.COLLABORATOR, codes=(Code.CONFLICT,))
api.delete(
    MEETING, meetings.delete_meeting, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,)
)
api.get(SLOTS, slots.list_slots, scope=READ, codes=(Code.NOT_ACCEPTABLE,))
api.post(SLOTS, slots.create_slot, scope=WRITE, tier=Tier.COLLABORATOR, codes=(Code.CONFLICT,))
api.put(
    SLOT + "/vote",
    slots.vote_on_slot,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.COLLABORATOR,
    codes=(Code.CONFLICT,),
)
api.delete(SLOT, slots.delete_slot, scope=WRITE, tier=Tier.COLLABORATOR, codes=(Code.CONFLICT,))
api.post(SLOT + "/confirm", slots.confirm_slot, scope=WRITE, tier=Tier.COLLABORATOR, status=200, codes=(Code.CONFLICT,))
api.put(RSVP, rsvps.put_rsvp, scope=WRITE, audience=Audience.USER, extension=True, codes=(Code.CONFLICT,))
api.delete(RSVP, rsvps.delete_rsvp, scope=WRITE, audience=Audience.USER, extension=True, codes=(Code.CONFLICT,))
api.get(MEETING + "/rsvps", rsvps.list_rsvps, scope=READ, extension=True)
api.get(POLL, polls.get_poll, scope=READ, extension=True)
api.put(POLL, polls.put_poll, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,))
api.delete(POLL, polls.delete_poll, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,))
api.post(
    MEETING + "/reminders",
    polls.send_reminder,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(AGENDA, agendas.get_agenda, scope=READ, extension=True)
api.put(AGENDA, agendas.put_agenda, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,))
api.post(
    AGENDA + "/carry-over",
    agendas.carry_over,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    extension=True,
    status=200,
    codes=(Code.CONFLICT,),
)
api.get(MINUTES, minutes.get_minutes, scope=READ, extension=True)
api.put(MINUTES, minutes.put_minutes, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,))
api.delete(MINUTES, minutes.delete_minutes, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,))
api.post(LINK, guests.open_link, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,))
api.delete(LINK, guests.close_link, scope=WRITE, tier=Tier.COLLABORATOR, extension=True, codes=(Code.CONFLICT,))
declare_comments(
    api,
    MEETING,
    READ,
    WRITE,
    CommentUseCases(
        meeting_comments.list_meeting_comments,
        meeting_comments.create_meeting_comment,
        meeting_comments.update_meeting_comment,
        meeting_comments.delete_meeting_comment,
        meeting_comments.resolve_meeting_comment,
        meeting_comments.reopen_meeting_comment,
    ),
)

lambda_handler = api
