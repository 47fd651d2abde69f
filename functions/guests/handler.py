"""What guests do with a guest link, which is their only credential."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access
from governance.models.slot import GuestMeeting, GuestVote, GuestVoteBody, NoParameters
from governance.usecases import guests

GUEST = "/api/v1/guest/{token}"

api = Api()
api.get(
    GUEST,
    guests.view_as_guest,
    scope=Access.PUBLIC,
    query=NoParameters,
    response_model=GuestMeeting,
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND,),
)
api.put(
    GUEST + "/slots/{slotId}/vote",
    guests.vote_as_guest,
    scope=Access.PUBLIC,
    billing=True,
    body=GuestVoteBody,
    response_model=GuestVote,
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND, Code.BILLING_RESTRICTED, Code.CONFLICT),
)

lambda_handler = api
