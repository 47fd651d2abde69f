"""Access tokens: kept in their owner's partition, so that a presented token names the key that it is stored under.

One row per owner names the active ones, which are limited: each with its expiry, so that a full row itself shows which
have expired (ADR identity).
"""

from __future__ import annotations

from functools import partial

from governance.domain.account.tokens import status
from governance.errors import Reason, conflict, not_found
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.limits import TOKENS_PER_BOARD, TOKENS_PER_USER
from governance.models.account.token import StoredToken
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import (
    ACTIVE_BOARD_TOKENS,
    ACTIVE_USER_TOKENS,
    BOARD,
    BOARD_TOKEN,
    TOKEN_OWNER,
    USER_TOKEN,
    token_use_key,
)
from governance.store.schema.keys import PK, SEPARATOR, Item, Key, is_of_kind, make_item, position
from governance.store.table import query, read, read_one
from governance.store.transactions import set_if_newer, transact
from governance.store.writes import ABSENT, Check, Condition, Put, StaleRead, Update, Write

_USED, _ACTIVE = "lastUsedAt", "active"
_NOT_REVOKED = Condition(
    "attribute_exists(#pk) AND (attribute_not_exists(#r) OR #r = :none)",
    {"#pk": PK, "#r": "revokedAt"},
    {":none": None},
)


def _key(token: StoredToken) -> Key:
    if token.board_id is not None:
        return BOARD_TOKEN.key_for(boardId=token.board_id, tokenId=token.id)
    return USER_TOKEN.key_for(userId=token.created_by_user_id, tokenId=token.id)


def create(token: StoredToken) -> list[Write]:
    """Returns the writes of a new token, and of the row that finds it by its id alone.

    They fail with 409 `LIMIT_REACHED` if the board or the user has as many active tokens as it may have.
    """
    entry = ranges.TOKENS.entry(position(token.created_at, token.id))
    return [Put(make_item(_key(token), token.item(), **entry), ABSENT), put_owner(token), _add_active(token)]


def put_owner(token: StoredToken) -> Write:
    """Returns the write of the row that lets an operator find a token by its id alone."""
    key = _key(token)
    return Put(make_item(TOKEN_OWNER.key_for(tokenId=token.id), {"ownerPk": key.pk, "ownerSk": key.sk}))


def revoke(token: StoredToken, now: Instant) -> list[Write]:
    """Returns the writes that mark a token as revoked, forget its digest and make room for another.

    Without the digest the item is smaller, so that a full partition takes the write (ADR history).
    They fail with 404 if the token does not exist, and with `StaleRead` if it was revoked meanwhile.
    """
    names, values = {"#r": "revokedAt", "#d": "digest"}, {":now": now, ":gone": ""}
    mark = Update(_key(token), "SET #r = :now, #d = :gone", names, values, _NOT_REVOKED, _revoked_or_gone)
    return [mark, _remove_active(_active_key(token), frozenset({_entry(token)}))]


def check_not_revoked(user_id: UserId, token_id: str) -> Write:
    """Returns a check that a user's token was not revoked since it was read."""
    return Check(USER_TOKEN.key_for(userId=user_id, tokenId=token_id), _NOT_REVOKED)


def _revoked_or_gone(stored: Item | None) -> Exception:
    return not_found() if stored is None else StaleRead()


def _add_active(token: StoredToken) -> Write:
    """Returns the write that adds a token to the active ones, if there is room or expired ones can make room."""
    key, limit = _active_key(token), TOKENS_PER_USER if token.board_id is None else TOKENS_PER_BOARD
    room = Condition("attribute_not_exists(#t) OR size(#t) < :limit", {}, {":limit": limit})
    entry = {":t": frozenset({_entry(token)})}
    return Update(key, "ADD #t :t", {"#t": _ACTIVE}, entry, room, partial(_full, key, token.created_at))


def _full(key: Key, now: Instant, stored: Item | None) -> Exception:
    """Removes the expired tokens from the active ones; returns `StaleRead` if there were any, otherwise the 409."""
    expired = frozenset(entry for entry in (stored or {}).get(_ACTIVE, ()) if _has_expired(entry, now))
    if not expired:
        return conflict(Reason.LIMIT_REACHED)
    transact([_remove_active(key, expired)])
    return StaleRead()


def _remove_active(key: Key, entries: frozenset[str]) -> Write:
    """Returns the write that removes tokens from the active ones; it changes nothing for those that are not there."""
    return Update(key, "DELETE #t :t", {"#t": _ACTIVE}, {":t": entries})


def _active_key(token: StoredToken) -> Key:
    if token.board_id is not None:
        return ACTIVE_BOARD_TOKENS.key_for(boardId=token.board_id)
    return ACTIVE_USER_TOKENS.key_for(userId=token.created_by_user_id)


def _entry(token: StoredToken) -> str:
    return f"{token.id}{SEPARATOR}{token.expires_at or ''}"


def _has_expired(entry: str, now: Instant) -> bool:
    expires_at = entry.partition(SEPARATOR)[2]
    return status(Instant(expires_at) if expires_at else None, None, now) == "expired"


def find(token_id: str) -> StoredToken | None:
    """Returns a token by its id alone, as an operator names it; None if there is no such token."""
    key = TOKEN_OWNER.key_or_none(tokenId=token_id)
    owner = read_one(key) if key else None
    item = read_one(Key(owner["ownerPk"], owner["ownerSk"])) if owner else None
    return StoredToken.model_validate(item) if item else None


def list_of_owner(partition: str, window: Window) -> tuple[list[StoredToken], str | None]:
    """Returns a page of an owner's tokens, by creation, and the position of the last (None: no more)."""
    items, last = page(partition, [ranges.TOKENS], window)
    return decode_all(StoredToken, items), last


def all_of_board(board_id: BoardId) -> list[StoredToken]:
    """Returns all tokens of a board, in no order, expired and revoked ones included."""
    items = query(ranges.TOKENS_BY_ID.within(BOARD.key_for(boardId=board_id).pk))
    return decode_all(StoredToken, items)


def last_uses(token_ids: list[str]) -> dict[str, Instant]:
    """Returns when each of these tokens was last used, without those that never were."""
    uses: dict[Key, Item] = read(token_use_key(token_id) for token_id in token_ids)
    by_id = {token_id: uses.get(token_use_key(token_id)) for token_id in token_ids}
    return {token_id: use[_USED] for token_id, use in by_id.items() if use is not None}


def keys_elsewhere(item: Item) -> list[Key]:
    """Returns the keys of a board token's rows under its own id; none for an item of another kind."""
    if not is_of_kind(BOARD_TOKEN, item):
        return []
    return [TOKEN_OWNER.key_for(tokenId=item["id"]), token_use_key(item["id"])]


def set_last_used(token_id: str, now: Instant) -> None:
    """Notes that a token is used now, unless that was noted within the last minute."""
    set_if_newer(token_use_key(token_id), _USED, now, unless_after=shift(now, minutes=-1))
