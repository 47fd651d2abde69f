"""The kinds of items, and the primary key of each.

Every key that ids name is an `Entity`; a key that also names an address, an instant or a digest has a function.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from governance.domain.visibility import Bucket, BucketKind
from governance.ids import BoardId, UserId
from governance.instants import Instant, month
from governance.store.schema.keys import SEPARATOR, Entity, Key, position

if TYPE_CHECKING:
    from governance.domain.quota import Purpose

# -- in a board's partition

BOARD = Entity("board", "BOARD#{boardId}", "BOARD", ("boardId",))
MEMBER = Entity("member", "BOARD#{boardId}", "MEMBER#{userId}", ("boardId", "userId"))
BOARD_TOKEN = Entity("board_token", "BOARD#{boardId}", "TOKEN#{tokenId}", ("boardId", "tokenId"))
MEMBER_COUNT = Entity("member_count", "BOARD#{boardId}", "COUNT#MEMBERS", ("boardId",))
ACTIVE_BOARD_TOKENS = Entity("active_board_tokens", "BOARD#{boardId}", "ACTIVE_TOKENS", ("boardId",))
"""The ids of a board's active tokens, which are limited."""
COMMITTEE_COUNT = Entity("committee_count", "BOARD#{boardId}", "COUNT#COMMITTEES", ("boardId",))
PENDING_INVITE_COUNT = Entity("pending_invite_count", "BOARD#{boardId}", "COUNT#PENDING_INVITES", ("boardId",))
OPEN_ITEM_COUNT = Entity("open_item_count", "BOARD#{boardId}", "COUNT#OPEN_ITEMS#{userId}", ("boardId", "userId"))
COMMITTEE = Entity("committee", "BOARD#{boardId}", "COMMITTEE#{committeeId}", ("boardId", "committeeId"))
DOCUMENT = Entity("document", "BOARD#{boardId}", "DOCUMENT#{documentId}", ("boardId", "documentId"))
ACTION_ITEM = Entity("action_item", "BOARD#{boardId}", "ACTION#{actionItemId}", ("boardId", "actionItemId"))
ACTION_ITEM_NOTES = Entity("action_item_notes", "BOARD#{boardId}", "NOTES#{actionItemId}", ("boardId", "actionItemId"))
INVITE = Entity("invite", "BOARD#{boardId}", "INVITE#{inviteId}", ("boardId", "inviteId"))
REPORT = Entity("report", "BOARD#{boardId}", "REPORT#{reportId}", ("boardId", "reportId"))
DASHBOARD = Entity(
    "dashboard", "BOARD#{boardId}", "REPORT#{reportId}#DASHBOARD#{dashboardId}", ("boardId", "reportId", "dashboardId")
)
_PAYLOAD = "#PAYLOAD"
DASHBOARD_PAYLOAD = Entity(
    "dashboard_payload",
    "BOARD#{boardId}",
    DASHBOARD.sk + _PAYLOAD,
    ("boardId", "reportId", "dashboardId"),
)
MEETING = Entity("meeting", "BOARD#{boardId}", "MEETING#{meetingId}", ("boardId", "meetingId"))
CALENDAR_STAMP = Entity("calendar_stamp", "BOARD#{boardId}", "CALENDAR_STAMP", ("boardId",))
GUEST_LINK = Entity("guest_link", "BOARD#{boardId}", "MEETING#{meetingId}#GUEST_LINK", ("boardId", "meetingId"))
WEBHOOKS = Entity("webhooks", "BOARD#{boardId}", "WEBHOOKS", ("boardId",))
"""All webhooks of a board."""
SLOT_COUNT = Entity("slot_count", "BOARD#{boardId}", "MEETING#{meetingId}#SLOTS", ("boardId", "meetingId"))
ACTION_ITEM_COUNT = Entity(
    "action_item_count", "BOARD#{boardId}", "MEETING#{meetingId}#ACTION_ITEMS", ("boardId", "meetingId")
)
SLOT = Entity("slot", "BOARD#{boardId}", "MEETING#{meetingId}#SLOT#{slotId:.12}", ("boardId", "meetingId", "slotId"))
"""Only the instant of the slot's id is in the key, so that a meeting has one slot at an instant. Compare the id."""
MEMBER_VOTE = Entity(
    "member_vote",
    "BOARD#{boardId}",
    "MEETING#{meetingId}#SLOT#{slotId:.12}#VOTE#{slotId}#U#{userId}",
    ("boardId", "meetingId", "slotId", "userId"),
)
RSVP = Entity("rsvp", "BOARD#{boardId}", "MEETING#{meetingId}#ANSWER#{userId}", ("boardId", "meetingId", "userId"))
_VOTE = "#VOTE#"
_LINK = "#LINK#"
_SEAT_ROWS = 32


def seats_key(board_id: BoardId, user_id: UserId) -> Key:
    """Returns the key of the row that lists the committees of a user and of some other members of the board."""
    return Key(f"BOARD#{board_id}", f"SEATS#{int(user_id[-2:], 16) % _SEAT_ROWS:02d}")


def payload_key(dashboard: Key) -> Key:
    """Returns the key of a dashboard's payload."""
    return Key(dashboard.pk, dashboard.sk + _PAYLOAD)


def votes_prefix(slot: Key, slot_id: str) -> str:
    """Returns what the sort keys of the votes on a slot begin with."""
    return f"{slot.sk}{_VOTE}{slot_id}#"


def document_link_key(document: Key, number: int) -> Key:
    """Returns the key of the row for one of a document's meetings; numbered, so that a change writes over them."""
    return Key(document.pk, f"{document.sk}{_LINK}{number:02d}")


def document_of_link(link: Key) -> Key:
    """Returns the key of the document that a row for one of its meetings belongs to."""
    return Key(link.pk, link.sk.partition(_LINK)[0])


def guest_vote_key(slot: Key, slot_id: str, email_digest: str) -> Key:
    """Returns the key of a guest's vote on a slot; each address has one vote."""
    return Key(slot.pk, f"{votes_prefix(slot, slot_id)}G#{email_digest}")


def is_vote(key: Key) -> bool:
    """Returns whether a key under a slot is that of a vote, not that of the slot."""
    return _VOTE in key.sk


def slot_of_vote(vote: Key) -> Key:
    """Returns the key of the slot that a vote is for."""
    return Key(vote.pk, vote.sk.partition(_VOTE)[0])


PENDING_INVITE_PREFIX = "PENDING_INVITE#"


def pending_invite_key(board_id: BoardId, email: str) -> Key:
    """Returns the key of an address's pending invite to a board; each address has one at most."""
    return Key(f"BOARD#{board_id}", f"{PENDING_INVITE_PREFIX}{email}")


# -- in a user's partition

USER = Entity("user", "USER#{userId}", "USER", ("userId",))
USER_TOKEN = Entity("user_token", "USER#{userId}", "TOKEN#{tokenId}", ("userId", "tokenId"))
ACTIVE_USER_TOKENS = Entity("active_user_tokens", "USER#{userId}", "ACTIVE_TOKENS", ("userId",))
USER_BOARD = Entity("user_board", "USER#{userId}", "BOARD#{boardId}", ("userId", "boardId"))
BOARD_COUNT = Entity("board_count", "USER#{userId}", "COUNT#BOARDS", ("userId",))
ASSIGNED = Entity("assigned", "USER#{userId}", "ASSIGNED#{actionItemId}", ("userId", "actionItemId"))
NOTIFICATION = Entity("notification", "USER#{userId}", "NOTIFICATION#{notificationId}", ("userId", "notificationId"))
NOTIFICATIONS_READ = Entity("notifications_read", "USER#{userId}", "NOTIFICATIONS_READ", ("userId",))
PREFERENCES = Entity("preferences", "USER#{userId}", "PREFERENCES", ("userId",))
CALENDAR_FEED = Entity("calendar_feed", "USER#{userId}", "CALENDAR_FEED#{feedId}", ("userId", "feedId"))
CALENDAR_FEED_COUNT = Entity("calendar_feed_count", "USER#{userId}", "CALENDAR_FEEDS", ("userId",))
CALENDAR_SETTINGS = Entity("calendar_settings", "USER#{userId}", "CALENDAR_SETTINGS", ("userId",))
CALENDAR_INVITATION = Entity(
    "calendar_invitation", "USER#{userId}", "CALENDAR_INVITATION#{meetingId}", ("userId", "meetingId")
)
PURGE = Entity("purge", "USER#{userId}", "PURGE", ("userId",))
FORMER_EMAIL_PREFIX = "FORMER_EMAIL#"
SENT_PREFIX = "SENT#"


def former_email_key(user_id: UserId, email: str) -> Key:
    """Returns the key of the row for an e-mail address that a user had before."""
    return Key(f"USER#{user_id}", FORMER_EMAIL_PREFIX + email)


def sent_invite_key(user_id: UserId, created_at: Instant, invite_id: str) -> Key:
    """Returns the key of the row for an invite that a user sent, first or again."""
    return Key(f"USER#{user_id}", SENT_PREFIX + position(created_at, invite_id))


# -- found by something other than a board or a user

TOKEN_OWNER = Entity("token_owner", "TOKEN#{tokenId}", "OWNER", ("tokenId",))
INVITE_LOCATION = Entity("invite_location", "INVITE#{inviteId}", "BOARD", ("inviteId",))
INVITE_SENT = Entity("invite_sent", "INVITE#{inviteId}", "SENT", ("inviteId",))
ACTION_ITEM_LOCATION = Entity("action_item_location", "ACTION#{actionItemId}", "PLACE", ("actionItemId",))

WEBHOOK_LOCATION = Entity("webhook_location", "WEBHOOK#{webhookId}", "BOARD", ("webhookId",))
DELETED_DRAFT = Entity("deleted_draft", "DELETED_DRAFT#{meetingId}", "CREATOR", ("meetingId",))
"""Whose draft a meeting was when it was deleted; kept for as long as notifications of it may exist."""


def guard_key(subject_id: str, number: int) -> Key:
    """Returns the key of a guard row of a board; each has a partition of its own, so that their load is spread."""
    return Key(f"GUARD#{subject_id}#{number:02d}", "GUARD")


EMAIL_USER_PREFIX = "USER#"


def email_user_key(email: str, user_id: UserId) -> Key:
    """Returns the key of the row that leads from an e-mail address to a user who has it."""
    return Key(f"EMAIL#{email}", f"{EMAIL_USER_PREFIX}{user_id}")


def reply_address_key(token: str) -> Key:
    """Returns the key of the row that leads from the address for replies with this token to its invitation.

    Only the hash of the token is in the key, and it is the same whatever the case of the letters.
    """
    return Key(f"CALENDAR_REPLY#{hashlib.sha256(token.lower().encode()).hexdigest()}", "INVITATION")


def token_use_key(token_id: str) -> Key:
    """Returns the key of a token's last use; an item of its own, so that a use never changes the token."""
    return Key(f"TOKEN#{token_id}", "USED")


def board_code_key(code: str) -> Key:
    """Returns the key of the row that leads from an invite code to its board."""
    return Key(f"CODE#{code}", "BOARD")


def invite_link_key(code: str, token_digest: str) -> Key:
    """Returns the key of the row that leads from a link to its pending invite; in the partition of the link's code."""
    return Key(f"CODE#{code}", f"INVITE#{token_digest}")


_QUOTAS: dict[Purpose, str] = {
    "mails_of_invite": "INVITE_MAILS",
    "mails_to_recipient": "RECIPIENT_MAILS",
    "test_mails": "TEST_MAILS",
    "new_invites": "INVITES",
    "notification_mails_per_hour": "NOTIFICATION_MAILS_HOURLY",
    "notification_mails_per_day": "NOTIFICATION_MAILS_DAILY",
    "same_notification_mails": "SAME_NOTIFICATION_MAILS",
}


def quota_key(purpose: Purpose, subject: str, about: str = "") -> Key:
    """Returns the key of a subject's uses of a quota; `about` names the thing if each thing has the quota to itself."""
    return Key(f"ALLOWANCE#{_QUOTAS[purpose]}#{subject}", f"USES#{about}" if about else "USES")


def rate_window_key(subject: str) -> Key:
    """Returns the key of the request count of a principal, or of an address (`address_subject`)."""
    return Key(f"RATE#{subject}", "WINDOW")


def address_subject(address: str) -> str:
    """Returns the subject that the requests of a network address are counted under."""
    return f"ADDRESS#{address}"


_IDEMPOTENCY_PARTS = "0123456789abcdef"


def _idempotency_partition(principal: str, part: str) -> str:
    return f"IDEMPOTENCY#{principal}#{part}"


def idempotency_partitions(principal: str) -> list[str]:
    """Returns the partitions of the first answers to a principal's requests with idempotency keys.

    There are several, because a day's answers of a busy principal may be larger than a partition.
    """
    return [_idempotency_partition(principal, part) for part in _IDEMPOTENCY_PARTS]


def idempotency_record_key(principal: str, digest: str) -> Key:
    """Returns the key of the first answer to a request with an idempotency key, by the key's hexadecimal digest."""
    return Key(_idempotency_partition(principal, digest[0]), digest)


_NAMED_BY_IDS = {"BOARD", "USER", "AUDIT", "EVENTS", "IDEMPOTENCY", "DELIVERIES", "DELETED_DRAFT"}


def partition_subject(pk: str) -> str:
    """Returns a partition's key for a log: of keys that name an address or a secret, the kind alone."""
    kind = pk.partition(SEPARATOR)[0]
    return pk if kind in _NAMED_BY_IDS else kind


# -- deliveries to a webhook, in a partition for each, so that they never slow down the board

WEBHOOK_DELIVERY = Entity(
    "webhook_delivery",
    "DELIVERIES#{boardId}#{webhookId}",
    "DELIVERY#{deliveryId}",
    ("boardId", "webhookId", "deliveryId"),
)
WEBHOOK_STATE = Entity("webhook_state", "DELIVERIES#{boardId}#{webhookId}", "STATE", ("boardId", "webhookId"))
"""Since when a webhook fails, and which attempts are being made."""
WEBHOOK_WAITING = Entity(
    "webhook_waiting",
    "DELIVERIES#{boardId}#{webhookId}",
    "WAITING#{deliveryId}",
    ("boardId", "webhookId", "deliveryId"),
)
"""A delivery that waits until fewer attempts at its webhook are being made."""
_DUE_SHARDS = 4


def due_partitions() -> list[str]:
    """Returns the partitions of the deliveries whose next attempt is too late for the queue to keep it."""
    return [f"DUE#{shard}" for shard in range(_DUE_SHARDS)]


def due_key(due_at: Instant, delivery_id: str) -> Key:
    """Returns the key of a delivery among those that are due later; in a partition by its id, ordered by time."""
    return Key(due_partitions()[int(delivery_id[-1], 16) % _DUE_SHARDS], position(due_at, delivery_id))


# -- what happened on a board, in a partition for each month, so that none is ever full; in the order of time


def audit_partition(board_id: BoardId, in_month: str) -> str:
    """Returns the partition of a board's audit entries of one month (`YYYY-MM`)."""
    return f"AUDIT#{board_id}#{in_month}"


def audit_entry_key(board_id: BoardId, created_at: Instant, entry_id: str) -> Key:
    """Returns the key of an audit entry."""
    return Key(audit_partition(board_id, month(created_at)), position(created_at, entry_id))


def events_partition(board_id: BoardId, in_month: str) -> str:
    """Returns the partition of a board's events of one month (`YYYY-MM`), which the stream carries on."""
    return f"EVENTS#{board_id}#{in_month}"


_BUCKETS = {
    BucketKind.BOARD_MEETINGS: "MEETINGS#",
    BucketKind.BOARD_DOCUMENTS: "DOCS#B#",
    BucketKind.BOARD_EVENTS: "BOARD#",
    BucketKind.DRAFTS: "DRAFTS#{}#",
    BucketKind.COMMITTEE_DOCUMENTS: "DOCS#C#{}#",
}


def bucket_prefix(bucket: Bucket) -> str:
    """Returns what the sort keys of a bucket's items begin with."""
    return _BUCKETS[bucket.kind].format(bucket.owner_id)


def event_key(board_id: BoardId, bucket: Bucket, created_at: Instant, event_id: str) -> Key:
    """Returns the key of an event, in its bucket."""
    partition = events_partition(board_id, month(created_at))
    return Key(partition, bucket_prefix(bucket) + position(created_at, event_id))
