"""Notifications and their preferences."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.scopes import Scope
from governance.usecases import notifications, unsubscribing

READ, WRITE = Scope.NOTIFICATIONS_READ, Scope.NOTIFICATIONS_WRITE
NOTIFICATIONS = "/api/notification/"
PREFERENCES = NOTIFICATIONS + "preferences"
UNSUBSCRIBE = "/api/v1/unsubscribe/{unsubscribeToken}"

api = Api()
api.get(NOTIFICATIONS, notifications.list_notifications, scope=READ, audience=Audience.USER)
api.get(PREFERENCES, notifications.get_preferences, scope=READ, audience=Audience.USER, shape="bare")
api.put(PREFERENCES, notifications.put_preference, scope=WRITE, audience=Audience.USER, shape="bare")
api.put(
    NOTIFICATIONS + "read/all", notifications.read_all_notifications, scope=WRITE, audience=Audience.USER, shape="bare"
)
api.put(
    NOTIFICATIONS + "read/{notificationId}",
    notifications.read_notification,
    scope=WRITE,
    audience=Audience.USER,
    shape="bare",
)
api.delete(
    NOTIFICATIONS + "{notificationId}",
    notifications.delete_notification,
    scope=WRITE,
    audience=Audience.SESSION,
    shape="bare",
)

NOT_FOUND = (Code.RESOURCE_NOT_FOUND,)
api.get(UNSUBSCRIBE, unsubscribing.get_subscription, scope=Access.PUBLIC, extension=True, codes=NOT_FOUND)
api.post(
    UNSUBSCRIBE,
    unsubscribing.unsubscribe,
    scope=Access.PUBLIC,
    status=200,
    idempotent=False,
    ignores_body=True,
    extension=True,
    codes=NOT_FOUND,
)
api.delete(UNSUBSCRIBE, unsubscribing.subscribe_again, scope=Access.PUBLIC, extension=True, codes=NOT_FOUND)

lambda_handler = api
