"""Notifications and their preferences."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.scopes import Scope
from governance.usecases.notifications import notifications, unsubscribing

READ, WRITE = Scope.NOTIFICATIONS_READ, Scope.NOTIFICATIONS_WRITE
NOTIFICATIONS = "/api/notification/"
NOTIFICATION = NOTIFICATIONS + "{notificationId}"
PREFERENCES = NOTIFICATIONS + "preferences"
UNSUBSCRIBE = "/api/v1/unsubscribe/{unsubscribeToken}"

api = Api()
by_user = api.group(audience=Audience.USER)
by_user.get(NOTIFICATIONS, notifications.list_notifications, scope=READ)
by_user.get(PREFERENCES, notifications.get_notification_preferences, scope=READ)
by_user.put(PREFERENCES, notifications.put_notification_preference, scope=WRITE)
by_user.put(NOTIFICATIONS + "read/all", notifications.mark_all_notifications_read, scope=WRITE)
by_user.put(NOTIFICATIONS + "read/{notificationId}", notifications.mark_notification_read, scope=WRITE)
api.delete(NOTIFICATION, notifications.delete_notification, scope=WRITE, audience=Audience.SESSION)

public = api.group(scope=Access.PUBLIC, extension=True, agents=False, codes=(Code.RESOURCE_NOT_FOUND,))
public.get(UNSUBSCRIBE, unsubscribing.get_mail_subscription)
public.post(UNSUBSCRIBE, unsubscribing.unsubscribe_from_mails, status=200, idempotent=False, ignores_body=True)

lambda_handler = api
