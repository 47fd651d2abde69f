"""Meetings, their slots and votes, their members' answers, and the links that open them to guests."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Audience
from governance.models.base import Deleted
from governance.models.meeting import Meeting, MeetingCreate, MeetingPatch, MeetingsQuery
from governance.models.rsvp import Rsvp, RsvpBody
from governance.models.slot import CloseLinkQuery, GuestLink, ProposedSlot, SlotCreate, VoteBody
from governance.scopes import Scope, Tier
from governance.usecases import guests, meetings, rsvps, slots

READ, WRITE = Scope.MEETINGS_READ, Scope.MEETINGS_WRITE
MEETINGS = "/api/v1/boards/{boardId}/meetings"
MEETING = MEETINGS + "/{meetingId}"
SLOTS = MEETING + "/slots"
SLOT = SLOTS + "/{slotId}"
RSVP = MEETING + "/rsvp"
LINK = MEETING + "/guest-link"

api = Api()
api.get(
    MEETINGS,
    meetings.list_meetings,
    scope=READ,
    query=MeetingsQuery,
    shape="collection",
    response_model=Meeting,
)
api.post(
    MEETINGS,
    meetings.create_meeting,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=MeetingCreate,
    response_model=Meeting,
)
api.get(MEETING, meetings.get_meeting, scope=READ, response_model=Meeting)
api.patch(
    MEETING,
    meetings.update_meeting,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=MeetingPatch,
    response_model=Meeting,
    codes=(Code.CONFLICT,),
)
api.delete(
    MEETING,
    meetings.delete_meeting,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    response_model=Deleted,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(
    SLOTS,
    slots.list_slots,
    scope=READ,
    shape="collection",
    response_model=ProposedSlot,
    codes=(Code.NOT_ACCEPTABLE,),
)
api.post(
    SLOTS,
    slots.create_slot,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=SlotCreate,
    response_model=ProposedSlot,
    codes=(Code.CONFLICT,),
)
api.put(
    SLOT + "/vote",
    slots.vote_on_slot,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.COLLABORATOR,
    body=VoteBody,
    response_model=ProposedSlot,
    codes=(Code.CONFLICT,),
)
api.delete(
    SLOT,
    slots.delete_slot,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    response_model=Deleted,
    codes=(Code.CONFLICT,),
)
api.post(
    SLOT + "/confirm",
    slots.confirm_slot,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    status=200,
    response_model=Meeting,
    codes=(Code.CONFLICT,),
)
api.put(
    RSVP,
    rsvps.put_rsvp,
    scope=WRITE,
    audience=Audience.USER,
    body=RsvpBody,
    response_model=Rsvp,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    RSVP,
    rsvps.delete_rsvp,
    scope=WRITE,
    audience=Audience.USER,
    response_model=Deleted,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(
    MEETING + "/rsvps",
    rsvps.list_rsvps,
    scope=READ,
    shape="collection",
    response_model=Rsvp,
    extension=True,
)
api.post(
    LINK,
    guests.open_link,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    response_model=GuestLink,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    LINK,
    guests.close_link,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    query=CloseLinkQuery,
    response_model=Deleted,
    extension=True,
    codes=(Code.CONFLICT,),
)

lambda_handler = api
