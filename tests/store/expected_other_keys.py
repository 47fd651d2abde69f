"""What else is written, and how its keys are spelled."""

from __future__ import annotations

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
from governance.models.audit import AuditAction, AuditEntry
from governance.models.event import Event
from governance.models.export import StoredExport
from governance.models.meetings.due import DeliveryKind, DueMessage
from governance.models.notifications.notification import StoredPreferences
from governance.models.webhooks.webhook import StoredWebhooks
from governance.store import audit, due, events, notifications, quotas
from governance.store.calendars import calendar_invitations
from governance.store.documents import document_views
from governance.store.exports import exports
from governance.store.invites import invite_links, invites
from governance.store.schema import entities, usage
from governance.store.webhooks import webhook_deliveries, webhooks
from governance.store.writes import Delete, Write, in_reserve
from tests.store.expected_board_keys import BY_TIME, TOKEN_DIGEST, Expected
from tests.store.stored_items import (
    BOARD,
    CODE,
    COMMITTEE,
    DELIVERED,
    DELIVERY,
    INVITATION,
    INVITE,
    MAIL,
    MEETING,
    NOTIFICATION,
    NOW,
    OF_USER,
    ON_BOARD,
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


def in_reserves(writes: list[Write]) -> list[Write]:
    return [moved for write in writes if (moved := in_reserve(write)) is not None]


ELSEWHERE: Expected = {
    "invite": (
        lambda: invites.create(INVITE),
        [
            (ON_BOARD, f"PENDING_INVITE#{MAIL}", f"INVITES#{BY_TIME}", f"INVITES#PENDING#{BY_TIME}"),
            (ON_BOARD, "COUNT#PENDING_INVITES"),
            (f"INVITE#{ONE}", "BOARD"),
            (OF_USER, f"SENT#{BY_TIME}"),
            (f"EMAIL#{MAIL}", f"INVITE#{BY_TIME}"),
        ],
    ),
    "closed invite": (
        lambda: invites.close(INVITE, INVITE.model_copy(update={"status": "declined"}), None),
        [
            (ON_BOARD, "COUNT#PENDING_INVITES"),
            (ON_BOARD, f"PENDING_INVITE#{MAIL}"),
            (f"EMAIL#{MAIL}", f"INVITE#{BY_TIME}"),
            (ON_BOARD, f"INVITE#{ONE}", f"INVITES#{BY_TIME}"),
        ],
    ),
    "invite link": (
        lambda: invite_links.publish(INVITE.model_copy(update={"link": None}), CODE, "x"),
        [(f"CODE#{CODE}", "INVITE#x")],
    ),
    "invite's mail": (lambda: [invite_links.set_last_sent(ONE, NOW)], [(f"INVITE#{ONE}", "SENT")]),
    "notification": (
        lambda: [
            notifications.create(NOTIFICATION),
            notifications.put_read_mark(READ_MARK, READ_MARK),
        ],
        [(DELIVERED, f"NOTIFICATION#{ONE}", f"NOTIFICATIONS#{ONE}"), (OF_USER, "NOTIFICATIONS_READ")],
    ),
    "calendar invitation": (
        lambda: calendar_invitations.put(None, INVITATION, NOW),
        [(DELIVERED, f"CALENDAR_INVITATION#{MEETING}"), (f"CALENDAR_REPLY#{TOKEN_DIGEST}", "INVITATION")],
    ),
    "preferences": (
        lambda: [notifications.put_preferences(StoredPreferences(user_id=USER), StoredPreferences(user_id=USER))],
        [(OF_USER, "PREFERENCES")],
    ),
    "event": (lambda: [events.put(event())], [(f"EVENTS#{BOARD}#2027-03", f"BOARD#{BY_TIME}")]),
    "event of a full month": (
        lambda: in_reserves([events.put(event().model_copy(update={"type": Event.MEMBER_REMOVED}))]),
        [(f"EVENTS#{BOARD}#RESERVE", f"BOARD#{BY_TIME}")],
    ),
    "event of a draft": (
        lambda: [events.put(event(draft_of=USER))],
        [(f"EVENTS#{BOARD}#2027-03", f"DRAFTS#{USER}#{BY_TIME}")],
    ),
    "event of a committee": (
        lambda: [events.put(event(committee_id=COMMITTEE))],
        [(f"EVENTS#{BOARD}#2027-03", f"DOCS#C#{COMMITTEE}#{BY_TIME}")],
    ),
    "audit entry": (
        lambda: [
            audit.put(audit_entry("meetingCreate")),
        ],
        [(f"AUDIT#{BOARD}#2027-03", BY_TIME)],
    ),
    "audit entry of a full month": (
        lambda: in_reserves([audit.put(audit_entry("memberDelete"))]),
        [(f"AUDIT#{BOARD}#RESERVE", BY_TIME)],
    ),
    "quotas": (
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
        ),
        [
            (f"ALLOWANCE#INVITE_MAILS#{ONE}", "USES"),
            (f"ALLOWANCE#RECIPIENT_MAILS#{MAIL}", "USES"),
            (f"ALLOWANCE#TEST_MAILS#{USER}", "USES"),
            (f"ALLOWANCE#INVITES#{USER}", "USES"),
            (f"ALLOWANCE#SENDER_INVITE_MAILS#{USER}", "USES"),
            (f"ALLOWANCE#NOTIFICATION_MAILS_HOURLY#{MAIL}", "USES"),
            (f"ALLOWANCE#NOTIFICATION_MAILS_DAILY#{MAIL}", "USES"),
            (f"ALLOWANCE#INVITE_NOTIFICATIONS#{USER}", f"USES#{BOARD}#{USER}"),
            (f"ALLOWANCE#REMINDERS#{MEETING}", "USES#votes"),
            (f"ALLOWANCE#WEBHOOK_ATTEMPTS#{USER}", "USES#slow_webhook"),
            (f"ALLOWANCE#SAME_NOTIFICATION_MAILS#{MAIL}", f"USES#kind#{ONE}"),
        ],
    ),
    "webhooks": (
        lambda: [
            webhooks.replace(StoredWebhooks(board_id=BOARD), WEBHOOKS),
            webhooks.add_location(BOARD, ONE),
            webhook_deliveries.create(DELIVERY),
            due.put(DueMessage(kind=DeliveryKind.WEBHOOK, due_at=NOW, group=BOARD, subject_id=REPORT, body={})),
            Delete(webhook_deliveries.state_key(BOARD, ONE)),
        ],
        [
            (f"WEBHOOKS#{BOARD}", "WEBHOOKS"),
            (f"WEBHOOK#{ONE}", "BOARD"),
            (f"DELIVERIES#{BOARD}#{ONE}", f"DELIVERY#{REPORT}"),
            ("DUE#2", f"{NOW}#{REPORT}#webhook"),
            (f"DELIVERIES#{BOARD}#{ONE}", "STATE"),
        ],
    ),
    "exports": (
        lambda: [
            *exports.create(StoredExport(id=ONE, user_id=USER, board_id=BOARD, created_at=NOW)),
            exports.create(StoredExport(id=ONE, user_id=USER, board_id=None, created_at=NOW))[0],
        ],
        [
            (f"EXPORTS#{BOARD}", f"EXPORT#{USER}#{ONE}"),
            (f"EXPORTS#{BOARD}", "RUNNING"),
            (f"EXPORTS#{USER}", f"EXPORT#{USER}#{ONE}"),
        ],
    ),
    "views": (lambda: [document_views.note(USER, ONE, NOW)], [(f"VIEWS#{USER}", f"DOCUMENT#{ONE}")]),
    "rows without a model": (
        lambda: [
            Delete(key)
            for key in (
                entities.token_use_key(ONE),
                entities.MIGRATION.key_for(),
                entities.FORMER_BOARD.key_for(userId=USER, boardId=BOARD),
                usage.rate_window_key(USER),
                usage.idempotency_record_key(USER, "digest"),
            )
        ],
        [
            (f"USE#{ONE}", "LAST"),
            ("MIGRATION", "PROGRESS"),
            (OF_USER, f"FORMER_BOARD#{BOARD}"),
            (f"RATE#{USER}", "WINDOW"),
            (f"IDEMPOTENCY#{USER}#d", "digest"),
        ],
    ),
}
