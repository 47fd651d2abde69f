"""The caller's own account: me, whoami, personal tokens."""

from governance.http.api import Api
from governance.http.route import Free, Who
from governance.models.base import Deleted
from governance.models.page import PageQuery
from governance.models.token import AccessToken, MintedToken, PersonalTokenCreate, Whoami
from governance.models.user import User, UserPatch
from governance.usecases import account

api = Api()
api.get("/api/v1/me", account.get_me, scope=Free.AUTHENTICATED, who=Who.USER, answers=User)
api.patch(
    "/api/v1/me",
    account.update_me,
    scope=Free.AUTHENTICATED,
    who=Who.FULL_USER,
    body=UserPatch,
    answers=User,
    extension=True,
)
api.get(
    "/api/v1/whoami",
    account.get_whoami,
    scope=Free.AUTHENTICATED,
    shape="bare",
    answers=Whoami,
)
api.get(
    "/api/v1/me/tokens",
    account.list_my_tokens,
    scope=Free.AUTHENTICATED,
    who=Who.SESSION,
    query=PageQuery,
    shape="collection",
    answers=AccessToken,
    extension=True,
)
api.post(
    "/api/v1/me/tokens",
    account.create_my_token,
    scope=Free.AUTHENTICATED,
    who=Who.SESSION,
    body=PersonalTokenCreate,
    answers=MintedToken,
    extension=True,
)
api.delete(
    "/api/v1/me/tokens/{tokenId}",
    account.revoke_my_token,
    scope=Free.AUTHENTICATED,
    who=Who.SESSION,
    answers=Deleted,
    extension=True,
)

lambda_handler = api
