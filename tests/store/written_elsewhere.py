"""What else is written: a sample for each kind of row."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain.quota import (
    INVITE_MAILS_OF_SENDER,
    INVITE_NOTIFICATIONS,
    MAILS_OF_INVITE,
    MAILS_TO_RECIPIENT,
    NEW_INVITES,
    NOTIFICATION_MAILS_DAILY,
    NOTIFICATION_MAILS_HOURLY,
    REMINDERS,
    SAME_NOTIFICATION_MAILS,
    TEST_MAILS,
    WEBHOOK_ATTEMPTS,
)
from governance.instants import month
from governance.models.exports.export import StoredExport
from governance.models.history.audit import AuditAction, AuditEntry
from governance.models.live.live import StoredConnection, StoredTicket
from governance.models.notifications.notification import StoredPreferences
from governance.models.queue import DeliveryKind, DueMessage
from governance.models.webhooks.webhook import StoredWebhooks
from governance.store import due, quotas
from governance.store.calendars import calendar_invitations
from governance.store.documents import document_views
from governance.store.exports import exports
from governance.store.history import audit, events
from governance.store.invites import invite_links, invites
from governance.store.live import connections
from governance.store.live import records as live_records
from governance.store.notifications import notifications
from governance.store.schema import entities, history, live, usage
from governance.store.schema.keys import Key, position
from governance.store.webhooks import webhook_deliveries, webhooks
from governance.store.writes import Delete, Write, in_reserve
from tests.store.samples import EVENT, OF_A_USER, Sample
from tests.store.stored_items import (
    BOARD,
    CODE,
    COMMITTEE,
    CONNECTION_ID,
    DELIVERY,
    INVITATION,
    INVITE,
    MAIL,
    MEETING,
    NOTIFICATION,
    NOW,
    ONE,
    READ_MARK,
    REPORT,
    STAMPS,
    USER,
    WEBHOOKS,
    event,
)


def audit_entry(action: AuditAction) -> AuditEntry:
    return AuditEntry(id=ONE, board_id=BOARD, actor_user=USER, action=action, details={}, created_via="web", **STAMPS)


_BY_SESSION = {"user_id": USER, "token_id": None, "created_via": "web", "ends_at": NOW}
TICKET = StoredTicket.model_validate({**_BY_SESSION, "expires_at": NOW})
CONNECTION = StoredConnection.model_validate({**_BY_SESSION, "id": CONNECTION_ID, "connected_at": NOW})
SYSTEM_ENTRY = audit_entry("wsConnect").model_copy(update={"board_id": None})


def in_reserves(writes: list[Write]) -> list[Write]:
    return [moved for write in writes if (moved := in_reserve(write)) is not None]


ELSEWHERE: Mapping[str, Sample] = {
    "invite": Sample(lambda: invites.create(INVITE)),
    "closed invite": Sample(lambda: invites.close(INVITE, INVITE.model_copy(update={"status": "declined"}), None)),
    "invite link": Sample(lambda: invite_links.publish(INVITE.model_copy(update={"link": None}), CODE, "x")),
    "invite's mail": Sample(lambda: [invite_links.set_last_sent(ONE, NOW)]),
    "notification": Sample(
        lambda: [notifications.create(NOTIFICATION), notifications.put_read_mark(READ_MARK, READ_MARK)],
        outlives_board={"USER#<user> NOTIFICATIONS_READ": OF_A_USER},
    ),
    "calendar invitation": Sample(lambda: calendar_invitations.put(None, INVITATION, NOW)),
    "preferences": Sample(
        lambda: [notifications.put_preferences(StoredPreferences(user_id=USER), StoredPreferences(user_id=USER))],
        outlives_board={"USER#<user> PREFERENCES": OF_A_USER},
    ),
    "event": Sample(lambda: [events.put(event())], outlives_user={"EVENTS#<board>#<month> BOARD#<time>#<id>": EVENT}),
    "event of a full month": Sample(
        lambda: in_reserves([events.put(event(), is_protecting=True)]),
        outlives_user={"EVENTS#<board>#RESERVE BOARD#<time>#<id>": EVENT},
    ),
    "event of a draft": Sample(
        lambda: [events.put(event(draft_of=USER))],
        outlives_user={"EVENTS#<board>#<month> DRAFTS#<user>#<time>#<id>": EVENT},
    ),
    "event of a committee": Sample(
        lambda: [events.put(event(committee_id=COMMITTEE))],
        outlives_user={"EVENTS#<board>#<month> DOCS#C#<committee>#<time>#<id>": EVENT},
    ),
    "audit entry": Sample(lambda: [audit.put(audit_entry("meetingCreate"))]),
    "audit entry of a full month": Sample(
        lambda: in_reserves([audit.put(audit_entry("memberDelete"), is_protecting=True)])
    ),
    "quotas": Sample(
        lambda: (
            [
                quotas.usage_of(quota, subject, {}).claim(NOW).take
                for quota, subject in (
                    (MAILS_OF_INVITE, ONE),
                    (MAILS_TO_RECIPIENT, MAIL),
                    (TEST_MAILS, USER),
                    (NEW_INVITES, USER),
                    (INVITE_MAILS_OF_SENDER, USER),
                    (NOTIFICATION_MAILS_HOURLY, MAIL),
                    (NOTIFICATION_MAILS_DAILY, MAIL),
                )
            ]
            + [
                quotas.usage_at(quota, quotas.key(quota, subject, about), {}).claim(NOW).take
                for quota, subject, about in (
                    (INVITE_NOTIFICATIONS, USER, f"{BOARD}#{USER}"),
                    (REMINDERS, MEETING, "votes"),
                    (WEBHOOK_ATTEMPTS, USER, DeliveryKind.SLOW_WEBHOOK),
                    (SAME_NOTIFICATION_MAILS, MAIL, f"kind#{ONE}"),
                )
            ]
        )
    ),
    "webhooks": Sample(
        lambda: [
            webhooks.replace(StoredWebhooks(board_id=BOARD), WEBHOOKS),
            webhooks.add_location(BOARD, ONE),
            webhook_deliveries.create(DELIVERY),
            due.put(DueMessage(kind=DeliveryKind.WEBHOOK, due_at=NOW, group=BOARD, subject_id=REPORT, body={})),
            Delete(webhook_deliveries.state_key(BOARD, ONE)),
        ]
    ),
    "exports": Sample(
        lambda: [
            *exports.create(StoredExport(id=ONE, user_id=USER, board_id=BOARD, created_at=NOW)),
            exports.create(StoredExport(id=ONE, user_id=USER, board_id=None, created_at=NOW))[0],
        ]
    ),
    "views": Sample(lambda: [document_views.note(USER, ONE, NOW)]),
    "live": Sample(
        lambda: [
            connections.put_ticket("ticket", TICKET),
            *connections.open_connection("ticket", CONNECTION),
            *connections.replace(CONNECTION, CONNECTION.model_copy(update={"rooms": (BOARD,)})),
            live_records.note(live.recorded_key(USER, "wsConnect", None), NOW),
            live_records.note(live.recorded_key(USER, "wsRoomJoin", BOARD), NOW),
            live_records.note(live.recorded_address_key("203.0.113.7"), NOW),
            live_records.put_system(SYSTEM_ENTRY),
            Delete(live.folded_key(BOARD, "second")),
            Delete(Key(live.system_audit_partition_of_month(month(NOW)), position(NOW, ONE))),  # as before 0.5
        ]
    ),
    "rows without a model": Sample(
        lambda: [
            Delete(key)
            for key in (
                entities.token_use_key(ONE),
                entities.MIGRATION.key_for(),
                entities.LOG_LOCK.key_for(),
                history.seal_certificate_key(NOW, ONE),
                entities.FORMER_BOARD.key_for(userId=USER, boardId=BOARD),
                usage.rate_window_key(USER),
                usage.idempotency_record_key(USER, "digest"),
            )
        ],
        outlives_user={"RATE#<user> WINDOW": "it expires within the hour"},
    ),
}
