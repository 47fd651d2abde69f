"""Agenda templates: one item each, in the list of their board by creation."""

from __future__ import annotations

from collections.abc import Iterator

from governance.agenda_limits import AGENDA_TEMPLATES_PER_BOARD
from governance.ids import BoardId
from governance.models.planning.agenda_template import StoredAgendaTemplate
from governance.store import counters
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import AGENDA_TEMPLATE, AGENDA_TEMPLATE_COUNT
from governance.store.schema.keys import PK, SK, Item, Key, key_of, make_item
from governance.store.schema.keys import position as position_at
from governance.store.table import iter_range, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def _key(template: StoredAgendaTemplate) -> Key:
    return AGENDA_TEMPLATE.key_for(boardId=template.board_id, templateId=template.id)


def position(template: StoredAgendaTemplate) -> str:
    """Returns the position of a template in the list of its board."""
    return position_at(template.created_at, template.id)


def _item(template: StoredAgendaTemplate) -> Item:
    return make_item(_key(template), template.item(), **ranges.AGENDA_TEMPLATES.entry(position(template)))


def find(board_id: BoardId, template_id: str) -> StoredAgendaTemplate | None:
    """Returns a template; None if there is none."""
    item = read_one(AGENDA_TEMPLATE.key_for(boardId=board_id, templateId=template_id))
    return StoredAgendaTemplate.model_validate(item) if item else None


def create(template: StoredAgendaTemplate) -> list[Write]:
    """Returns the writes of a new template; they fail with 409 `LIMIT_REACHED` at the limit of a board."""
    count = AGENDA_TEMPLATE_COUNT.key_for(boardId=template.board_id)
    return [Put(_item(template), ABSENT), counters.add(count, AGENDA_TEMPLATES_PER_BOARD)]


def replace(old: StoredAgendaTemplate, new: StoredAgendaTemplate) -> Write:
    """Returns the write that changes a template. It fails with `StaleRead` if it changed since it was read."""
    return Put(_item(new), equals(version=old.version))


def delete(template: StoredAgendaTemplate) -> list[Write]:
    """Returns the writes that delete a template. They fail with `StaleRead` if it changed since it was read."""
    count = AGENDA_TEMPLATE_COUNT.key_for(boardId=template.board_id)
    return [Delete(_key(template), equals(version=template.version)), counters.subtract(count)]


def list_of_board(board_id: BoardId, window: Window) -> tuple[list[StoredAgendaTemplate], str | None]:
    """Returns a page of a board's templates, by creation, and the position of the last (None: no more)."""
    items, last = page(board_key(board_id).pk, [ranges.AGENDA_TEMPLATES], window)
    return decode_all(StoredAgendaTemplate, items), last


def keys_of_board(board_id: BoardId) -> Iterator[Key]:
    """Yields the keys of a board's templates, of which there are `AGENDA_TEMPLATES_PER_BOARD` at most."""
    return map(key_of, iter_range(ranges.AGENDA_TEMPLATES.within(board_key(board_id).pk), PK, SK))
