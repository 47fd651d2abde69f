"""Figures of published reports: a row for each KPI of each dashboard, newest last under its KPI (ADR figures).

The rows are derived from the reports and dashboards, soon after each change of them. So a row is compared with its
report and its dashboard when it is read: an outdated one does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from governance.domain.reports import figures as figures_rules
from governance.ids import BoardId
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.figure import StoredFigure
from governance.models.reports.report import StoredReport
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all, decode_or_none
from governance.store.dynamodb import run_async
from governance.store.schema import ranges
from governance.store.schema.entities import DASHBOARD, FIGURES_KEPT, REPORT, figure_key
from governance.store.schema.keys import PK, SK, Item, Key, Range, key_of, make_item
from governance.store.table import iter_range, query, read
from governance.store.writes import ABSENT, Delete, Put, Write

_AT_FIRST, _AFTERWARDS = 3, 25
"""Rows of a KPI that are read in one call: first few, because the newest is valid unless it has just changed."""


def keep(board_id: BoardId, kept: Item | None) -> list[Write]:
    """Returns the write that starts keeping a board's figures by KPI; none if they are kept already.

    It fails with `StaleRead` if that was written meanwhile. `kept` is the item that was read.
    """
    key = FIGURES_KEPT.key_for(boardId=board_id)
    return [] if kept else [Put(make_item(key, {"boardId": board_id}), ABSENT)]


def are_kept(board_id: BoardId) -> bool:
    """Returns whether the figures of a board are kept: it has, or had, a bet on a KPI."""
    key = FIGURES_KEPT.key_for(boardId=board_id)
    return key in read([key])


def _key(figure: StoredFigure) -> Key:
    position = (figure.data_anchor_date or "", figure.published_at, figure.dashboard_id)
    return figure_key(figure.board_id, figure.rogue_id, *position)


def put(figure: StoredFigure) -> Put:
    """Returns the write of the row of a figure."""
    entry = ranges.figures_of_dashboard(figure.report_id, figure.dashboard_id).entry(figure.rogue_id)
    return Put(make_item(_key(figure), figure.item(), **entry))


def changes(board_id: BoardId, report_id: str, dashboard_id: str, stated: Iterable[StoredFigure]) -> list[Write]:
    """Returns the writes after which a dashboard has exactly these rows; reads the present rows."""
    lists = ranges.figures_of_dashboard(report_id, dashboard_id), ranges.uncounted_figures(report_id, dashboard_id)
    stored = read(key_of(row) for listed in lists for row in query(listed.within(board_key(board_id).pk)))
    wanted = {_key(figure): put(figure) for figure in stated}
    removed = [Delete(key) for key in stored if key not in wanted]
    return [*removed, *(write for key, write in wanted.items() if stored.get(key) != write.item)]


def rows_of_report(board_id: BoardId, report_id: str) -> Iterator[Item]:
    """Yields the keys of the rows of a report."""
    for listed in (ranges.figures_of_report(report_id), ranges.uncounted_figures(report_id)):
        yield from iter_range(listed.within(board_key(board_id).pk), PK, SK)


def are_stated(candidates: Iterable[StoredFigure]) -> list[StoredFigure]:
    """Returns those of these figures that their reports still state, with one batch."""
    figures = list(candidates)
    known = _sources(figures)
    return [figure for figure in figures if _is_current(figure, known)]


def newest(board_id: BoardId, rogue_ids: Iterable[str]) -> dict[str, StoredFigure]:
    """Returns the newest figure of each of these KPIs in the board's published reports, if any states one.

    It takes a short query for each KPI, and one batch for the reports and dashboards that they name.
    """
    latest: dict[str, StoredFigure] = {}
    unread: dict[str, str | None] = dict.fromkeys(rogue_ids)
    limit = _AT_FIRST
    while unread:
        reads = {kpi: run_async(partial(_rows, board_id, kpi, below, limit)) for kpi, below in unread.items()}
        rows = {kpi: read.result() for kpi, read in reads.items()}
        candidates = {kpi: decode_all(StoredFigure, items) for kpi, items in rows.items()}
        known = _sources([figure for figures in candidates.values() for figure in figures])
        for kpi, figures in candidates.items():
            current = next((figure for figure in figures if _is_current(figure, known)), None)
            if current is not None:
                latest[kpi] = current
        unread = {kpi: items[-1][SK] for kpi, items in rows.items() if kpi not in latest and len(items) == limit}
        limit = _AFTERWARDS
    return latest


def _rows(board_id: BoardId, rogue_id: str, below: str | None, limit: int) -> list[Item]:
    listed = ranges.figures_of_kpi(rogue_id)
    return query(Range(board_key(board_id).pk, listed.prefix, below=below), limit, descending=True)


def _source_keys(figure: StoredFigure) -> tuple[Key, Key]:
    ids = {"boardId": figure.board_id, "reportId": figure.report_id, "dashboardId": figure.dashboard_id}
    return REPORT.key_for(**ids), DASHBOARD.key_for(**ids)


def _sources(figures: Sequence[StoredFigure]) -> Mapping[Key, Item]:
    return read(key for figure in figures for key in _source_keys(figure))


def _is_current(figure: StoredFigure, known: Mapping[Key, Item]) -> bool:
    report, dashboard = (known.get(key) for key in _source_keys(figure))
    return figures_rules.is_current(
        figure,
        decode_or_none(StoredReport, report),
        decode_or_none(StoredDashboard, dashboard),
    )
