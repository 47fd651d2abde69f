"""The caller's own account: me, whoami, personal tokens."""

from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.models.base import Deleted
from governance.models.page import PageQuery
from governance.models.token import AccessToken, MintedToken, PersonalTokenCreate, Whoami
from governance.models.user import User, UserPatch
from governance.usecases import account

api = Api()
api.get(
    "/api/v1/me",
    account.get_me,
    scope=Access.AUTHENTICATED,
    audience=Audience.USER,
    response_model=User,
)
api.patch(
    "/api/v1/me",
    account.update_me,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    body=UserPatch,
    response_model=User,
    extension=True,
)
api.get(
    "/api/v1/whoami",
    account.get_whoami,
    scope=Access.AUTHENTICATED,
    shape="bare",
    response_model=Whoami,
)
api.get(
    "/api/v1/me/tokens",
    account.list_my_tokens,
    scope=Access.AUTHENTICATED,
    audience=Audience.SESSION,
    query=PageQuery,
    shape="collection",
    response_model=AccessToken,
    extension=True,
)
api.post(
    "/api/v1/me/tokens",
    account.create_my_token,
    scope=Access.AUTHENTICATED,
    audience=Audience.SESSION,
    body=PersonalTokenCreate,
    response_model=MintedToken,
    extension=True,
)
api.delete(
    "/api/v1/me/tokens/{tokenId}",
    account.revoke_my_token,
    scope=Access.AUTHENTICATED,
    audience=Audience.SESSION,
    response_model=Deleted,
    extension=True,
)

lambda_handler = api
