"""The sections of reports: their dashboards of the type `uniform`, of any number of reports in few calls (ADR
reports)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from governance.ids import BoardId
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.report import StoredReport
from governance.store import counters
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all
from governance.store.dynamodb import run_async
from governance.store.reports import checks
from governance.store.schema import ranges
from governance.store.schema.entities import DASHBOARD, DASHBOARD_COUNT, REPORT, REPORT_CHECKS
from governance.store.schema.keys import Entity, Item, Key, key_of
from governance.store.table import query, read

_HEAD = (REPORT, DASHBOARD_COUNT, REPORT_CHECKS)


@dataclass(frozen=True)
class Heads:
    """Reports of a board as one batch read them, each with the count of its dashboards and its checks."""

    board_id: BoardId
    items: Mapping[Key, Item]

    def report(self, report_id: str) -> StoredReport | None:
        """Returns a report; None if it does not exist."""
        item = self._item(REPORT, report_id)
        return StoredReport.model_validate(item) if item else None

    def number(self, report_id: str) -> int:
        """Returns how many sections a report has at most."""
        return counters.number_in(self._item(DASHBOARD_COUNT, report_id))

    def ids(self, report_id: str) -> frozenset[str] | None:
        """Returns the ids of a report's dashboards; None if they are not known."""
        return counters.ids_in(self._item(DASHBOARD_COUNT, report_id))

    def open_flags(self, report_id: str) -> Mapping[str, int]:
        """Returns how many open flags each dashboard of a report has, by its id; one that is absent has none."""
        return checks.open_flags_in(checks.checks_in(self._item(REPORT_CHECKS, report_id), self.board_id, report_id))

    def _item(self, entity: Entity, report_id: str) -> Item | None:
        return self.items.get(entity.key_for(boardId=self.board_id, reportId=report_id))


def read_heads(board_id: BoardId, report_ids: Iterable[str]) -> Heads:
    """Returns the heads of these reports, with one batch."""
    keys = (entity.key_for(boardId=board_id, reportId=id_) for id_ in report_ids for entity in _HEAD)
    return Heads(board_id, read(keys))


def sections_of(heads: Heads, report_ids: Iterable[str]) -> dict[str, list[StoredDashboard]]:
    """Returns the sections of those of the reports that exist, without payloads, in no meaningful order.

    It takes one batch. A report whose dashboards an earlier release has created or deleted takes one or two queries
    more, until it is deleted.
    """
    existing = [id_ for id_ in dict.fromkeys(report_ids) if heads.report(id_) is not None]
    named = {id_: heads.ids(id_) for id_ in existing}
    items_by_report = _read({id_: _keys(heads.board_id, id_, ids) for id_, ids in named.items() if ids is not None})
    complete = {id_: items for id_, items in items_by_report.items() if len(items) == len(named[id_] or ())}
    listed = _listed(heads.board_id, [id_ for id_ in existing if id_ not in complete])
    items_of = complete | _read(listed)
    decoded = {id_: decode_all(StoredDashboard, items) for id_, items in items_of.items()}
    return {
        id_: [dashboard for dashboard in dashboards if dashboard.uniform is not None]
        for id_, dashboards in decoded.items()
    }


def _keys(board_id: BoardId, report_id: str, dashboard_ids: Iterable[str]) -> list[Key]:
    return [DASHBOARD.key_for(boardId=board_id, reportId=report_id, dashboardId=id_) for id_ in dashboard_ids]


def _read(keys_of: Mapping[str, Sequence[Key]]) -> dict[str, list[Item]]:
    items = read(key for keys in keys_of.values() for key in keys)
    return {id_: [items[key] for key in keys if key in items] for id_, keys in keys_of.items()}


def _listed(board_id: BoardId, report_ids: Sequence[str]) -> dict[str, list[Key]]:
    """Returns the keys of the sections of these reports from their lists, with a query for each."""
    spans = {id_: ranges.dashboards(id_, "uniform").within(board_key(board_id).pk) for id_ in report_ids}
    reads = {id_: run_async(partial(query, span)) for id_, span in spans.items()}
    return {id_: [key_of(item) for item in pending.result()] for id_, pending in reads.items()}
