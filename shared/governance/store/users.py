"""Users, and who bears which address."""

from __future__ import annotations

from governance.models.user import StoredUser
from governance.store.schema import (
    EMAIL_USER_PREFIX,
    PERSONAL_PREFIXES,
    TOKEN_OWNER,
    USER,
    USER_TOKEN,
    Item,
    Key,
    email_user,
    key_of,
    make_item,
    token_use,
)
from governance.store.table import Range, query, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def _key(user: StoredUser) -> Key:
    return USER.at(userId=user.id)


def _address(user: StoredUser) -> Put:
    return Put(make_item(email_user(user.email, user.id), {"userId": user.id}))


def create(user: StoredUser) -> list[Write]:
    """A user seen for the first time."""
    return [Put(make_item(_key(user), user.item()), ABSENT), _address(user)]


def replace(old: StoredUser, new: StoredUser) -> list[Write]:
    """A user as he is now, if he is still as he was read."""
    writes: list[Write] = [Put(make_item(_key(new), new.item()), equals(version=old.version))]
    if old.email != new.email:
        writes += [Delete(email_user(old.email, old.id)), _address(new)]
    return writes


def user_ids_by_email(email: str) -> list[str]:
    """The ids of the users who bear an address."""
    partition = email_user(email, "").pk
    return [item["userId"] for item in query(Range(partition, EMAIL_USER_PREFIX))]


def find(user_id: str) -> StoredUser | None:
    """A user by his id."""
    key = USER.key(userId=user_id)
    item = read_one(key) if key else None
    return StoredUser.model_validate(item) if item else None


def replace_with_remainder(old: StoredUser, left: StoredUser) -> list[Write]:
    """Of a user only what is left, if he is still as he was read; nobody bears his address."""
    return [Put(make_item(_key(left), left.item()), equals(version=old.version)), Delete(email_user(old.email, old.id))]


def delete_personal_items(user_id: str) -> list[Write]:
    """The removal of what a user has for himself alone: tokens, notifications, preferences,
    his lists of sent invites and of what is assigned to him."""
    partition = USER.at(userId=user_id).pk
    items = [item for prefix in PERSONAL_PREFIXES for item in query(Range(partition, prefix))]
    return [Delete(key) for item in items for key in (key_of(item), *_beside(user_id, item))]


def _beside(user_id: str, item: Item) -> list[Key]:
    """A token's rows under its own id."""
    token_id = str(item.get("id"))
    if key_of(item) != USER_TOKEN.key(userId=user_id, tokenId=token_id):
        return []
    return [TOKEN_OWNER.at(tokenId=token_id), token_use(token_id)]
