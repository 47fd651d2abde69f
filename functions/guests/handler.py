"""What guests do with a guest link, which is their only credential."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access
from governance.usecases import guests

GUEST = "/api/v1/guest/{token}"

api = Api()
api.get(GUEST, guests.view_as_guest, scope=Access.PUBLIC, extension=True, codes=(Code.RESOURCE_NOT_FOUND,))
api.put(
    GUEST + "/slots/{slotId}/vote",
    guests.vote_as_guest,
    scope=Access.PUBLIC,
    billing=True,
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND, Code.BILLING_RESTRICTED, Code.CONFLICT),
)

lambda_handler = api
