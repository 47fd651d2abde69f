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
    summary="List the caller's newest notifications",
)
api.get(
    PREFERENCES,
    notifications.get_preferences,
    scope=READ,
    who=Who.USER,
    shape="bare",
    answers=Preferences,
    summary="Read the caller's notification preferences",
)
api.put(
    PREFERENCES,
    notifications.put_preference,
    scope=WRITE,
    who=Who.USER,
    body=PreferenceBody,
    shape="bare",
    answers=Preferences,
    summary="Choose the channels of one category",
)
api.put(
    NOTIFICATIONS + "read/all",
    notifications.read_all_notifications,
    scope=WRITE,
    who=Who.USER,
    shape="bare",
    answers=Notice,
    summary="Mark all notifications as read",
)
api.put(
    NOTIFICATIONS + "read/{notificationId}",
    notifications.read_notification,
    scope=WRITE,
    who=Who.USER,
    shape="bare",
    answers=Notification,
    summary="Mark a notification as read",
)
api.delete(
    NOTIFICATIONS + "{notificationId}",
    notifications.delete_notification,
    scope=WRITE,
    who=Who.SESSION,
    shape="bare",
    answers=Notice,
    summary="Delete a notification",
)

lambda_handler = api
