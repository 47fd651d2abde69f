"""Copies of sealed minutes that were signed elsewhere; the only routes whose child process reads signatures."""

from governance.http.api import Api
from governance.http.route import CONFLICT
from governance.minutes_file import signed_copies
from governance.scopes import Scope, Tier

SIGNED_FILE = "/api/v1/boards/{boardId}/meetings/{meetingId}/minutes/signed-file"

api = Api()
writes = api.group(scope=Scope.DOCUMENTS_WRITE, tier=Tier.MANAGER, extension=True, agents=False)
writes.post(SIGNED_FILE, signed_copies.create_signed_minutes, codes=CONFLICT)
writes.post(
    SIGNED_FILE + "/{versionId}/complete",
    signed_copies.complete_signed_minutes,
    status=200,
    codes=(*CONFLICT, *signed_copies.NOT_OURS),
)

lambda_handler = api
