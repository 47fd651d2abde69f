"""The rules of what is in camera: who sees an item, what others see of it, and who says so (ADR in-camera)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from governance.errors import forbidden
from governance.ids import UserId
from governance.models.meetings.audience import Audience, AudienceBody, StoredAudience


class Item(Protocol):
    """An item that may be in camera."""

    @property
    def id(self) -> str:
        """The id of the item."""

    @property
    def audience(self) -> StoredAudience | None:
        """Who the item is for; None for every reader of what it is in."""


AnyItem = TypeVar("AnyItem", bound=Item)


@dataclass(frozen=True)
class Reader:
    """Who reads or writes items, as far as audiences matter. Without a user it is nobody, and every audience lacks it.

    `looked_up` are the users whose memberships were read, None for those of all, and `join_ids` those of the members
    among them: of an audience with others nothing is known, and the reader is only in it by their own membership.
    """

    user_id: UserId | None = None
    is_owner: bool = False
    is_manager: bool = False
    join_ids: Mapping[UserId, str] = field(default_factory=dict)
    looked_up: Collection[UserId] | None = ()

    def sees(self, audience: StoredAudience | None) -> bool:
        """Returns whether the reader sees an item for this audience; None is for everybody."""
        if audience is None:
            return True
        return self.user_id is not None and self.user_id in self._present(audience)

    def shown(self, audience: StoredAudience | None) -> Audience | None:
        """Returns an audience that has the reader, as it is by now."""
        return Audience(user_ids=self._present(audience)) if audience else None

    def _present(self, audience: StoredAudience) -> tuple[UserId, ...]:
        """Returns who is in an audience: those who have not left, without any of them the owner of the board."""
        ids = audience.join_ids
        there = tuple(id_ for id_, join_id in ids.items() if self.join_ids.get(id_) == join_id)
        is_known = self.looked_up is None or {*self.looked_up} >= ids.keys()
        is_deserted = not there and is_known
        return (self.user_id,) if is_deserted and self.is_owner and self.user_id is not None else there


NOBODY = Reader()
"""The reader of what others read, too: packs, calendars, documents."""


def member(user_id: UserId, join_id: str | None) -> Reader:
    """Returns a member as a reader by their own membership alone; a `join_id` of None is that of nobody."""
    return Reader(user_id, join_ids={user_id: join_id} if join_id else {})


def matters_to(audience: StoredAudience, user_id: UserId, *, is_owner: bool) -> bool:
    """Returns whether a user may be in an audience, so that its members are looked up."""
    return is_owner or user_id in audience.join_ids


def hidden(items: Sequence[Item], reader: Reader) -> set[str]:
    """Returns the ids of the items that a reader does not see."""
    return {item.id for item in items if not reader.sees(item.audience)}


def with_kept(new: Sequence[AnyItem], earlier: Sequence[AnyItem], kept: Collection[str]) -> tuple[AnyItem, ...]:
    """Returns the new items with those of the earlier ones that are kept and missing, each in its place."""
    items, missing = [*new], {*kept} - {item.id for item in new}
    for index, item in enumerate(earlier):
        if item.id in missing:
            items.insert(index, item)
    return tuple(items)


def chosen(
    body: AudienceBody | None, old: StoredAudience | None, writer: Reader, *, is_given: bool
) -> StoredAudience | None:
    """Returns the audience that a writer who sees an item gives it; an item keeps what is not given.

    Raises 403 for a change by anybody but a manager. `errors_of` says which changes are possible.
    """
    earlier = writer.shown(old)
    current = [id_ for id_ in (body.user_ids if body else ()) if id_ in writer.join_ids]
    if not is_given or {*current} == {*(earlier.user_ids if earlier else ())}:
        return old
    if not writer.is_manager:
        raise forbidden("Only managers change who an item is for.")
    return StoredAudience(join_ids={id_: writer.join_ids[id_] for id_ in current}) if body else None


def errors_of(body: AudienceBody | None, old: StoredAudience | None, writer: Reader) -> dict[str, str]:
    """Returns the errors of an audience that is sent: one without the writer, or with somebody who is not a member.

    Somebody who was in it may be named after they have left, and is not in it any more.
    """
    if body is None:
        return {}
    known = old.join_ids if old else {}
    unknown = {
        f"audience.userIds.{index}": "must be the user id of a member of the board"
        for index, user_id in enumerate(body.user_ids)
        if user_id not in known and user_id not in writer.join_ids
    }
    is_outside = writer.user_id not in body.user_ids
    return unknown | ({"audience.userIds": "must have your own user id"} if is_outside else {})


def seal(salt: str, text: str) -> str:
    """Returns what stands for an item: the SHA-256 of its salt, 32 bytes in hexadecimal digits, and its RFC 8785 form.

    The salt keeps others from trying what the item may say.
    """
    return hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest()
