"""The rules of the work plan: what changes a matter, and how it comes on an agenda (ADR planning)."""

from __future__ import annotations

from collections.abc import Collection

from governance.domain.access.visibility import can_see_document
from governance.domain.meetings.in_camera import Reader
from governance.domain.planning.months import local_start
from governance.errors import invalid_body
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant
from governance.models.meetings.agenda import StoredAgenda, StoredAgendaItem
from governance.models.meetings.meeting import StoredMeeting
from governance.models.planning.plan_item import PlanItem, PlanItemCreate, PlanItemPatch, StoredPlanItem


def created(board_id: BoardId, body: PlanItemCreate, committees: Collection[str], now: Instant) -> StoredPlanItem:
    """Returns the new matter that the body describes; raises 400 for a committee that the caller is not in."""
    _check_committee(body.committee_id, committees)
    return StoredPlanItem(
        **body.model_dump(exclude={"months"}),
        months=tuple(body.months),
        id=new_id(),
        board_id=board_id,
        owned_since=now if body.owner_user_id else None,
        created_at=now,
        updated_at=now,
    )


def patched(item: StoredPlanItem, body: PlanItemPatch, committees: Collection[str], now: Instant) -> StoredPlanItem:
    """Returns the matter with these changes; the same object if they change nothing.

    Raises 400 for a committee that the caller is not in.
    """
    changes = body.changes()
    if "months" in changes:
        changes["months"] = tuple(body.months)
    new = item.model_copy(update=changes)
    if new == item:
        return item
    _check_committee(new.committee_id, committees)
    if new.owner_user_id != item.owner_user_id:
        new = new.model_copy(update={"owned_since": now if new.owner_user_id else None})
    return new.model_copy(update={"updated_at": now, "version": item.version + 1})


def _check_committee(committee_id: str | None, committees: Collection[str]) -> None:
    if not can_see_document(tuple(committees), committee_id):
        raise invalid_body({"committeeId": "must be the id of a committee that you are a member of"})


def not_a_member(_: object) -> Exception:
    """Returns the 400 for an owner who is not a member of the board."""
    return invalid_body({"ownerUserId": "must be the user id of a member of the board"})


def without_owner(item: StoredPlanItem, user_id: UserId, since: Instant, now: Instant) -> StoredPlanItem | None:
    """Returns the matter without this owner; None if somebody else owns it or it was assigned after `since`."""
    if item.owner_user_id != user_id or (item.owned_since or since) > since:
        return None
    changes = {"owner_user_id": None, "owned_since": None, "updated_at": now, "version": item.version + 1}
    return item.model_copy(update=changes)


def to_resource(item: StoredPlanItem) -> PlanItem:
    """Returns the matter as its readers see it."""
    return PlanItem.model_validate(item.item())


def check_month(item: StoredPlanItem, meeting: StoredMeeting) -> None:
    """Raises 400 unless the meeting starts in a month of the matter, in its own zone."""
    start = local_start(meeting)
    if start is None or start.month not in item.months:
        raise invalid_body({"meetingId": "must be the id of a meeting in a month of the matter"})


def is_on(agenda: StoredAgenda | None, item: StoredPlanItem, reader: Reader) -> bool:
    """Returns whether a reader sees the matter on an agenda."""
    items = agenda.items if agenda else ()
    return any(entry.plan_item_id == item.id and reader.sees(entry.audience) for entry in items)


def on_agenda(item: StoredPlanItem) -> StoredAgendaItem:
    """Returns the matter as a new item of an agenda."""
    return StoredAgendaItem(
        id=new_id(), title=item.title, minutes=item.minutes, kind=item.kind, notes=item.notes, plan_item_id=item.id
    )
