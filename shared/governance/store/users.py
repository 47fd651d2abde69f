"""Users, and who bears which address."""

from __future__ import annotations

from governance.models.user import StoredUser
from governance.store.schema import USER, Key, email_user, stored
from governance.store.table import ABSENT, Delete, Put, Range, Write, equals, query


def _key(user: StoredUser) -> Key:
    return USER.at(userId=user.id)


def _address(user: StoredUser) -> Put:
    return Put(stored(email_user(user.email, user.id), {"userId": user.id}))


def create(user: StoredUser) -> list[Write]:
    """A user seen for the first time."""
    return [Put(stored(_key(user), user.item()), ABSENT), _address(user)]


def replace(old: StoredUser, new: StoredUser) -> list[Write]:
    """A user as he is now, if he is still as he was read."""
    writes: list[Write] = [Put(stored(_key(new), new.item()), equals(version=old.version))]
    if old.email != new.email:
        writes += [Delete(email_user(old.email, old.id)), _address(new)]
    return writes


def bearing(email: str) -> list[str]:
    """The ids of the users who bear an address."""
    partition = email_user(email, "").pk
    return [item["userId"] for item in query(Range(partition, "USER#"))]
