"""What people without an account do with the link to a paper that they are asked for: their only credential."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access
from governance.usecases.paper_requests import paper_links

PAPER = "/api/v1/paper/{paperToken}"
VERSIONS = PAPER + "/versions"
CODES = (Code.RESOURCE_NOT_FOUND, Code.BILLING_RESTRICTED, Code.CONFLICT)

api = Api()
extension = api.group(scope=Access.PUBLIC, extension=True, agents=False)
extension.get(PAPER, paper_links.get_paper_slot, codes=(Code.RESOURCE_NOT_FOUND,))
extension.post(VERSIONS, paper_links.create_paper_slot_version, billing=True, idempotent=False, codes=CODES)
extension.post(
    VERSIONS + "/{versionId}/complete",
    paper_links.complete_paper_slot_version,
    billing=True,
    idempotent=False,
    status=200,
    codes=CODES,
)

lambda_handler = api
