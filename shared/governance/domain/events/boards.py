"""The events of boards, their webhooks and exports."""

from governance.domain.events.kind import (
    MEMBERS,
    OWNER,
    Changed,
    Effect,
    EventKind,
    Leftovers,
    Notification,
    Payload,
    Ref,
    Subject,
    Transition,
    notifies,
    readers_from,
)
from governance.ids import UserId
from governance.instants import Instant
from governance.models.base import Resource
from governance.models.history.event import Event
from governance.models.webhooks.webhook import WebhookDisabledReason
from governance.scopes import Tier
from governance.texts import Language, text


class BoardDeleted(Payload):
    """A board was deleted; only the event still has its invite code, and when it was created."""

    invite_code: str | None = None
    is_example: bool = False
    board_created_at: Instant | None = None


class ExportRequested(Payload):
    """Somebody requested an export of the board."""

    export_id: Ref[str]


class UserPurged(Subject):
    """The operator purged a member's account."""

    user_id: Ref[UserId]


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

BOARD_CHANGED = EventKind(
    Event.BOARD_CHANGED,
    Changed,
    notifications=notifies(Notification("board_update", MEMBERS, "told.board_changed")),
    effects=(Effect.MOVES_BOARD_IN_LISTS, Effect.CHANGES_CALENDAR_FEEDS),
)
BOARD_DELETED = EventKind(Event.BOARD_DELETED, BoardDeleted, is_protecting=True, leaves=Leftovers.BOARD)
EXAMPLE_BOARD_CREATED = EventKind(Event.EXAMPLE_BOARD_CREATED, Payload, effects=(Effect.BEGINS_EXAMPLE_BOARD,))
EXAMPLE_BOARD_FILLED = EventKind(
    Event.EXAMPLE_BOARD_FILLED,
    Payload,
    notifications=notifies(Notification("example_board_ready", OWNER, "told.example_board_ready", is_sentence=True)),
)
EXPORT_REQUESTED = EventKind(Event.EXPORT_REQUESTED, ExportRequested, heard_by=_BY_ADMINS)
BILLING_OVERRIDDEN = EventKind(
    Event.BILLING_OVERRIDDEN,
    Transition,
    audit="billingPlanOverride",
    is_protecting=True,
    effects=(Effect.MOVES_BOARD_IN_LISTS,),
)
USER_PURGED = EventKind(Event.USER_PURGED, UserPurged, audit="userHardPurge", is_protecting=True)
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
