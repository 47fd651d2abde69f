"""Reads who of the audiences of items in camera is still on the board (ADR in-camera)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from governance.domain.meetings import in_camera
from governance.domain.meetings.in_camera import NOBODY, Item, Reader
from governance.errors import not_found
from governance.ids import UserId
from governance.models.boards.board import Membership, RosterEntry
from governance.models.meetings.audience import AudienceBody
from governance.scopes import Tier
from governance.store.boards import boards
from governance.usecases.context import Context


def reader_of(context: Context, items: Iterable[Item], sent: Iterable[AudienceBody | None] = ()) -> Reader:
    """Returns the caller as the reader of these items, and as the writer of audiences that are sent.

    It reads nothing unless the caller may be in the audience of an item. A board token is in none.
    """
    member = context.membership
    if member is None:
        return NOBODY
    audiences = [item.audience for item in items if item.audience]
    named = {id_ for audience in sent if audience for id_ in audience.user_ids}
    for audience in audiences:
        if in_camera.matters_to(audience, member.user_id, is_owner=_is_owner(member)):
            named |= audience.join_ids.keys()
    others = boards.roster_of(context.board.id, named - {member.user_id}) if named - {member.user_id} else []
    return _reader(context, member, others, named)


def reader_in(context: Context, members: Collection[RosterEntry]) -> Reader:
    """Returns the caller as the reader of what is for some of all members of the board; a board token is nobody."""
    member = context.membership
    if member is None:
        return NOBODY
    return _reader(context, member, members, None)


def _reader(
    context: Context, member: Membership, read: Iterable[RosterEntry], looked_up: Collection[UserId] | None
) -> Reader:
    is_manager = context.tier is not None and context.tier >= Tier.MANAGER
    join_ids = {**{entry.user_id: entry.join_id for entry in read}, member.user_id: member.join_id}
    return Reader(member.user_id, _is_owner(member), is_manager, join_ids, looked_up)


def _is_owner(member: Membership) -> bool:
    return member.admin_role == "owner"


def hidden_among(context: Context, items: Sequence[Item]) -> set[str]:
    """Returns the ids of the items in camera that are not for the caller."""
    return in_camera.hidden(items, reader_of(context, items))


def check_none_hidden(context: Context, items: Sequence[Item], shown: Iterable[Mapping[str, Any]]) -> None:
    """Raises 404 if items were shown that the caller does not see by now.

    One that is not among the items any more may have moved; if it was in camera, its audience is not known here.
    """
    ids = {item.id for item in items}
    hidden = hidden_among(context, items)
    for item in shown:
        is_lost = item.get("audience") is not None and item["id"] not in ids
        if not item.get("withheld") and (is_lost or item["id"] in hidden):
            raise not_found()
