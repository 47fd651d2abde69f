"""Users, and the rows that lead from an e-mail address to the users who have it."""

from __future__ import annotations

from collections.abc import Iterator

from governance.ids import RecipientId, UserId
from governance.models.account.user import StoredUser
from governance.store.schema import ranges
from governance.store.schema.entities import (
    CALENDAR_FEED,
    FEED_BOARDS,
    TOKEN_OWNER,
    USER,
    USER_TOKEN,
    delivered_partition,
    former_email_key,
    token_use_key,
)
from governance.store.schema.keys import PK, SK, Item, Key, Range, key_of, make_item
from governance.store.schema.lookups import email_user_key, reply_address_key
from governance.store.schema.usage import idempotency_partitions
from governance.store.table import iter_range, query, read_one
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals


def _key(user: StoredUser) -> Key:
    return USER.key_for(userId=user.id)


def _email_key(user: StoredUser) -> Key:
    return email_user_key(user.email, user.id)


def _put_email(user: StoredUser) -> Put:
    return Put(make_item(_email_key(user), {"userId": user.id}))


def _put_former_email(user: StoredUser) -> Put:
    """Returns the write that keeps a user's former address, so that a purge finds what was sent to it."""
    return Put(make_item(former_email_key(user.id, user.email), {"email": user.email}))


def create(user: StoredUser) -> list[Write]:
    """Returns the writes of a user seen for the first time."""
    return [Put(make_item(_key(user), user.item()), ABSENT), _put_email(user)]


def replace(old: StoredUser, new: StoredUser) -> list[Write]:
    """Returns the writes that change a user. They fail with `StaleRead` if the user changed since it was read."""
    writes: list[Write] = [Put(make_item(_key(new), new.item()), equals(version=old.version))]
    if old.email != new.email:
        writes += [Delete(_email_key(old)), _put_email(new), _put_former_email(old)]
    return writes


def user_ids_by_email(email: str) -> list[UserId]:
    """Returns the ids of the users who have an e-mail address."""
    partition = email_user_key(email, UserId("")).pk
    return [item["userId"] for item in query(ranges.USERS_OF_EMAIL.within(partition))]


def find(user_id: UserId) -> StoredUser | None:
    """Returns a user by id; None if there is no such user."""
    key = USER.key_or_none(userId=user_id)
    item = read_one(key) if key else None
    return StoredUser.model_validate(item) if item else None


def former_addresses(user_id: UserId) -> list[str]:
    """Returns the e-mail addresses that a user had before."""
    return [item["email"] for item in query(ranges.FORMER_EMAILS.within(USER.key_for(userId=user_id).pk))]


def check_active(user_id: UserId) -> Write:
    """Returns a check that a user's account is still active."""
    return Check(USER.key_for(userId=user_id), equals(status="active"))


def check_unchanged(user: StoredUser) -> Write:
    """Returns a check that a user has not changed since they were read; a purge changes them."""
    return Check(USER.key_for(userId=user.id), equals(version=user.version))


def replace_with_remainder(old: StoredUser, remainder: StoredUser) -> list[Write]:
    """Returns the writes that replace a user by its anonymised remainder; its e-mail address becomes a former one.

    They fail with `StaleRead` if the user changed since it was read.
    """
    item = Put(make_item(_key(remainder), remainder.item()), equals(version=old.version))
    return [item, Delete(_email_key(old)), _put_former_email(old)]


def personal_keys(user_id: UserId) -> Iterator[Key]:
    """Yields the keys of the items that belong to a user alone.

    They are: recorded responses, tokens, notifications, preferences, the lists of sent invites and of assigned action
    items, former addresses, and the names of former boards.
    """
    for answers in idempotency_partitions(user_id):
        yield from (key_of(row) for row in iter_range(Range(answers), PK, SK))
    yield from delivered_keys(user_id)
    partition = USER.key_for(userId=user_id).pk
    for personal in (listed.within(partition) for listed in ranges.PERSONAL):
        for item in iter_range(personal, PK, SK, "id"):
            yield from _rows_of_token(user_id, item)
            yield from _rows_of_feed(user_id, item)
            yield key_of(item)


def delivered_keys(recipient_id: RecipientId) -> Iterator[Key]:
    """Yields the keys of what was delivered to a user, or to a person without an account, and of its rows."""
    for item in iter_range(Range(delivered_partition(recipient_id)), PK, SK, "token"):
        yield from _rows_of_calendar_invitation(item)
        yield key_of(item)


def _rows_of_token(user_id: UserId, item: Item) -> list[Key]:
    """Returns the keys of a token's rows under its own id; none for another item."""
    token_id = str(item.get("id"))
    if key_of(item) != USER_TOKEN.key_or_none(userId=user_id, tokenId=token_id):
        return []
    return [TOKEN_OWNER.key_for(tokenId=token_id), token_use_key(token_id)]


def _rows_of_feed(user_id: UserId, item: Item) -> list[Key]:
    """Returns the keys of a feed's boards and last use; none for another item."""
    feed_id = str(item.get("id"))
    is_feed = key_of(item) == CALENDAR_FEED.key_or_none(userId=user_id, feedId=feed_id)
    return [FEED_BOARDS.key_for(feedId=feed_id), token_use_key(feed_id)] if is_feed else []


def _rows_of_calendar_invitation(item: Item) -> list[Key]:
    """Returns the key of the row that replies find a calendar invitation by; none for another item."""
    return [reply_address_key(item["token"])] if "token" in item else []
