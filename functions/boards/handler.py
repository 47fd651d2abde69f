"""Boards, their members and people without an account, their committees and their tokens."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.boards import boards, example_boards
from governance.usecases.committees import committees
from governance.usecases.members import members, merging, unregistered_users

READ, WRITE = Scope.BOARDS_READ, Scope.BOARDS_WRITE
BOARDS = "/api/v1/boards"
BOARD = BOARDS + "/{boardId}"
EXAMPLE = "/api/v1/me/example-board"
MEMBERS = BOARD + "/members"
MEMBER = MEMBERS + "/{memberId}"
TRANSFER = BOARD + "/ownership-transfer"
PEOPLE = BOARD + "/unregistered-users"
PERSON = PEOPLE + "/{unregisteredUserId}"
COMMITTEES = BOARD + "/committees"
COMMITTEE = COMMITTEES + "/{committeeId}"
TOKENS = BOARD + "/tokens"
TOKEN = TOKENS + "/{tokenId}"

api = Api()
by_user = api.group(audience=Audience.USER, extension=True)
by_session = api.group(audience=Audience.SESSION, extension=True)
api.get(BOARDS, boards.list_boards, scope=READ, audience=Audience.USER)
by_user.post(BOARDS, boards.create_board, scope=WRITE, codes=CONFLICT)
by_session.post(EXAMPLE, example_boards.create_example_board, scope=WRITE, codes=CONFLICT)
api.get(BOARD, boards.get_board, scope=READ)
by_user.patch(BOARD, boards.update_board, scope=WRITE, tier=Tier.ADMIN)
by_session.delete(BOARD, boards.delete_board, scope=WRITE, tier=Tier.OWNER, billing=False)
api.get(MEMBERS, members.list_members, scope=READ)
api.get(MEMBER, members.get_member, scope=READ)
by_user.patch(MEMBER, members.update_member, scope=WRITE, tier=Tier.ADMIN, codes=CONFLICT)
by_user.delete(
    MEMBER, members.remove_member, scope=WRITE, billing=False, codes=(Code.BILLING_RESTRICTED, Code.CONFLICT)
)
by_session.post(TRANSFER, members.transfer_board_ownership, scope=WRITE, tier=Tier.OWNER, status=200)
by_user.get(
    MEMBER + "/removal",
    members.preview_removal,
    scope=READ,
    codes=(Code.BILLING_RESTRICTED, Code.CONFLICT),
    agents=False,
)
api.get(PEOPLE, unregistered_users.list_unregistered_users, scope=READ, extension=True)
api.get(PERSON, unregistered_users.get_unregistered_user, scope=READ, extension=True)
by_admin = by_user.group(scope=WRITE, tier=Tier.ADMIN, codes=CONFLICT)
by_admin.post(PEOPLE, unregistered_users.create_unregistered_user)
by_admin.patch(PERSON, unregistered_users.update_unregistered_user)
by_admin.post(PERSON + "/archive", unregistered_users.archive_unregistered_user, status=200)
by_admin.post(PERSON + "/unarchive", unregistered_users.unarchive_unregistered_user, status=200)
by_admin.post(PERSON + "/scrub", unregistered_users.scrub_unregistered_user, status=200)
by_admin.delete(PERSON + "/bounce-flag", unregistered_users.dismiss_unregistered_user_bounce_flag)
by_admin.post(PERSON + "/merge", merging.merge_unregistered_user, status=200)
api.get(COMMITTEES, committees.list_committees, scope=READ, extension=True)
by_admin.post(COMMITTEES, committees.create_committee)
by_admin.patch(COMMITTEE, committees.update_committee)
by_admin.delete(COMMITTEE, committees.delete_committee)
tokens = by_session.group(agents=False)
tokens.get(TOKENS, boards.list_board_tokens, scope=READ)
tokens.post(TOKENS, boards.create_board_token, scope=WRITE, tier=Tier.ADMIN, codes=CONFLICT)
tokens.delete(TOKEN, boards.revoke_board_token, scope=WRITE, tier=Tier.ADMIN, billing=False)

lambda_handler = api
