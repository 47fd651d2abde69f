"""The text of every key that is written: data that is already stored stays readable only while none of it changes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from governance.domain.quota import (
    MAILS_OF_INVITE,
    MAILS_TO_RECIPIENT,
    NEW_INVITES,
    NOTIFICATION_MAILS_DAILY,
    NOTIFICATION_MAILS_HOURLY,
    SAME_NOTIFICATION_MAILS,
    TEST_MAILS,
)
from governance.instants import Instant, epoch
from governance.models.audit import AuditEntry
from governance.models.board import Seats
from governance.models.calendar import CalendarSettings
from governance.models.committee import StoredCommittee
from governance.models.notification import StoredPreferences
from governance.models.purge import PurgeProgress
from governance.models.report import StoredReport
from governance.models.user import StoredUser
from governance.models.webhook import StoredWebhooks
from governance.store import (
    action_item_counts,
    action_items,
    audit,
    boards,
    calendars,
    committees,
    dashboards,
    documents,
    events,
    guest_links,
    invite_links,
    invites,
    meetings,
    notifications,
    purges,
    quotas,
    reports,
    rsvps,
    schema,
    slots,
    tokens,
    users,
    webhook_deliveries,
    webhooks,
)
from governance.store.guards import Guards
from governance.store.seats import put_seats
from governance.store.writes import Delete, Put, Write
from tests.store.stored_items import (
    ACTION_ITEM,
    AT_SLOT,
    BOARD,
    CODE,
    COMMITTEE,
    DASHBOARD,
    DELIVERY,
    FEED,
    INVITE,
    LINK,
    MAIL,
    MAIL_DIGEST,
    MEETING,
    MEMBER,
    MEMBERSHIP,
    NOTIFICATION,
    NOW,
    OF_USER,
    ON_BOARD,
    ONE,
    READ_MARK,
    REPORT,
    RSVP,
    SLOT,
    SLOT_AT,
    STAMPS,
    TYPE_DIGEST,
    USER,
    board,
    document,
    event,
    keys_of,
    meeting,
    token,
    vote,
)

BY_TIME = f"{NOW}#{ONE}"
EXPECTED: dict[str, tuple[Iterable[Write], list[tuple[str, ...]]]] = {
    "board": ([boards.create(board())], [(ON_BOARD, "BOARD")]),
    "guard": (
        Guards(BOARD, 2).close(NOW),
        [(f"GUARD#{BOARD}#00", "GUARD"), (f"GUARD#{BOARD}#01", "GUARD")],
    ),
    "board code": (boards.set_invite_code(board(), board(CODE))[1:], [(f"CODE#{CODE}", "BOARD")]),
    "member": (
        boards.add_member(board(), MEMBERSHIP),
        [
            (ON_BOARD, f"MEMBER#{USER}", f"MEMBERS#{NOW}#{MEMBER}", f"ROSTER#{NOW}#{MEMBER}#{ONE}#5"),
            (OF_USER, f"BOARD#{BOARD}", f"BOARDS#UPDATED#{NOW}#{BOARD}", f"BOARDS#CREATED#{NOW}#{BOARD}"),
            (ON_BOARD, "COUNT#MEMBERS"),
            (OF_USER, "COUNT#BOARDS"),
        ],
    ),
    "answer to a meeting": ([rsvps.put(None, RSVP)], [(ON_BOARD, f"MEETING#{MEETING}#ANSWER#{USER}")]),
    "user": (
        [
            *users.create(StoredUser(id=USER, email=MAIL, **STAMPS)),
            users.replace(
                StoredUser(id=USER, email=MAIL, **STAMPS), StoredUser(id=USER, email="new@example.com", **STAMPS)
            )[-1],
            purges.start(PurgeProgress(user_id=USER)),
        ],
        [
            (OF_USER, "USER"),
            (f"EMAIL#{MAIL}", f"USER#{USER}"),
            (OF_USER, f"FORMER_EMAIL#{MAIL}"),
            (OF_USER, "PURGE"),
        ],
    ),
    "personal token": (
        tokens.create(token(None)),
        [(OF_USER, f"TOKEN#{ONE}", f"TOKENS#{BY_TIME}"), (f"TOKEN#{ONE}", "OWNER"), (OF_USER, "ACTIVE_TOKENS")],
    ),
    "board token": (
        tokens.create(token(BOARD)),
        [(ON_BOARD, f"TOKEN#{ONE}", f"TOKENS#{BY_TIME}"), (f"TOKEN#{ONE}", "OWNER"), (ON_BOARD, "ACTIVE_TOKENS")],
    ),
    "committee": (
        committees.create(StoredCommittee(id=ONE, board_id=BOARD, name="C", member_ids=(), **STAMPS)),
        [(ON_BOARD, f"COMMITTEE#{ONE}", f"COMMITTEES#{BY_TIME}"), (ON_BOARD, "COUNT#COMMITTEES")],
    ),
    "seats": ([put_seats(schema.seats_key(BOARD, USER), Seats(), Seats())], [(ON_BOARD, "SEATS#10")]),
    "meeting": (
        [meetings.create(meeting("scheduled"))],
        [(ON_BOARD, f"MEETING#{MEETING}", f"MEETINGS#{NOW}#{MEETING}", f"MEETINGS#scheduled#{NOW}#{MEETING}")],
    ),
    "draft": (
        [meetings.create(meeting("draft"))],
        [(ON_BOARD, f"MEETING#{MEETING}", f"DRAFTS#{USER}#{NOW}#{MEETING}")],
    ),
    "slot": (
        slots.create(SLOT_AT),
        [
            (ON_BOARD, AT_SLOT, f"SLOTS#{NOW}#{SLOT}#{MEETING}#{NOW}#60#Europe/Paris"),
            (ON_BOARD, f"MEETING#{MEETING}#SLOTS"),
        ],
    ),
    "calendar feed": (
        calendars.delete_feed(FEED) + calendars.create_feed(FEED)[:1],
        [
            (OF_USER, f"CALENDAR_FEED#{ONE}"),
            (OF_USER, "CALENDAR_FEEDS"),
            (f"TOKEN#{ONE}", "USED"),
            (OF_USER, f"CALENDAR_FEED#{ONE}", f"CALENDAR_FEEDS#{BY_TIME}"),
        ],
    ),
    "calendar settings": ([calendars.put_settings(USER, CalendarSettings())], [(OF_USER, "CALENDAR_SETTINGS")]),
    "calendar stamp": ([calendars.renew_stamp(BOARD, NOW)], [(ON_BOARD, "CALENDAR_STAMP")]),
    "member's vote": (
        [slots.put_vote(SLOT_AT, vote(user_id=USER, join_id=ONE))],
        [(ON_BOARD, f"{AT_SLOT}#VOTE#{SLOT}#U#{USER}")],
    ),
    "guest's vote": (
        slots.add_guest_vote(SLOT_AT, vote(email=MAIL)),
        [
            (ON_BOARD, AT_SLOT),
            (ON_BOARD, f"MEETING#{MEETING}#SLOTS"),
            (ON_BOARD, f"{AT_SLOT}#VOTE#{SLOT}#G#{MAIL_DIGEST}"),
        ],
    ),
    "guest link": (
        [guest_links.put(meeting("scheduled"), LINK)],
        [(ON_BOARD, f"MEETING#{MEETING}#GUEST_LINK")],
    ),
    "action item": (
        action_items.create(ACTION_ITEM, "{}"),
        [
            (ON_BOARD, f"ACTION#{ONE}", f"ACTIONS#{MEETING}#~#{BY_TIME}", f"ACTIONS#ALL#~#{BY_TIME}"),
            (ON_BOARD, f"NOTES#{ONE}"),
            (f"ACTION#{ONE}", "PLACE"),
            (OF_USER, f"ASSIGNED#{ONE}", f"ASSIGNED#in_progress#{BY_TIME}"),
        ],
    ),
    "counts of action items": (
        action_item_counts.created(ACTION_ITEM),
        [(ON_BOARD, f"MEETING#{MEETING}#ACTION_ITEMS"), (ON_BOARD, f"COUNT#OPEN_ITEMS#{USER}")],
    ),
    "document": (
        documents.create(document(None)),
        [
            (ON_BOARD, f"DOCUMENT#{ONE}", f"DOCS#B#ALL#{BY_TIME}", f"DOCS#B#ALL#T#{TYPE_DIGEST}#{BY_TIME}"),
            (
                ON_BOARD,
                f"DOCUMENT#{ONE}#LINK#00",
                f"DOCS#B#M#{MEETING}#{BY_TIME}",
                f"DOCS#B#M#{MEETING}#T#{TYPE_DIGEST}#{BY_TIME}",
            ),
        ],
    ),
    "document of a committee": (
        documents.create(document(COMMITTEE))[:1],
        [
            (
                ON_BOARD,
                f"DOCUMENT#{ONE}",
                f"DOCS#C#{COMMITTEE}#ALL#{BY_TIME}",
                f"DOCS#C#{COMMITTEE}#ALL#T#{TYPE_DIGEST}#{BY_TIME}",
            )
        ],
    ),
    "report": (
        [reports.create(StoredReport(id=REPORT, board_id=BOARD, title="R", created_by_user_id=USER, **STAMPS))],
        [(ON_BOARD, f"REPORT#{REPORT}", f"REPORTS#{NOW}#{REPORT}", f"REPORTS#draft#{NOW}#{REPORT}")],
    ),
    "dashboard": (
        dashboards.create(DASHBOARD, "{}"),
        [
            (
                ON_BOARD,
                f"REPORT#{REPORT}#DASHBOARD#{ONE}",
                f"DASHBOARDS#{REPORT}#{BY_TIME}#003",
                f"DASHBOARDS#{REPORT}#uniform#{BY_TIME}#003",
            ),
            (ON_BOARD, f"REPORT#{REPORT}#DASHBOARD#{ONE}#PAYLOAD"),
        ],
    ),
    "invite": (
        invites.create(INVITE),
        [
            (ON_BOARD, f"PENDING_INVITE#{MAIL}", f"INVITES#{BY_TIME}", f"INVITES#PENDING#{BY_TIME}"),
            (ON_BOARD, "COUNT#PENDING_INVITES"),
            (f"INVITE#{ONE}", "BOARD"),
            (OF_USER, f"SENT#{BY_TIME}"),
        ],
    ),
    "closed invite": (
        invites.close(INVITE, INVITE, None)[1:],
        [(ON_BOARD, "COUNT#PENDING_INVITES"), (ON_BOARD, f"INVITE#{ONE}", f"INVITES#{BY_TIME}")],
    ),
    "invite link": (invite_links.publish(INVITE, CODE, "x"), [(f"CODE#{CODE}", "INVITE#x")]),
    "invite's mail": ([invite_links.set_last_sent(ONE, NOW)], [(f"INVITE#{ONE}", "SENT")]),
    "notification": (
        [
            notifications.create(NOTIFICATION),
            notifications.put_read_mark(READ_MARK, READ_MARK),
        ],
        [(OF_USER, f"NOTIFICATION#{ONE}", f"NOTIFICATIONS#{ONE}"), (OF_USER, "NOTIFICATIONS_READ")],
    ),
    "preferences": (
        [notifications.put_preferences(StoredPreferences(user_id=USER), StoredPreferences(user_id=USER))],
        [(OF_USER, "PREFERENCES")],
    ),
    "event": ([events.put(event())], [(f"EVENTS#{BOARD}#2027-03", f"BOARD#{BY_TIME}")]),
    "event of a draft": ([events.put(event(draft_of=USER))], [(f"EVENTS#{BOARD}#2027-03", f"DRAFTS#{USER}#{BY_TIME}")]),
    "event of a committee": (
        [events.put(event(committee_id=COMMITTEE))],
        [(f"EVENTS#{BOARD}#2027-03", f"DOCS#C#{COMMITTEE}#{BY_TIME}")],
    ),
    "audit entry": (
        [
            audit.put(
                AuditEntry(
                    id=ONE,
                    board_id=BOARD,
                    actor_user=USER,
                    action="meetingCreate",
                    details={},
                    created_via="web",
                    **STAMPS,
                )
            )
        ],
        [(f"AUDIT#{BOARD}#2027-03", BY_TIME)],
    ),
    "quotas": (
        [
            quotas.usage_of(quota, USER, {}).claim_slot(NOW).claim
            for quota in (
                MAILS_OF_INVITE,
                MAILS_TO_RECIPIENT,
                TEST_MAILS,
                NEW_INVITES,
                NOTIFICATION_MAILS_HOURLY,
                NOTIFICATION_MAILS_DAILY,
            )
        ]
        + [
            quotas.usage_at(SAME_NOTIFICATION_MAILS, quotas.key(SAME_NOTIFICATION_MAILS, MAIL, f"kind#{ONE}"), {})
            .claim_slot(NOW)
            .claim
        ],
        [
            (f"ALLOWANCE#INVITE_MAILS#{USER}", "USES"),
            (f"ALLOWANCE#RECIPIENT_MAILS#{USER}", "USES"),
            (f"ALLOWANCE#TEST_MAILS#{USER}", "USES"),
            (f"ALLOWANCE#INVITES#{USER}", "USES"),
            (f"ALLOWANCE#NOTIFICATION_MAILS_HOURLY#{USER}", "USES"),
            (f"ALLOWANCE#NOTIFICATION_MAILS_DAILY#{USER}", "USES"),
            (f"ALLOWANCE#SAME_NOTIFICATION_MAILS#{MAIL}", f"USES#kind#{ONE}"),
        ],
    ),
    "webhooks": (
        [
            webhooks.replace(StoredWebhooks(board_id=BOARD), StoredWebhooks(board_id=BOARD, version=1)),
            webhooks.add_location(BOARD, ONE),
            webhook_deliveries.create(DELIVERY),
            webhook_deliveries.put_due(DELIVERY),
            webhook_deliveries.put_waiting(DELIVERY),
            webhook_deliveries.remove_waiting(BOARD, ONE, REPORT),
            Delete(webhook_deliveries.state_key(BOARD, ONE)),
        ],
        [
            (f"BOARD#{BOARD}", "WEBHOOKS"),
            (f"WEBHOOK#{ONE}", "BOARD"),
            (f"DELIVERIES#{BOARD}#{ONE}", f"DELIVERY#{REPORT}"),
            ("DUE#2", f"{NOW}#{REPORT}"),
            (f"DELIVERIES#{BOARD}#{ONE}", f"WAITING#{REPORT}"),
            (f"DELIVERIES#{BOARD}#{ONE}", f"WAITING#{REPORT}"),
            (f"DELIVERIES#{BOARD}#{ONE}", "STATE"),
        ],
    ),
    "rows without a model": (
        [
            Delete(key)
            for key in (
                schema.token_use_key(ONE),
                schema.rate_window_key(USER),
                schema.idempotency_record_key(USER, "digest"),
            )
        ],
        [(f"TOKEN#{ONE}", "USED"), (f"RATE#{USER}", "WINDOW"), (f"IDEMPOTENCY#{USER}#d", "digest")],
    ),
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_what_is_written_is_spelled_as_it_always_was(kind: str) -> None:
    writes, spelled = EXPECTED[kind]
    assert keys_of(writes) == spelled


def test_expiry_is_in_whole_seconds() -> None:
    put = events.put(event())
    assert isinstance(put, Put)
    assert put.item["ttl"] == epoch(Instant("2027-05-30T09:00:00.000Z"))
