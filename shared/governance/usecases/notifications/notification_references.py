"""Replaces the ids in notifications by the resources that they refer to, with one batch for a whole list.

The reader's memberships are part of the batch: titles on boards that the reader has left stay hidden, and so does the
title of a document of a committee that the reader is not on, or in camera for others. A reader who has left a board
learns nothing new of it, neither its later name nor that of a person. A notification that links to another member's
draft is not shown, even after the draft is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from governance.domain.access.visibility import can_see_document, can_see_meeting
from governance.domain.account.avatars import NEUTRAL, initials
from governance.domain.meetings import in_camera
from governance.domain.notifications.notifications import (
    PERSONS,
    UNREGISTERED_ACTOR,
    has_kept_name,
    linked_meeting,
    sentence,
)
from governance.ids import BoardId, UserId
from governance.models.account.user import StoredUser
from governance.models.meetings.audience import StoredAudience
from governance.models.meetings.meeting import StoredMeeting
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.notifications.notification import Notification, StoredNotification
from governance.store.account.avatars import signed_url
from governance.store.committees.seats import seats_in
from governance.store.decoding import decode_or_none
from governance.store.schema.entities import (
    BOARD,
    DASHBOARD,
    DELETED_DRAFT,
    DOCUMENT,
    MEETING,
    MEMBER,
    REPORT,
    UNREGISTERED_USER,
    USER,
    pending_invite_key,
    seats_key,
)
from governance.store.schema.keys import Entity, Item, Key
from governance.store.table import read
from governance.texts import language_of

_ENTITIES_WITH_TITLE: Mapping[str, Entity] = {"reportId": REPORT, "dashboardId": DASHBOARD, "documentId": DOCUMENT}
Items = Mapping[Key, Item]


def with_references(stored: Sequence[StoredNotification], reader: StoredUser) -> list[Notification]:
    """Returns the notifications with the resources that they refer to, and the avatar of the user concerned.

    Those that link to a draft that `reader` may not see are left out.
    """
    items = _with_deleted_drafts(stored, read(key for notification in stored for key in _keys(notification, reader)))
    sign = lru_cache(maxsize=None)(signed_url)
    visible = [notification for notification in stored if not _links_to_hidden(notification, items, reader.id)]
    return [_to_resource(notification, items, reader, sign) for notification in visible]


def is_hidden(notification: StoredNotification, reader: UserId) -> bool:
    """Returns whether a notification links to a draft that its reader may not see; reads the meeting."""
    key = _meeting_key(notification)
    return key is not None and _links_to_hidden(notification, _with_deleted_drafts([notification], read([key])), reader)


def _with_deleted_drafts(stored: Sequence[StoredNotification], items: Items) -> Items:
    """Returns the items, with those that say which deleted meetings were drafts, and whose."""
    linked = ((_meeting_key(notification), linked_meeting(notification)) for notification in stored)
    gone = [id_ for key, id_ in linked if key is not None and id_ is not None and key not in items]
    return {**items, **read(DELETED_DRAFT.key_for(meetingId=id_) for id_ in gone)}


def _links_to_hidden(notification: StoredNotification, items: Items, reader: UserId) -> bool:
    key, meeting_id = _meeting_key(notification), linked_meeting(notification)
    if key is None or meeting_id is None:
        return False
    if key in items:
        meeting = decode_or_none(StoredMeeting, items[key])
        return meeting is None or not can_see_meeting(reader, meeting)
    draft = items.get(DELETED_DRAFT.key_for(meetingId=meeting_id))
    return draft is not None and draft["creatorId"] != reader


def _meeting_key(notification: StoredNotification) -> Key | None:
    meeting_id = linked_meeting(notification)
    return MEETING.key_for(boardId=notification.refs["boardId"], meetingId=meeting_id) if meeting_id else None


def _keys(notification: StoredNotification, reader: StoredUser) -> Iterator[Key]:
    refs = notification.refs
    yield from (USER.key_for(userId=refs[name]) for name in PERSONS if name in refs)
    if UNREGISTERED_ACTOR in refs:
        yield UNREGISTERED_USER.key_for(**refs)
    yield from (entity.key_for(**refs) for name, entity in _ENTITIES_WITH_TITLE.items() if name in refs)
    yield BOARD.key_for(boardId=refs["boardId"])
    yield _membership(notification)
    if "documentId" in refs:
        yield _seats_key(notification, reader.id)
    if (meeting := _meeting_key(notification)) is not None:
        yield meeting
    if "inviterId" in refs:
        yield pending_invite_key(BoardId(refs["boardId"]), reader.email)


def _is_informed(notification: StoredNotification, items: Items, reader: StoredUser) -> bool:
    """Returns whether the reader may know the board's present state: as a member, or by their pending invite."""
    refs = notification.refs
    if _membership(notification) in items:
        return True
    invite = items.get(pending_invite_key(BoardId(refs["boardId"]), reader.email), {})
    return "inviteId" in refs and invite.get("id") == refs["inviteId"]


def _to_resource(
    notification: StoredNotification, items: Items, reader: StoredUser, sign: Callable[[str], str]
) -> Notification:
    refs, is_informed = notification.refs, _is_informed(notification, items, reader)
    people = {name: _person(items, UserId(refs[name])) for name in PERSONS if name in refs}
    if not is_informed:
        people = {name: user if user and has_kept_name(user, notification) else None for name, user in people.items()}
    subject = next(iter(people.values()), None)
    fields = {
        "_id": notification.id,
        "userId": notification.user_id,
        "type": notification.type,
        "message": sentence(notification, _actor_name(notification, subject, items), language_of(reader.language)),
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
            **_board(notification, items, is_informed=is_informed),
            **{
                name: _with_title(name, notification, items, reader.id) for name in _ENTITIES_WITH_TITLE if name in refs
            },
        }
    )


def _actor_name(notification: StoredNotification, user: StoredUser | None, items: Items) -> str:
    """Returns the name of the actor; that of one without an account only to a reader who is still a member."""
    if user is not None or UNREGISTERED_ACTOR not in notification.refs or _membership(notification) not in items:
        return user.full_name if user else ""
    person = decode_or_none(StoredUnregisteredUser, items.get(UNREGISTERED_USER.key_for(**notification.refs)))
    return person.name if person else ""


def _avatar_id(notification: StoredNotification, subject: StoredUser | None) -> str:
    """Returns the user's own avatar if there is one and the user was not purged, else the neutral one."""
    return subject.id if notification.pictured and subject and initials(subject) else NEUTRAL


def _person(items: Items, user_id: UserId) -> StoredUser | None:
    return decode_or_none(StoredUser, items.get(USER.key_for(userId=user_id)))


def _with_name(user_id: UserId, user: StoredUser | None) -> dict[str, Any]:
    first, last = (user.first_name, user.last_name) if user else (None, None)
    return {"_id": user_id, "firstName": first, "lastName": last}


def _board(notification: StoredNotification, items: Items, *, is_informed: bool) -> dict[str, Any]:
    board_id = notification.refs["boardId"]
    board = items.get(BOARD.key_for(boardId=board_id)) if is_informed else {"name": notification.board_name}
    return {"boardId": {"_id": board_id, "name": board["name"] if board else None}}


def _with_title(name: str, notification: StoredNotification, items: Items, reader: UserId) -> dict[str, Any]:
    item = items.get(_ENTITIES_WITH_TITLE[name].key_for(**notification.refs))
    visible = item is not None and _membership(notification) in items and _can_see(item, notification, items, reader)
    return {"_id": notification.refs[name], "title": item["title"] if item and visible else None}


def _membership(notification: StoredNotification) -> Key:
    return MEMBER.key_for(boardId=notification.refs["boardId"], userId=notification.user_id)


def _seats_key(notification: StoredNotification, reader: UserId) -> Key:
    return seats_key(BoardId(notification.refs["boardId"]), reader)


def _can_see(item: Item, notification: StoredNotification, items: Items, reader: UserId) -> bool:
    seats = seats_in(items.get(_seats_key(notification, reader)))
    audience = StoredAudience.model_validate(item["audience"]) if item.get("audience") else None
    member = in_camera.member(reader, items[_membership(notification)]["joinId"])
    return member.sees(audience) and can_see_document(seats.of(reader), item.get("committeeId"))
