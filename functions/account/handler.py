"""The caller's own account: me, whoami, personal tokens, calendar feeds and settings."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.models.base import Deleted
from governance.models.calendar import CalendarFeed, CalendarSettings, CalendarSettingsBody, FeedCreate
from governance.models.page import PageQuery
from governance.models.token import AccessToken, MintedToken, PersonalTokenCreate, Whoami
from governance.models.user import User, UserPatch
from governance.usecases import account, calendar_feeds

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
    codes=(Code.CONFLICT,),
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

FEEDS = "/api/v1/me/calendar-feeds"
api.get(
    FEEDS,
    calendar_feeds.list_calendar_feeds,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    query=PageQuery,
    shape="collection",
    response_model=CalendarFeed,
    extension=True,
)
api.post(
    FEEDS,
    calendar_feeds.create_calendar_feed,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    body=FeedCreate,
    response_model=CalendarFeed,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    FEEDS + "/{feedId}",
    calendar_feeds.delete_calendar_feed,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    response_model=Deleted,
    extension=True,
)
api.get(
    "/api/v1/me/calendar",
    calendar_feeds.get_calendar_settings,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    response_model=CalendarSettings,
    extension=True,
)
api.put(
    "/api/v1/me/calendar",
    calendar_feeds.put_calendar_settings,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    body=CalendarSettingsBody,
    response_model=CalendarSettings,
    extension=True,
)

lambda_handler = api
