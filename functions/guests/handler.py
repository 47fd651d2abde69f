"""What a guest link opens: no credential but the link itself."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Free
from governance.models.slot import GuestMeeting, GuestVote, GuestVoteBody, NoParameters
from governance.usecases import guests

GUEST = "/api/v1/guest/{token}"

api = Api()
api.get(
    GUEST,
    guests.view_as_guest,
    scope=Free.PUBLIC,
    query=NoParameters,
    answers=GuestMeeting,
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND,),
)
api.put(
    GUEST + "/slots/{slotId}/vote",
    guests.vote_as_guest,
    scope=Free.PUBLIC,
    billing=True,
    body=GuestVoteBody,
    answers=GuestVote,
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND, Code.BILLING_RESTRICTED, Code.CONFLICT),
)

lambda_handler = api
