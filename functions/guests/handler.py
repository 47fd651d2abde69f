"""What guests do with a guest link, which is their only credential."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access
from governance.usecases.meetings import guests

GUEST = "/api/v1/guest/{token}"
VOTE = GUEST + "/slots/{slotId}/vote"
VOTE_CODES = (Code.RESOURCE_NOT_FOUND, Code.BILLING_RESTRICTED, Code.CONFLICT)

api = Api()
extension = api.group(scope=Access.PUBLIC, extension=True, agents=False)
extension.get(GUEST, guests.get_guest_meeting, codes=(Code.RESOURCE_NOT_FOUND,))
extension.put(VOTE, guests.vote_on_slot_as_guest, billing=True, codes=VOTE_CODES)

lambda_handler = api
