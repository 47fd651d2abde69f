"""The table: its indexes, its entities, their keys; nobody else spells a key (ADR 0002).

One table, two key attributes. A board is one item collection, so its lists are local indexes that can be read
consistently; what crosses boards (a user's boards, his assigned items) is a row in the user's own collection,
written in the same transaction as what it points at.

Access patterns
    principal, board, membership, resource     one BatchGetItem by primary key
    meetings of a board by start               L1  MEETINGS# | DRAFTS#<creator>#
    ... of one status                          L2  MEETINGS#<status>#      (drafts: L1)
    members, tokens, committees by creation    L1  MEMBERS# | TOKENS# | COMMITTEES#
    documents of a bucket by update            L1  <bucket>#ALL#           per meeting: <bucket>#M#<meeting>#
    ... of one type                            L2  <bucket>#ALL#T#<type>#  per meeting: <bucket>#M#<meeting>#T#<type>#
    reports by update; of one status           L1  REPORTS#   L2  REPORTS#<status>#
    dashboards of a report; of one type        L3  DASHBOARDS#<report>#  L4  ...#<type>#   (large: keys only)
    boards of a user                           PK USER#<user>  SK BOARD#
    items assigned to a user, of one status    PK USER#<user>  L1 ASSIGNED#<status>#
    slots of a meeting with all their votes    SK MEETING#<meeting>#SLOT#
    action items of a board; of a meeting      SK ACTION#      L1 ACTIONS#<meeting>#
    audit entries of a board                   PK AUDIT#<board>  SK by time
    events of a board, of a bucket             PK EVENTS#<board> SK <bucket># by time
    notifications of a user, newest first      PK USER#<user>  L1 NOTIFICATIONS# (without those that are deleted)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from governance.ids import is_id
from governance.instants import epoch

Item = dict[str, Any]
Index = Literal["L1", "L2", "L3", "L4"]

PK, SK, TTL = "PK", "SK", "ttl"
INDEXES: dict[Index, Literal["ALL", "KEYS_ONLY"]] = {"L1": "ALL", "L2": "ALL", "L3": "KEYS_ONLY", "L4": "KEYS_ONLY"}


def index_name(index: Index) -> str:
    """The name that the template gives the index."""
    return f"by-{index}"


class Key(NamedTuple):
    """A primary key."""

    pk: str
    sk: str

    @property
    def attributes(self) -> dict[str, str]:
        """The key as attributes of an item."""
        return {PK: self.pk, SK: self.sk}


def key_of(item: Item) -> Key:
    """The primary key of an item."""
    return Key(item[PK], item[SK])


def make_item(key: Key, members: Item, *, ttl: str | None = None, **indexes: str) -> Item:
    """An item: its key, its members, its places in the indexes, and the instant after which it may go."""
    expiry = {} if ttl is None else {TTL: epoch(ttl)}
    return {**members, **key.attributes, **indexes, **expiry}


@dataclass(frozen=True)
class Entity:
    """A kind of item: the templates of its key, over named parameters that all must be ids."""

    name: str
    pk: str
    sk: str
    parameters: tuple[str, ...]

    def key(self, **values: str) -> Key | None:
        """The key for these parameters; None where one of them is malformed and so names nothing."""
        for name in self.parameters:
            if not is_id(values.get(name)):
                return None
        return Key(self.pk.format(**values), self.sk.format(**values))

    def at(self, **values: str) -> Key:
        """The key for parameters that are known to be sound."""
        key = self.key(**values)
        if key is None:
            raise ValueError(f"no key of {self.name}")
        return key


ACTION_ITEM_PREFIX, EMAIL_USER_PREFIX, USER_BOARD_PREFIX, SENT_INVITE_PREFIX = "ACTION#", "USER#", "BOARD#", "SENT#"
"""How the sort keys begin of what is read as a range: a board's action items; of an address or a user, what bears,
what he belongs to, what he sent."""

BOARD = Entity("board", "BOARD#{boardId}", "BOARD", ("boardId",))
MEMBER = Entity("member", "BOARD#{boardId}", "MEMBER#{userId}", ("boardId", "userId"))
BOARD_TOKEN = Entity("board_token", "BOARD#{boardId}", "TOKEN#{tokenId}", ("boardId", "tokenId"))
MEETING = Entity("meeting", "BOARD#{boardId}", "MEETING#{meetingId}", ("boardId", "meetingId"))
ACTION_ITEM = Entity(
    "action_item", "BOARD#{boardId}", f"{ACTION_ITEM_PREFIX}{{actionItemId}}", ("boardId", "actionItemId")
)
DOCUMENT = Entity("document", "BOARD#{boardId}", "DOCUMENT#{documentId}", ("boardId", "documentId"))
COMMITTEE = Entity("committee", "BOARD#{boardId}", "COMMITTEE#{committeeId}", ("boardId", "committeeId"))
REPORT = Entity("report", "BOARD#{boardId}", "REPORT#{reportId}", ("boardId", "reportId"))
DASHBOARD = Entity(
    "dashboard", "BOARD#{boardId}", "REPORT#{reportId}#DASHBOARD#{dashboardId}", ("boardId", "reportId", "dashboardId")
)
USER = Entity("user", "USER#{userId}", "USER", ("userId",))
USER_TOKEN = Entity("user_token", "USER#{userId}", "TOKEN#{tokenId}", ("userId", "tokenId"))
USER_BOARD = Entity("user_board", "USER#{userId}", f"{USER_BOARD_PREFIX}{{boardId}}", ("userId", "boardId"))
TOKEN_OWNER = Entity("token_owner", "TOKEN#{tokenId}", "OWNER", ("tokenId",))


def email_user(email: str, user_id: str) -> Key:
    """Who bears an address: one row for each user, found together."""
    return Key(f"EMAIL#{email}", f"{EMAIL_USER_PREFIX}{user_id}")


def document_link(document: Key, number: int) -> Key:
    """A document's row for one of the meetings that it is linked to; numbered, so that a change writes over them."""
    return Key(document.pk, f"{document.sk}#LINK#{number:02d}")


def token_use(token_id: str) -> Key:
    """When a token was last used; apart from the token, so that noting it never touches the token."""
    return Key(f"TOKEN#{token_id}", "USED")


def rate_window(subject: str) -> Key:
    """The count of a principal's or an address's requests."""
    return Key(f"RATE#{subject}", "WINDOW")


def idempotency(principal: str, digest: str) -> Key:
    """The first answer to a request that carried an idempotency key."""
    return Key(f"IDEMPOTENCY#{principal}", digest)


def audit(board_id: str, created_at: str, entry_id: str) -> Key:
    """An audit entry; a board's entries lie in the order of time, then id."""
    return Key(f"AUDIT#{board_id}", f"{created_at}#{entry_id}")


def event(board_id: str, bucket: str, created_at: str, event_id: str) -> Key:
    """An event of a board, in its bucket, in the order of time; the stream carries it on."""
    return Key(f"EVENTS#{board_id}", f"{bucket}#{created_at}#{event_id}")


NOTIFICATION = Entity("notification", "USER#{userId}", "NOTIFICATION#{notificationId}", ("userId", "notificationId"))
NOTIFICATIONS_READ = Entity("notifications_read", "USER#{userId}", "NOTIFICATIONS_READ", ("userId",))
PREFERENCES = Entity("preferences", "USER#{userId}", "PREFERENCES", ("userId",))


INVITE = Entity("invite", "BOARD#{boardId}", "INVITE#{inviteId}", ("boardId", "inviteId"))
INVITE_LOCATION = Entity("invite_place", "INVITE#{inviteId}", "BOARD", ("inviteId",))
INVITE_SENT = Entity("invite_sent", "INVITE#{inviteId}", "SENT", ("inviteId",))


def pending_invite(board_id: str, email: str) -> Key:
    """The pending invite of an address to a board: its key is its guard, there is one at most."""
    return Key(f"BOARD#{board_id}", f"PENDING_INVITE#{email}")


def board_code(code: str) -> Key:
    """The board that an invite code opens."""
    return Key(f"CODE#{code}", "BOARD")


def invite_link(code: str, token_digest: str) -> Key:
    """The pending invite that a link leads to; beside the board of the link's code."""
    return Key(f"CODE#{code}", f"INVITE#{token_digest}")


def sent_invite(user_id: str, created_at: str, invite_id: str) -> Key:
    """An invite that a user sent or sent again."""
    return Key(f"USER#{user_id}", f"{SENT_INVITE_PREFIX}{created_at}#{invite_id}")


def quota(purpose: str, subject: str) -> Key:
    """When somebody last used each of the times that he may do something within a while."""
    return Key(f"ALLOWANCE#{purpose}#{subject}", "USES")


SLOT = Entity("slot", "BOARD#{boardId}", "MEETING#{meetingId}#SLOT#{slotId:.12}", ("boardId", "meetingId", "slotId"))
"""Of the slot's id only the instant is in the key: two slots at one instant cannot exist. Compare the id."""
MEMBER_VOTE = Entity(
    "member_vote",
    "BOARD#{boardId}",
    "MEETING#{meetingId}#SLOT#{slotId:.12}#VOTE#{slotId}#U#{userId}",
    ("boardId", "meetingId", "slotId", "userId"),
)
SLOT_COUNT = Entity("slot_count", "BOARD#{boardId}", "MEETING#{meetingId}#SLOTS", ("boardId", "meetingId"))
GUEST_LINK = Entity("guest_link", "BOARD#{boardId}", "MEETING#{meetingId}#GUEST_LINK", ("boardId", "meetingId"))
ACTION_ITEM_LOCATION = Entity("action_item_place", "ACTION#{actionItemId}", "PLACE", ("actionItemId",))
ASSIGNED = Entity("assigned", "USER#{userId}", "ASSIGNED#{actionItemId}", ("userId", "actionItemId"))


def guest_vote(slot: Key, slot_id: str, digest: str) -> Key:
    """A guest's vote on a slot: one for each address, whose digest this is."""
    return Key(slot.pk, f"{slot.sk}#VOTE#{slot_id}#G#{digest}")


PERSONAL_PREFIXES = ("TOKEN#", "NOTIFICATION", "PREFERENCES", SENT_INVITE_PREFIX, "ASSIGNED#")
"""How the sort keys begin of what a user has for himself alone, and what goes with him when he is purged."""
