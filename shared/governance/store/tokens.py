"""Access tokens: kept with their owner, so that a presented token names the key under which it lies."""

from __future__ import annotations

from governance.errors import not_found
from governance.instants import shift
from governance.models.token import StoredToken
from governance.store.paging import Window, page
from governance.store.schema import BOARD_TOKEN, TOKEN_OWNER, USER_TOKEN, Item, Key, make_item, token_use
from governance.store.table import Range, query, read, read_one, set_if_newer
from governance.store.writes import ABSENT, EXISTS, Put, Update, Write, fail_with

_LIST = "TOKENS#"
_USED = "lastUsedAt"


def _key(token: StoredToken) -> Key:
    if token.board_id is not None:
        return BOARD_TOKEN.at(boardId=token.board_id, tokenId=token.id)
    return USER_TOKEN.at(userId=token.created_by_user_id, tokenId=token.id)


def create(token: StoredToken) -> list[Write]:
    """A token, and the row that lets an operator find it by its id alone."""
    key = _key(token)
    owner = make_item(TOKEN_OWNER.at(tokenId=token.id), {"ownerPk": key.pk, "ownerSk": key.sk})
    return [Put(make_item(key, token.item(), L1=f"{_LIST}{token.created_at}#{token.id}"), ABSENT), Put(owner)]


def revoke(token: StoredToken, now: str) -> Write:
    """Mark a token as revoked."""
    return Update(_key(token), "SET #r = :now", {"#r": "revokedAt"}, {":now": now}, EXISTS, fail_with(not_found))


def find(token_id: str) -> StoredToken | None:
    """A token by its id alone, as an operator names it."""
    key = TOKEN_OWNER.key(tokenId=token_id)
    owner = read_one(key) if key else None
    item = read_one(Key(owner["ownerPk"], owner["ownerSk"])) if owner else None
    return StoredToken.model_validate(item) if item else None


def list_of_owner(partition: str, window: Window) -> tuple[list[StoredToken], str | None]:
    """A page of an owner's tokens, by when they were made."""
    items, position = page(partition, "L1", [_LIST], window)
    return [StoredToken.model_validate(item) for item in items], position


def last_uses(token_ids: list[str]) -> dict[str, str]:
    """When each token was last used, for those that were."""
    found: dict[Key, Item] = read(token_use(token_id) for token_id in token_ids)
    return {token_id: found[token_use(token_id)][_USED] for token_id in token_ids if token_use(token_id) in found}


def keys_outside_owner(partition: str) -> list[Key]:
    """The rows, under their own ids, of all tokens of an owner."""
    ids = [item["id"] for item in query(Range(partition, "TOKEN#"))]
    return [key for token_id in ids for key in (TOKEN_OWNER.at(tokenId=token_id), token_use(token_id))]


def set_last_used(token_id: str, now: str) -> None:
    """Move the mark of last use, if it is a minute old."""
    set_if_newer(token_use(token_id), _USED, now, unless_after=shift(now, minutes=-1))
