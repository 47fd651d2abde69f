"""The table: its indexes, its entities, their keys; nobody else spells a key (ADR 0002).

One table, two key attributes. A board is one item collection, so its lists are local indexes that can be read
consistently; what crosses boards (a user's boards, his assigned items) is a row in the user's own collection,
written in the same transaction as what it points at.

Access patterns
    principal, board, membership, resource     one BatchGetItem by primary key
    meetings of a board by start               L1  MEETINGS# | DRAFTS#<creator>#
    ... of one status                          L2  MEETINGS#<status>#      (drafts: L1)
    members, tokens, committees by creation    L1  MEMBERS# | TOKENS# | COMMITTEES#
    documents of a bucket by update            L1  <bucket>#               (also per meeting)
    ... of one type                            L2  <bucket>#T#<type>#      (also per meeting)
    reports by update; of one status           L1  REPORTS#   L2  REPORTS#<status>#
    dashboards of a report; of one type        L3  DASHBOARDS#<report>#  L4  ...#<type>#   (large: keys only)
    boards of a user, items assigned to him    PK USER#<user>  SK BOARD# | ASSIGNED#
    audit entries, events of a board           PK AUDIT#<board> | EVENTS#<board>, by time
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


def stored(key: Key, members: Item, *, ttl: str | None = None, **indexes: str) -> Item:
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
        if not all(is_id(values.get(name)) for name in self.parameters):
            return None
        return Key(self.pk.format(**values), self.sk.format(**values))

    def at(self, **values: str) -> Key:
        """The key for parameters that are known to be sound."""
        key = self.key(**values)
        if key is None:
            raise ValueError(f"no key of {self.name}")
        return key


BOARD = Entity("board", "BOARD#{boardId}", "BOARD", ("boardId",))
MEMBER = Entity("member", "BOARD#{boardId}", "MEMBER#{userId}", ("boardId", "userId"))
BOARD_TOKEN = Entity("board_token", "BOARD#{boardId}", "TOKEN#{tokenId}", ("boardId", "tokenId"))
MEETING = Entity("meeting", "BOARD#{boardId}", "MEETING#{meetingId}", ("boardId", "meetingId"))
ACTION_ITEM = Entity("action_item", "BOARD#{boardId}", "ACTION#{actionItemId}", ("boardId", "actionItemId"))
DOCUMENT = Entity("document", "BOARD#{boardId}", "DOCUMENT#{documentId}", ("boardId", "documentId"))
COMMITTEE = Entity("committee", "BOARD#{boardId}", "COMMITTEE#{committeeId}", ("boardId", "committeeId"))
REPORT = Entity("report", "BOARD#{boardId}", "REPORT#{reportId}", ("boardId", "reportId"))
DASHBOARD = Entity(
    "dashboard", "BOARD#{boardId}", "REPORT#{reportId}#DASHBOARD#{dashboardId}", ("boardId", "reportId", "dashboardId")
)
USER = Entity("user", "USER#{userId}", "USER", ("userId",))
USER_TOKEN = Entity("user_token", "USER#{userId}", "TOKEN#{tokenId}", ("userId", "tokenId"))
USER_BOARD = Entity("user_board", "USER#{userId}", "BOARD#{boardId}", ("userId", "boardId"))
TOKEN_OWNER = Entity("token_owner", "TOKEN#{tokenId}", "OWNER", ("tokenId",))


def email_user(email: str, user_id: str) -> Key:
    """Who bears an address: one row for each user, found together."""
    return Key(f"EMAIL#{email}", f"USER#{user_id}")


def token_use(token_id: str) -> Key:
    """When a token was last used; apart from the token, so that noting it never touches the token."""
    return Key(f"TOKEN#{token_id}", "USED")


def rate(subject: str) -> Key:
    """The count of a principal's or an address's requests."""
    return Key(f"RATE#{subject}", "WINDOW")


def idempotency(principal: str, digest: str) -> Key:
    """The first answer to a request that carried an idempotency key."""
    return Key(f"IDEMPOTENCY#{principal}", digest)


def audit(board_id: str, created_at: str, entry_id: str) -> Key:
    """An audit entry; a board's entries lie in the order of time, then id."""
    return Key(f"AUDIT#{board_id}", f"{created_at}#{entry_id}")


def event(board_id: str, created_at: str, event_id: str) -> Key:
    """An event of a board, in the order of time; the stream carries it on."""
    return Key(f"EVENTS#{board_id}", f"{created_at}#{event_id}")
