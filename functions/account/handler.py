"""The caller's own account: me, whoami, personal tokens, calendar feeds and settings."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.usecases import account, calendar_feeds

api = Api()
api.get("/api/v1/me", account.get_me, scope=Access.AUTHENTICATED, audience=Audience.USER)
api.patch("/api/v1/me", account.update_me, scope=Access.AUTHENTICATED, audience=Audience.FULL_USER, extension=True)
api.get("/api/v1/whoami", account.get_whoami, scope=Access.AUTHENTICATED, shape="bare")
api.get(
    "/api/v1/me/tokens", account.list_my_tokens, scope=Access.AUTHENTICATED, audience=Audience.SESSION, extension=True
)
api.post(
    "/api/v1/me/tokens",
    account.create_my_token,
    scope=Access.AUTHENTICATED,
    audience=Audience.SESSION,
    codes=(Code.CONFLICT,),
    extension=True,
)
api.delete(
    "/api/v1/me/tokens/{tokenId}",
    account.revoke_my_token,
    scope=Access.AUTHENTICATED,
    audience=Audience.SESSION,
    extension=True,
)

FEEDS = "/api/v1/me/calendar-feeds"
api.get(
    FEEDS, calendar_feeds.list_calendar_feeds, scope=Access.AUTHENTICATED, audience=Audience.FULL_USER, extension=True
)
api.post(
    FEEDS,
    calendar_feeds.create_calendar_feed,
    scope=Access.AUTHENTICATED,
    audience=Audience.SESSION,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    FEEDS + "/{feedId}",
    calendar_feeds.delete_calendar_feed,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    extension=True,
)
api.get(
    "/api/v1/me/calendar",
    calendar_feeds.get_calendar_settings,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    extension=True,
)
api.put(
    "/api/v1/me/calendar",
    calendar_feeds.put_calendar_settings,
    scope=Access.AUTHENTICATED,
    audience=Audience.FULL_USER,
    extension=True,
)

lambda_handler = api
