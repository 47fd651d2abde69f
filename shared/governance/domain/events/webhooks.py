"""The events of webhooks."""

from governance.domain.events.kind import (
    OWNER,
    Changed,
    EventKind,
    Leftovers,
    Notification,
    Ref,
    Subject,
    notifies,
    readers_from,
)
from governance.models.base import Resource
from governance.models.history.event import Event
from governance.models.webhooks.webhook import WebhookDisabledReason
from governance.scopes import Tier
from governance.texts import Language, text


class WebhookNamed(Subject):
    """An event of a webhook, and of one of its deliveries if that was requested again."""

    webhook_id: Ref[str]
    webhook_delivery_id: Ref[str | None] = None


class WebhookUpdated(Changed):
    """A webhook changed."""

    webhook_id: Ref[str]


class Disabled(Resource):
    """Why a webhook was disabled; `days` is for how long it had accepted nothing."""

    name: str
    reason: WebhookDisabledReason
    days: int


class WebhookDisabled(WebhookNamed):
    """The service or the operator disabled a webhook."""

    webhook: Disabled | None = None

    def words(self, language: Language) -> dict[str, object]:
        """Returns the values of the texts; the title is why the webhook was disabled."""
        why = self.webhook
        reason = text(language, f"told.webhook.{why.reason}", name=why.name, number=why.days) if why else self.title
        return {**super().words(language), "title": reason}


_BY_ADMINS = readers_from(Tier.ADMIN)

WEBHOOK_CREATED = EventKind(
    Event.WEBHOOK_CREATED,
    WebhookNamed,
    notifications=notifies(Notification("board_update", OWNER, "told.webhook_created")),
    heard_by=_BY_ADMINS,
)
WEBHOOK_UPDATED = EventKind(Event.WEBHOOK_UPDATED, WebhookUpdated, heard_by=_BY_ADMINS)
WEBHOOK_DELETED = EventKind(
    Event.WEBHOOK_DELETED, WebhookNamed, is_protecting=True, leaves=Leftovers.WEBHOOK, heard_by=_BY_ADMINS
)
WEBHOOK_SECRET_ROTATED = EventKind(Event.WEBHOOK_SECRET_ROTATED, WebhookNamed, is_protecting=True, heard_by=_BY_ADMINS)
WEBHOOK_TESTED = EventKind(Event.WEBHOOK_TESTED, WebhookNamed, heard_by=_BY_ADMINS)
WEBHOOK_REDELIVERED = EventKind(Event.WEBHOOK_REDELIVERED, WebhookNamed, heard_by=_BY_ADMINS)
WEBHOOK_DISABLED = EventKind(
    Event.WEBHOOK_DISABLED,
    WebhookDisabled,
    is_protecting=True,
    notifications=notifies(Notification("board_update", OWNER, "told.webhook_disabled", is_sentence=True)),
    heard_by=_BY_ADMINS,
)
