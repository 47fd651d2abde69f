"""The caller's own account: me, whoami, personal tokens, calendar feeds and settings, tickets of the live channel."""

from governance.http.api import Api
from governance.http.route import CONFLICT, Access, Audience
from governance.scopes import Scope
from governance.usecases.account import account
from governance.usecases.calendars import calendar_feeds
from governance.usecases.live import tickets

TOKENS = "/api/v1/me/tokens"
FEEDS = "/api/v1/me/calendar-feeds"
CALENDAR = "/api/v1/me/calendar"

api = Api()
own = api.group(scope=Access.AUTHENTICATED)
extension = own.group(extension=True)
own.get("/api/v1/me", account.get_me, audience=Audience.USER)
extension.patch("/api/v1/me", account.update_me, audience=Audience.FULL_USER)
own.get("/api/v1/whoami", account.get_whoami, shape="bare")
by_session = extension.group(audience=Audience.SESSION, agents=False)
by_session.get(TOKENS, account.list_my_tokens)
by_session.post(TOKENS, account.create_my_token, codes=CONFLICT)
by_session.delete(TOKENS + "/{tokenId}", account.revoke_my_token)
extension.get(FEEDS, calendar_feeds.list_calendar_feeds, audience=Audience.FULL_USER)
by_session.post(FEEDS, calendar_feeds.create_calendar_feed, codes=CONFLICT)
extension.delete(FEEDS + "/{feedId}", calendar_feeds.delete_calendar_feed, audience=Audience.FULL_USER)
extension.get(CALENDAR, calendar_feeds.get_calendar_settings, audience=Audience.FULL_USER)
extension.put(CALENDAR, calendar_feeds.put_calendar_settings, audience=Audience.FULL_USER)
extension.post(
    "/api/v1/live/tickets", tickets.create_live_ticket, scope=Scope.BOARDS_READ, audience=Audience.USER, agents=False
)

lambda_handler = api
