"""Meetings."""

from governance.errors import Code
from governance.http.api import Api
from governance.models.base import Deleted
from governance.models.meeting import Meeting, MeetingCreate, MeetingPatch, MeetingsQuery
from governance.scopes import Scope, Tier
from governance.usecases import meetings

READ, WRITE = Scope.MEETINGS_READ, Scope.MEETINGS_WRITE
MEETINGS = "/api/v1/boards/{boardId}/meetings"
MEETING = MEETINGS + "/{meetingId}"

api = Api()
api.get(
    MEETINGS,
    meetings.list_meetings,
    scope=READ,
    query=MeetingsQuery,
    shape="collection",
    answers=Meeting,
    summary="List a board's meetings",
)
api.post(
    MEETINGS,
    meetings.create_meeting,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=MeetingCreate,
    answers=Meeting,
    summary="Create a meeting",
)
api.get(MEETING, meetings.get_meeting, scope=READ, answers=Meeting, summary="Read a meeting")
api.patch(
    MEETING,
    meetings.update_meeting,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    body=MeetingPatch,
    answers=Meeting,
    summary="Change a meeting",
    codes=(Code.CONFLICT,),
)
api.delete(
    MEETING,
    meetings.delete_meeting,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    answers=Deleted,
    summary="Delete a meeting",
    extension=True,
    codes=(Code.CONFLICT,),
)

lambda_handler = api
