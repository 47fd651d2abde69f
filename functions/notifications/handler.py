"""Notifications and their preferences."""

from governance.http.api import Api
from governance.http.route import Audience
from governance.models.notification import Message, Notification, PreferenceBody, Preferences
from governance.models.page import LegacyListQuery
from governance.scopes import Scope
from governance.usecases import notifications

READ, WRITE = Scope.NOTIFICATIONS_READ, Scope.NOTIFICATIONS_WRITE
NOTIFICATIONS = "/api/notification/"
PREFERENCES = NOTIFICATIONS + "preferences"

api = Api()
api.get(
    NOTIFICATIONS,
    notifications.list_notifications,
    scope=READ,
    audience=Audience.USER,
    query=LegacyListQuery,
    shape="array",
    response_model=Notification,
)
api.get(
    PREFERENCES,
    notifications.get_preferences,
    scope=READ,
    audience=Audience.USER,
    shape="bare",
    response_model=Preferences,
)
api.put(
    PREFERENCES,
    notifications.put_preference,
    scope=WRITE,
    audience=Audience.USER,
    body=PreferenceBody,
    shape="bare",
    response_model=Preferences,
)
api.put(
    NOTIFICATIONS + "read/all",
    notifications.read_all_notifications,
    scope=WRITE,
    audience=Audience.USER,
    shape="bare",
    response_model=Message,
)
api.put(
    NOTIFICATIONS + "read/{notificationId}",
    notifications.read_notification,
    scope=WRITE,
    audience=Audience.USER,
    shape="bare",
    response_model=Notification,
)
api.delete(
    NOTIFICATIONS + "{notificationId}",
    notifications.delete_notification,
    scope=WRITE,
    audience=Audience.SESSION,
    shape="bare",
    response_model=Message,
)

lambda_handler = api
