"""Requests for papers of meetings, their delivery, and the decisions on them."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.paper_requests import delivering, paper_files, paper_requests

REQUESTS = "/api/v1/boards/{boardId}/meetings/{meetingId}/paper-requests"
REQUEST = REQUESTS + "/{paperRequestId}"
VERSIONS = REQUEST + "/versions"

api = Api()
reads = api.group(scope=Scope.MEETINGS_READ, extension=True, agents=False)
anyone = api.group(scope=Scope.MEETINGS_WRITE, extension=True, agents=False)
writes = anyone.group(tier=Tier.COLLABORATOR)
reads.get(REQUESTS, paper_requests.list_paper_requests)
writes.post(REQUESTS, paper_requests.create_paper_request, codes=CONFLICT)
reads.get(REQUEST, paper_requests.get_paper_request)
writes.patch(REQUEST, paper_requests.update_paper_request, codes=CONFLICT)
writes.delete(REQUEST, paper_requests.delete_paper_request)
anyone.post(REQUEST + "/delivery", delivering.deliver_paper_request, audience=Audience.USER, status=200, codes=CONFLICT)
anyone.post(VERSIONS, paper_files.create_paper_version, audience=Audience.USER, codes=CONFLICT)
anyone.post(
    VERSIONS + "/{versionId}/complete",
    paper_files.complete_paper_version,
    audience=Audience.USER,
    status=200,
    codes=CONFLICT,
)
anyone.post(REQUEST + "/decision", delivering.decide_paper_request, status=200, codes=CONFLICT)
writes.post(
    REQUEST + "/reminder", delivering.remind_paper_request, status=200, codes=(Code.CONFLICT, Code.RATE_LIMITED)
)

lambda_handler = api
