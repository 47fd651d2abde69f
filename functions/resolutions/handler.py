"""Resolutions: drafts, votes, and what was decided."""

from governance.http.api import Api
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.resolutions import (
    ballots,
    certificates,
    closing,
    listing,
    opening,
    papers,
    proxies,
    resolutions,
)

RESOLUTIONS = "/api/v1/boards/{boardId}/resolutions"
RESOLUTION = RESOLUTIONS + "/{resolutionId}"
BALLOT = RESOLUTION + "/ballot"
PROXY = RESOLUTION + "/proxy"
RECUSAL = RESOLUTION + "/recusals/{userId}"

api = Api()
reads = api.group(scope=Scope.BOARDS_READ, extension=True)
drafts = api.group(
    scope=Scope.BOARDS_WRITE, extension=True, audience=Audience.USER, tier=Tier.COLLABORATOR, codes=CONFLICT
)
acts = api.group(
    scope=Scope.BOARDS_WRITE, extension=True, audience=Audience.SESSION, agents=False, status=200, codes=CONFLICT
)
reads.get(RESOLUTIONS, listing.list_resolutions)
drafts.post(RESOLUTIONS, resolutions.create_resolution)
reads.get(RESOLUTION, resolutions.get_resolution)
drafts.patch(RESOLUTION, resolutions.update_resolution)
drafts.delete(RESOLUTION, resolutions.delete_resolution)
reads.get(RESOLUTION + "/ballots", ballots.list_ballots)
reads.get(RESOLUTION + "/papers", papers.list_resolution_papers)
reads.get(RESOLUTION + "/certificate", certificates.get_resolution_certificate, codes=CONFLICT)
drafts.post(
    RESOLUTION + "/certificate/document", certificates.create_resolution_certificate_document, tier=Tier.MANAGER
)

acts.post(RESOLUTION + "/open", opening.open_resolution, tier=Tier.MANAGER)
acts.put(BALLOT, ballots.put_ballot)
acts.delete(BALLOT, ballots.delete_ballot)
acts.put(PROXY, proxies.put_resolution_proxy)
acts.delete(PROXY, proxies.delete_resolution_proxy)
acts.put(RECUSAL, proxies.put_resolution_recusal)
acts.delete(RECUSAL, proxies.delete_resolution_recusal)
acts.post(RESOLUTION + "/close", closing.close_resolution, tier=Tier.MANAGER)
acts.post(RESOLUTION + "/withdraw", closing.withdraw_resolution)

lambda_handler = api
