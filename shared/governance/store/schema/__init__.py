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
    documents of a bucket by update            L1  <bucket>#ALL#           per meeting: <bucket>#M#<meeting>#
    ... of one type                            L2  <bucket>#ALL#T#<type>#  per meeting: <bucket>#M#<meeting>#T#<type>#
    reports by update; of one status           L1  REPORTS#   L2  REPORTS#<status>#
    dashboards of a report; of one type        L3  DASHBOARDS#<report>#  L4  ...#<type>#   (large: keys only)
    invites by creation; pending ones          L1  INVITES#   L2  INVITES#PENDING#
    boards of a user                           PK USER#<user>  SK BOARD#
    invites that a user sent                   PK USER#<user>  SK SENT# by time
    items assigned to a user, of one status    PK USER#<user>  L1 ASSIGNED#<status>#
    notifications of a user, newest first      PK USER#<user>  L1 NOTIFICATIONS# (without those that are deleted)
    users of an e-mail address                 PK EMAIL#<address>  SK USER#
    former addresses of a user                 PK USER#<user>  SK FORMER_EMAIL#
    slots of a meeting with all their votes    SK MEETING#<meeting>#SLOT#
    action items of a board; of a meeting      SK ACTION#      L1 ACTIONS#<meeting>#
    audit entries of a board                   PK AUDIT#<board>  SK by time
    events of a board, of a bucket             PK EVENTS#<board> SK <bucket># by time
"""

from governance.store.schema.entities import (
    ACTION_ITEM,
    ACTION_ITEM_LOCATION,
    ASSIGNED,
    BOARD,
    BOARD_TOKEN,
    COMMITTEE,
    DASHBOARD,
    DOCUMENT,
    GUEST_LINK,
    INVITE,
    INVITE_LOCATION,
    INVITE_SENT,
    MEETING,
    MEMBER,
    MEMBER_VOTE,
    NOTIFICATION,
    NOTIFICATIONS_READ,
    PENDING_INVITE_PREFIX,
    PREFERENCES,
    PURGE,
    REPORT,
    SLOT,
    SLOT_COUNT,
    TOKEN_OWNER,
    USER,
    USER_BOARD,
    USER_TOKEN,
    address_subject,
    audit_entry_key,
    audit_partition,
    board_code_key,
    document_link_key,
    email_user_key,
    event_key,
    events_partition,
    former_email_key,
    guest_vote_key,
    idempotency_partition,
    idempotency_record_key,
    invite_link_key,
    is_vote,
    pending_invite_key,
    quota_key,
    rate_window_key,
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
    "ACTION_ITEM_LOCATION",
    "ASSIGNED",
    "BOARD",
    "BOARD_TOKEN",
    "COMMITTEE",
    "DASHBOARD",
    "DOCUMENT",
    "GUEST_LINK",
    "INDEXES",
    "INVITE",
    "INVITE_LOCATION",
    "INVITE_SENT",
    "MEETING",
    "MEMBER",
    "MEMBER_VOTE",
    "NOTIFICATION",
    "NOTIFICATIONS_READ",
    "PENDING_INVITE_PREFIX",
    "PK",
    "PREFERENCES",
    "PURGE",
    "REPORT",
    "SEPARATOR",
    "SK",
    "SLOT",
    "SLOT_COUNT",
    "TOKEN_OWNER",
    "TTL",
    "USER",
    "USER_BOARD",
    "USER_TOKEN",
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
    "email_user_key",
    "event_key",
    "events_partition",
    "former_email_key",
    "guest_vote_key",
    "idempotency_partition",
    "idempotency_record_key",
    "index_name",
    "invite_link_key",
    "is_of_kind",
    "is_vote",
    "key_of",
    "make_item",
    "pending_invite_key",
    "position",
    "quota_key",
    "rate_window_key",
    "sent_invite_key",
    "slot_of_vote",
    "token_use_key",
]
