"""Notifications and their preferences."""

from governance.http.api import Api
from governance.http.route import Who
from governance.models.notification import Notice, Notification, PreferenceBody, Preferences
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
    who=Who.USER,
    shape="array",
    answers=Notification,
)
api.get(
    PREFERENCES,
    notifications.get_preferences,
    scope=READ,
    who=Who.USER,
    shape="bare",
    answers=Preferences,
)
api.put(
    PREFERENCES,
    notifications.put_preference,
    scope=WRITE,
    who=Who.USER,
    body=PreferenceBody,
    shape="bare",
    answers=Preferences,
)
api.put(
    NOTIFICATIONS + "read/all",
    notifications.read_all_notifications,
    scope=WRITE,
    who=Who.USER,
    shape="bare",
    answers=Notice,
)
api.put(
    NOTIFICATIONS + "read/{notificationId}",
    notifications.read_notification,
    scope=WRITE,
    who=Who.USER,
    shape="bare",
    answers=Notification,
)
api.delete(
    NOTIFICATIONS + "{notificationId}",
    notifications.delete_notification,
    scope=WRITE,
    who=Who.SESSION,
    shape="bare",
    answers=Notice,
)

lambda_handler = api
