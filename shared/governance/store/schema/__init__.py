"""The table: its indexes, the kinds of its items, their keys and the lists that they are in (ADR 0002).

Every key, sort-key prefix and index key is built in this package and nowhere else: `keys` has the vocabulary,
`entities` the primary keys, `ranges` the lists.

One table, two key attributes. A board is one partition, so that its lists are local indexes, which can be read
consistently. What crosses boards (a user's boards, the items assigned to a user) is a row in the user's own partition,
written in the same transaction as the item that it points at.

Access patterns
    principal, board, membership, resource     one BatchGetItem by primary key
    meetings of a board by start               L1  MEETINGS# | DRAFTS#<creator>#
    ... of one status                          L2  MEETINGS#<status>#      (drafts: L1)
    members, tokens, committees by creation    L1  MEMBERS# | TOKENS# | COMMITTEES#
    all members, by keys alone                 L3  ROSTER#
    documents of a bucket by update            L1  <bucket>#ALL#
    ... of one type                            L2  <bucket>#ALL#T#<type>#
    links to a meeting, by the document's      L3  <bucket>#M#<meeting>#  L4  <bucket>#M#<meeting>#T#<type>#
    reports by update; of one status           L1  REPORTS#   L2  REPORTS#<status>#
    dashboards of a report; of one type        L3  DASHBOARDS#<report>#  L4  ...#<type>#   (keys only)
    invites by creation; pending ones          L1  INVITES#   L2  INVITES#PENDING#
    boards of a user; by update; by creation   PK USER#<user>  SK BOARD#   L3 BOARDS#UPDATED#   L4 BOARDS#CREATED#
    invites that a user sent                   PK USER#<user>  SK SENT# by time
    items assigned to a user, of one status    PK USER#<user>  L1 ASSIGNED#<status>#
    notifications of a user, newest first      PK USER#<user>  L1 NOTIFICATIONS# (without those that are deleted)
    users of an e-mail address                 PK EMAIL#<address>  SK USER#
    former addresses of a user                 PK USER#<user>  SK FORMER_EMAIL#
    committees of a member                     SK SEATS#<number>, a row for some of the members
    counts behind the limits                   SK COUNT#, or under the meeting that they belong to
    active tokens of a board or user           SK ACTIVE_TOKENS
    slots of a meeting with all their votes    SK MEETING#<meeting>#SLOT#
    action items of a board by order           L2  ACTIONS#ALL#    per meeting: L1 ACTIONS#<meeting>#
    answers to a meeting                       SK MEETING#<meeting>#ANSWER#
    slots of a board by start                  L3  SLOTS#
    calendar feeds of a user by creation       PK USER#<user>  L1 CALENDAR_FEEDS#
    notes of an action item, read with it      SK NOTES#<item>
    payload of a dashboard, read with it       SK REPORT#<report>#DASHBOARD#<dashboard>#PAYLOAD
    audit entries of a board                   PK AUDIT#<board>#<month>  SK by time
    creator of a deleted draft                 PK DELETED_DRAFT#<meeting>
    guard rows of a board                      PK GUARD#<board>#<number>
    events of a board, of a bucket             PK EVENTS#<board>#<month> SK <bucket># by time
    deliveries to a webhook                    PK DELIVERIES#<board>#<webhook>  SK DELIVERY# by time
    deliveries that wait for a slot            PK DELIVERIES#<board>#<webhook>  SK WAITING# by time
    deliveries due more than minutes from now  PK DUE#<shard>  SK by time
"""

from governance.store.schema.entities import (
    ACTION_ITEM,
    ACTION_ITEM_COUNT,
    ACTION_ITEM_LOCATION,
    ACTION_ITEM_NOTES,
    ACTIVE_BOARD_TOKENS,
    ACTIVE_USER_TOKENS,
    ASSIGNED,
    BOARD,
    BOARD_COUNT,
    BOARD_TOKEN,
    CALENDAR_FEED,
    CALENDAR_FEED_COUNT,
    CALENDAR_INVITATION,
    CALENDAR_SETTINGS,
    CALENDAR_STAMP,
    COMMITTEE,
    COMMITTEE_COUNT,
    DASHBOARD,
    DASHBOARD_PAYLOAD,
    DELETED_DRAFT,
    DOCUMENT,
    GUEST_LINK,
    INVITE,
    INVITE_LOCATION,
    INVITE_SENT,
    MEETING,
    MEMBER,
    MEMBER_COUNT,
    MEMBER_VOTE,
    NOTIFICATION,
    NOTIFICATIONS_READ,
    OPEN_ITEM_COUNT,
    PENDING_INVITE_COUNT,
    PENDING_INVITE_PREFIX,
    PREFERENCES,
    PURGE,
    REPORT,
    RSVP,
    SLOT,
    SLOT_COUNT,
    TOKEN_OWNER,
    USER,
    USER_BOARD,
    USER_TOKEN,
    WEBHOOK_DELIVERY,
    WEBHOOK_LOCATION,
    WEBHOOK_STATE,
    WEBHOOK_WAITING,
    WEBHOOKS,
    address_subject,
    audit_entry_key,
    audit_partition,
    board_code_key,
    document_link_key,
    document_of_link,
    due_key,
    due_partitions,
    email_user_key,
    event_key,
    events_partition,
    former_email_key,
    guard_key,
    guest_vote_key,
    idempotency_partitions,
    idempotency_record_key,
    invite_link_key,
    is_vote,
    partition_subject,
    payload_key,
    pending_invite_key,
    quota_key,
    rate_window_key,
    reply_address_key,
    seats_key,
    sent_invite_key,
    slot_of_vote,
    token_use_key,
)
from governance.store.schema.keys import (
    INDEXES,
    PK,
    SEPARATOR,
    SK,
    TTL,
    Entity,
    Index,
    Item,
    Key,
    Range,
    SortedList,
    index_name,
    is_of_kind,
    key_of,
    make_item,
    position,
)

__all__ = [
    "ACTION_ITEM",
    "ACTION_ITEM_COUNT",
    "ACTION_ITEM_LOCATION",
    "ACTION_ITEM_NOTES",
    "ACTIVE_BOARD_TOKENS",
    "ACTIVE_USER_TOKENS",
    "ASSIGNED",
    "BOARD",
    "BOARD_COUNT",
    "BOARD_TOKEN",
    "CALENDAR_FEED",
    "CALENDAR_FEED_COUNT",
    "CALENDAR_INVITATION",
    "CALENDAR_SETTINGS",
    "CALENDAR_STAMP",
    "COMMITTEE",
    "COMMITTEE_COUNT",
    "DASHBOARD",
    "DASHBOARD_PAYLOAD",
    "DELETED_DRAFT",
    "DOCUMENT",
    "GUEST_LINK",
    "INDEXES",
    "INVITE",
    "INVITE_LOCATION",
    "INVITE_SENT",
    "MEETING",
    "MEMBER",
    "MEMBER_COUNT",
    "MEMBER_VOTE",
    "NOTIFICATION",
    "NOTIFICATIONS_READ",
    "OPEN_ITEM_COUNT",
    "PENDING_INVITE_COUNT",
    "PENDING_INVITE_PREFIX",
    "PK",
    "PREFERENCES",
    "PURGE",
    "REPORT",
    "RSVP",
    "SEPARATOR",
    "SK",
    "SLOT",
    "SLOT_COUNT",
    "TOKEN_OWNER",
    "TTL",
    "USER",
    "USER_BOARD",
    "USER_TOKEN",
    "WEBHOOKS",
    "WEBHOOK_DELIVERY",
    "WEBHOOK_LOCATION",
    "WEBHOOK_STATE",
    "WEBHOOK_WAITING",
    "Entity",
    "Index",
    "Item",
    "Key",
    "Range",
    "SortedList",
    "address_subject",
    "audit_entry_key",
    "audit_partition",
    "board_code_key",
    "document_link_key",
    "document_of_link",
    "due_key",
    "due_partitions",
    "email_user_key",
    "event_key",
    "events_partition",
    "former_email_key",
    "guard_key",
    "guest_vote_key",
    "idempotency_partitions",
    "idempotency_record_key",
    "index_name",
    "invite_link_key",
    "is_of_kind",
    "is_vote",
    "key_of",
    "make_item",
    "partition_subject",
    "payload_key",
    "pending_invite_key",
    "position",
    "quota_key",
    "rate_window_key",
    "reply_address_key",
    "seats_key",
    "sent_invite_key",
    "slot_of_vote",
    "token_use_key",
]
