"""Replaces the ids in notifications by what they refer to, with one batch for a whole list.

The reader's memberships are part of the batch: titles on boards that the reader has left stay hidden, and so does the
title of a document of a committee that the reader is not on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from governance.domain.avatars import NEUTRAL, initials
from governance.domain.notifications import PERSONS, sentence
from governance.domain.visibility import document_bucket, document_buckets
from governance.ids import UserId
from governance.models.board import Membership
from governance.models.notification import Notification, StoredNotification
from governance.models.user import StoredUser
from governance.store.avatars import signed_url
from governance.store.schema import BOARD, DASHBOARD, DOCUMENT, MEMBER, REPORT, USER, Entity, Item, Key
from governance.store.table import read

_ENTITIES_WITH_TITLE: Mapping[str, Entity] = {"reportId": REPORT, "dashboardId": DASHBOARD, "documentId": DOCUMENT}
Items = Mapping[Key, Item]


def with_references(stored: Sequence[StoredNotification]) -> list[Notification]:
    """Returns the notifications with what they refer to, and an avatar of the user that each is about."""
    items = read(key for notification in stored for key in _keys(notification))
    sign = lru_cache(maxsize=None)(signed_url)
    return [_to_resource(notification, items, sign) for notification in stored]


def _keys(notification: StoredNotification) -> Iterator[Key]:
    refs = notification.refs
    yield from (USER.key_for(userId=refs[name]) for name in PERSONS if name in refs)
    yield from (entity.key_for(**refs) for name, entity in _ENTITIES_WITH_TITLE.items() if name in refs)
    if "boardId" in refs:
        yield BOARD.key_for(boardId=refs["boardId"])
        yield MEMBER.key_for(boardId=refs["boardId"], userId=notification.user_id)


def _to_resource(notification: StoredNotification, items: Items, sign: Callable[[str], str]) -> Notification:
    refs = notification.refs
    people = {name: _person(items, UserId(refs[name])) for name in PERSONS if name in refs}
    subject = next(iter(people.values()), None)
    fields = {
        "_id": notification.id,
        "userId": notification.user_id,
        "type": notification.type,
        "message": sentence(notification, subject),
        "read": notification.read,
        "createdAt": notification.created_at,
        "updatedAt": notification.updated_at,
        "avatar": sign(_avatar_id(notification, subject)),
    }
    return Notification.model_validate(
        {
            **fields,
            **refs,
            **{name: _with_name(UserId(refs[name]), person) for name, person in people.items()},
            **_board(refs, items),
            **{name: _with_title(name, notification, items) for name in _ENTITIES_WITH_TITLE if name in refs},
        }
    )


def _avatar_id(notification: StoredNotification, subject: StoredUser | None) -> str:
    """Returns the user's own avatar if there is one and the user was not purged, else the neutral one."""
    return subject.id if notification.pictured and subject and initials(subject) else NEUTRAL


def _person(items: Items, user_id: UserId) -> StoredUser | None:
    item = items.get(USER.key_for(userId=user_id))
    return StoredUser.model_validate(item) if item else None


def _with_name(user_id: UserId, user: StoredUser | None) -> dict[str, Any]:
    first, last = (user.first_name, user.last_name) if user else (None, None)
    return {"_id": user_id, "firstName": first, "lastName": last}


def _board(refs: Mapping[str, str], items: Items) -> dict[str, Any]:
    if "boardId" not in refs:
        return {}
    board = items.get(BOARD.key_for(boardId=refs["boardId"]))
    return {"boardId": {"_id": refs["boardId"], "name": board["name"] if board else None}}


def _with_title(name: str, notification: StoredNotification, items: Items) -> dict[str, Any]:
    item, member = (
        items.get(_ENTITIES_WITH_TITLE[name].key_for(**notification.refs)),
        items.get(_membership(notification)),
    )
    visible = item is not None and member is not None and _can_see(item, Membership.model_validate(member))
    return {"_id": notification.refs[name], "title": item["title"] if item and visible else None}


def _membership(notification: StoredNotification) -> Key:
    return MEMBER.key_for(boardId=notification.refs["boardId"], userId=notification.user_id)


def _can_see(item: Item, member: Membership) -> bool:
    return document_bucket(item.get("committeeId")) in document_buckets(member.committee_ids)
