"""What notifications refer to, put in the place of the ids: one batch for a whole list.

The reader's memberships are read with it: of a board that he has left he learns no new titles, and of a committee's
document only the committee does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from governance.domain.avatars import NEUTRAL, initials
from governance.domain.notifications import PERSONS, sentence
from governance.domain.visibility import document_bucket, document_buckets
from governance.models.board import Membership
from governance.models.notification import Notification, StoredNotification
from governance.models.user import StoredUser
from governance.store.avatars import signed_url
from governance.store.schema import BOARD, DASHBOARD, DOCUMENT, MEMBER, REPORT, USER, Entity, Item, Key
from governance.store.table import read

_TITLED: Mapping[str, Entity] = {"reportId": REPORT, "dashboardId": DASHBOARD, "documentId": DOCUMENT}
Items = Mapping[Key, Item]


def populated(found: Sequence[StoredNotification]) -> list[Notification]:
    """The notifications with their references in the place of ids, and a picture of the user concerned."""
    items = read(key for one in found for key in _keys(one))
    sign = lru_cache(maxsize=None)(signed_url)
    return [_populated(one, items, sign) for one in found]


def _keys(one: StoredNotification) -> Iterator[Key]:
    refs = one.refs
    yield from (USER.at(userId=refs[name]) for name in PERSONS if name in refs)
    yield from (entity.at(**refs) for name, entity in _TITLED.items() if name in refs)
    if "boardId" in refs:
        yield BOARD.at(boardId=refs["boardId"])
        yield MEMBER.at(boardId=refs["boardId"], userId=one.user_id)


def _populated(one: StoredNotification, items: Items, sign: Callable[[str], str]) -> Notification:
    persons = {name: _person(items, one.refs[name]) for name in PERSONS if name in one.refs}
    concerned = next(iter(persons.values()), None)
    own = {
        "_id": one.id,
        "userId": one.user_id,
        "type": one.type,
        "message": sentence(one, concerned),
        "read": one.read,
        "createdAt": one.created_at,
        "updatedAt": one.updated_at,
        "avatar": sign(_picture(one, concerned)),
    }
    return Notification.model_validate(
        {
            **own,
            **one.refs,
            **{name: _named(one.refs[name], person) for name, person in persons.items()},
            **_board(one.refs, items),
            **{name: _titled(name, one, items) for name in _TITLED if name in one.refs},
        }
    )


def _picture(one: StoredNotification, concerned: StoredUser | None) -> str:
    """The user's own picture where one was put into the bucket, unless he has been purged since."""
    return concerned.id if one.pictured and concerned and initials(concerned) else NEUTRAL


def _person(items: Items, user_id: str) -> StoredUser | None:
    item = items.get(USER.at(userId=user_id))
    return StoredUser.model_validate(item) if item else None


def _named(user_id: str, user: StoredUser | None) -> dict[str, Any]:
    first, last = (user.first_name, user.last_name) if user else (None, None)
    return {"_id": user_id, "firstName": first, "lastName": last}


def _board(refs: Mapping[str, str], items: Items) -> dict[str, Any]:
    if "boardId" not in refs:
        return {}
    board = items.get(BOARD.at(boardId=refs["boardId"]))
    return {"boardId": {"_id": refs["boardId"], "name": board["name"] if board else None}}


def _titled(name: str, one: StoredNotification, items: Items) -> dict[str, Any]:
    item, member = items.get(_TITLED[name].at(**one.refs)), items.get(_membership(one))
    visible = item is not None and member is not None and _may_see(item, Membership.model_validate(member))
    return {"_id": one.refs[name], "title": item["title"] if item and visible else None}


def _membership(one: StoredNotification) -> Key:
    return MEMBER.at(boardId=one.refs["boardId"], userId=one.user_id)


def _may_see(item: Item, member: Membership) -> bool:
    return document_bucket(item.get("committeeId")) in document_buckets(member.committee_ids)
