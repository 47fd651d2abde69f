"""The rules of what is in camera: who sees an item and its papers, what others see of it, and who says so (ADR
in-camera)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from governance.errors import forbidden
from governance.ids import UserId
from governance.models.meetings.audience import Audience, AudienceBody, StoredAudience

if TYPE_CHECKING:
    from governance.models.meetings.agenda import StoredAgendaItem


class Item(Protocol):
    """An item that may be in camera."""

    @property
    def id(self) -> str:
        """The id of the item."""

    @property
    def audience(self) -> StoredAudience | None:
        """Who the item is for; None for every reader of what it is in."""


class Entry(Item, Protocol):
    """An entry of minutes."""

    @property
    def agenda_item_id(self) -> str | None:
        """The id of the item of the agenda that the entry is about."""


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


def recorded(entries: Iterable[Entry], items: Sequence[Item], reader: Reader) -> set[str]:
    """Returns the ids of the items of an agenda that entries of its minutes are about, as a reader may learn them.

    An entry that the reader does not see tells nothing of an item that they see. Of an item that they do not see, any
    entry counts: what follows from it shows a place and no id.
    """
    unseen = hidden(items, reader)
    named = ((entry.agenda_item_id, reader.sees(entry.audience)) for entry in entries)
    return {id_ for id_, is_seen in named if id_ is not None and (is_seen or id_ in unseen)}


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


def audiences_of(items: Iterable[StoredAgendaItem]) -> dict[str, StoredAudience | None]:
    """Returns who the papers of these items are for: the audiences of a paper's items together, by its id.

    A paper that also stands on an item that is not in camera is for everybody: None.
    """
    audiences: dict[str, StoredAudience | None] = {}
    for item in items:
        for document_id in item.document_ids:
            other = audiences.get(document_id, item.audience)
            audiences[document_id] = _together(other, item.audience) if other and item.audience else None
    return audiences


def _together(a: StoredAudience, b: StoredAudience) -> StoredAudience:
    return a if a == b else StoredAudience(join_ids={**a.join_ids, **b.join_ids})


def changed_audiences(
    before: Sequence[StoredAgendaItem], after: Sequence[StoredAgendaItem], writer: Reader
) -> dict[str, StoredAudience | None]:
    """Returns who papers are for after a change of items, by the ids of the papers of which it says something new.

    A paper that is taken off stays for whom it was. An item that the writer does not see changes nothing by itself.
    """
    old, new = (audiences_of(item for item in items if writer.sees(item.audience)) for items in (before, after))
    now = audiences_of(after)
    return {id_: now[id_] for id_, audience in new.items() if id_ not in old or old[id_] != audience}


def seal(salt: str, text: str) -> str:
    """Returns what stands for an item: the SHA-256 of its salt, 32 bytes in hexadecimal digits, and its RFC 8785 form.

    The salt keeps others from trying what the item may say.
    """
    return hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest()
