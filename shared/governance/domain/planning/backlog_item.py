"""The rules of the backlog: an item keeps its id, its papers and its origin wherever it stands (ADR planning)."""

from __future__ import annotations

from collections.abc import Collection

from governance.domain.access.visibility import can_see_document
from governance.domain.meetings.agenda import (
    KnownReferences,
    errors_of_papers,
    errors_of_presenter,
    shown_item,
    with_presenter_if_active,
)
from governance.domain.meetings.in_camera import Reader
from governance.domain.members.unregistered_user import NamedPeople
from governance.errors import Reason, conflict, invalid_body
from governance.ids import BoardId, new_id
from governance.instants import Instant
from governance.models.meetings.agenda import StoredAgendaItem
from governance.models.planning.backlog_item import (
    BacklogFields,
    BacklogItem,
    BacklogItemCreate,
    BacklogItemPatch,
    StoredBacklogItem,
)


def created(
    board_id: BoardId, body: BacklogItemCreate, known: KnownReferences, committees: Collection[str], now: Instant
) -> StoredBacklogItem:
    """Returns the new item that the body describes; `committees` are the caller's.

    Raises 400 for a presenter who is not on the board, a paper that is absent or hidden, and a committee of others.
    """
    item = StoredBacklogItem(
        **body.model_dump(exclude={"document_ids"}),
        document_ids=tuple(body.document_ids),
        id=new_id(),
        board_id=board_id,
        created_at=now,
        updated_at=now,
    )
    errors = {**errors_of_presenter(body, (), known), **errors_of_papers(body.document_ids, known)}
    return _checked(item, errors, committees)


def patched(
    item: StoredBacklogItem, body: BacklogItemPatch, known: KnownReferences, committees: Collection[str], now: Instant
) -> StoredBacklogItem:
    """Returns the item with these changes; the same object if they change nothing.

    A paper that the writer does not see stays. Raises 400 as `created` does; the item's earlier presenter may stay.
    """
    changes = body.changes()
    if "document_ids" in changes:
        kept = [document_id for document_id in item.document_ids if document_id in known.hidden]
        changes["document_ids"] = (*body.document_ids, *kept)
    new = item.model_copy(update=changes)
    if new == item:
        return item
    errors = {**errors_of_presenter(new, (item,), known), **errors_of_papers(body.document_ids, known)}
    return _checked(new.model_copy(update={"updated_at": now, "version": item.version + 1}), errors, committees)


def _checked(item: StoredBacklogItem, errors: dict[str, str], committees: Collection[str]) -> StoredBacklogItem:
    if not can_see_document(tuple(committees), item.committee_id):
        errors = {**errors, "committeeId": "must be the id of a committee that you are a member of"}
    if errors:
        raise invalid_body(errors)
    if item.presenter_unregistered_user_id is None:
        return item
    return item.model_copy(update={"presenter_name": None})  # their name is read with their id


def to_resource(item: StoredBacklogItem, papers: Collection[str], people: NamedPeople, reader: Reader) -> BacklogItem:
    """Returns the item as seen by a reader who sees these papers, with the current name of its presenter."""
    waiting_since = item.model_dump(by_alias=False, include={*BacklogFields.model_fields})
    return BacklogItem(**{**waiting_since, **shown_item(item, papers, people, reader)})


def check_unrecorded(item_id: str, recorded: Collection[str]) -> None:
    """Raises 409 `IN_MINUTES` if an item of an agenda is among those that the minutes have an entry for."""
    if item_id in recorded:
        raise conflict(Reason.IN_MINUTES)


def moved(item: StoredAgendaItem, people: NamedPeople) -> StoredAgendaItem:
    """Returns an item as it stands elsewhere: a presenter without an account who is not active any more is left out."""
    return with_presenter_if_active(item, people)


def waiting(item: StoredAgendaItem, board_id: BoardId, now: Instant) -> StoredBacklogItem:
    """Returns an item of an agenda as it waits from now on."""
    return StoredBacklogItem(**item.model_dump(by_alias=False), board_id=board_id, created_at=now, updated_at=now)


_WAITING = StoredBacklogItem.model_fields.keys() - StoredAgendaItem.model_fields.keys()


def on_agenda(item: StoredBacklogItem) -> StoredAgendaItem:
    """Returns a waiting item as it stands on an agenda."""
    return StoredAgendaItem(**item.model_dump(by_alias=False, exclude={*_WAITING}))
