"""Delivers an event as the functions do, message after message, without the queue between them."""

from __future__ import annotations

from collections import deque

from governance.deliveries.following import event_message
from governance.deliveries.worker import HANDLERS
from governance.ids import UserId
from governance.models.history.event import StoredEvent
from governance.models.notifications.notification import StoredPreferences
from governance.store.notifications import notifications
from governance.store.transactions import transact


def deliver(event: StoredEvent) -> None:
    """Handles the event and everything that follows from it."""
    messages = deque([event_message(event.item())])
    while messages:
        message = messages.popleft()
        messages.extend(HANDLERS[message.kind](message.body))


def silence_mails(user_id: UserId) -> None:
    """Sets the preferences of a user so that tasks are notified in the app only."""
    in_app_only = StoredPreferences(user_id=user_id, preferences={"action_item": ("in_app",)}, version=1)
    transact([notifications.put_preferences(StoredPreferences(user_id=user_id), in_app_only)])
