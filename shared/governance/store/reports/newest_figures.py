"""The newest figures of the KPIs that a board has bets on, in one row: a page of bets reads it (ADR figures).

The row counts only while no figure of the board has changed since it was made. So each change is counted, in its last
transaction, and rows of releases that count nothing are searched for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from governance.ids import BoardId
from governance.models.reports.figure import StoredFigure
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all
from governance.store.dynamodb import run_async
from governance.store.reports import figures
from governance.store.schema import ranges
from governance.store.schema.entities import FIGURES_KEPT, NEWEST_FIGURES
from governance.store.schema.keys import Item, make_item
from governance.store.table import query, read
from governance.store.writes import Put, Update, if_unchanged

_FEW = 3
"""Up to this many KPIs are looked up one by one, which costs less than the row."""
_CHANGES, _KPIS, _FIGURES = "changes", "kpis", "figures"


@dataclass(frozen=True)
class Newest:
    """The row of a board: of which KPIs it was made, and their figures; `is_valid` if nothing has changed since."""

    row: Item | None
    changes: int
    is_valid: bool

    @property
    def kpis(self) -> frozenset[str]:
        """The KPIs of which the row says what is newest."""
        return frozenset(self.row[_KPIS]) if self.row is not None else frozenset()

    @property
    def figures(self) -> Mapping[str, StoredFigure]:
        """The figures of those KPIs that had one."""
        stored = decode_all(StoredFigure, self.row[_FIGURES]) if self.row is not None else []
        return {figure.rogue_id: figure for figure in stored}


def count_change(board_id: BoardId) -> Update:
    """Returns the write that counts a change of a board's figures: in its last transaction, so that none is missed."""
    return Update(FIGURES_KEPT.key_for(boardId=board_id), "ADD #n :one", {"#n": _CHANGES}, {":one": 1})


def stored(board_id: BoardId) -> Newest:
    """Returns the row of a board."""
    uncounted = run_async(partial(query, ranges.uncounted_figures().within(board_key(board_id).pk), 1))
    keys = [entity.key_for(boardId=board_id) for entity in (FIGURES_KEPT, NEWEST_FIGURES)]
    kept, row = map(read(keys).get, keys)
    changes = int(kept.get(_CHANGES, 0)) if kept else 0
    is_valid = row is not None and row[_CHANGES] == changes and not uncounted.result()
    return Newest(row, changes, is_valid)


def replace(board_id: BoardId, old: Newest, kpis: Iterable[str]) -> Put:
    """Returns the write of a row about these KPIs; it fails with `StaleRead` if there is another meanwhile.

    The figures are read now, after the changes were counted: a change that comes later makes the row void.
    """
    wanted = sorted(kpis)
    latest = figures.newest(board_id, wanted).values()
    content = {_CHANGES: old.changes, _KPIS: wanted, _FIGURES: [figure.item() for figure in latest]}
    return if_unchanged(Put(make_item(NEWEST_FIGURES.key_for(boardId=board_id), content)), old.row)  # type: ignore[return-value]


def newest(board_id: BoardId, rogue_ids: Iterable[str]) -> dict[str, StoredFigure]:
    """Returns what `figures.newest` does: of many KPIs with a few calls if the row is valid, whatever their number.

    A figure that its report no longer states is looked up by itself.
    """
    wanted = list(dict.fromkeys(rogue_ids))
    row = stored(board_id) if len(wanted) > _FEW else None
    if row is None or not row.is_valid:
        return figures.newest(board_id, wanted)
    known = row.figures
    stated = figures.are_stated(known[kpi] for kpi in wanted if kpi in known)
    latest = {figure.rogue_id: figure for figure in stated}
    unknown = [kpi for kpi in wanted if kpi not in latest and (kpi in known or kpi not in row.kpis)]
    return latest | figures.newest(board_id, unknown)
