"""Dashboards: large items, so that the indexes that list them hold their keys only (ADR 0053).

A position in a list ends in the dashboard's size, so that a page knows its size before it reads the dashboards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from governance.domain.dashboard import payload_bytes
from governance.ids import BoardId
from governance.limits import DASHBOARDS_PAGE_BYTES
from governance.models.dashboard import DashboardType, StoredDashboard
from governance.store.boards import board_key
from governance.store.paging import Window, page
from governance.store.schema import DASHBOARD, PK, REPORT, SK, Item, Key, key_of, make_item, ranges
from governance.store.table import iter_range, read
from governance.store.writes import ABSENT, Delete, Put, Write, equals

_KB = 1024


def _key(dashboard: StoredDashboard) -> Key:
    return DASHBOARD.key_for(boardId=dashboard.board_id, reportId=dashboard.report_id, dashboardId=dashboard.id)


def _item(dashboard: StoredDashboard) -> Item:
    kilobytes = payload_bytes(dashboard) // _KB + 1
    position = ranges.dashboard_position(dashboard.updated_at, dashboard.id, kilobytes)
    of_report = ranges.dashboards(dashboard.report_id).entry(position)
    of_type = ranges.dashboards(dashboard.report_id, dashboard.dashboard_type).entry(position)
    return make_item(_key(dashboard), dashboard.item(), **of_report, **of_type)


def create(dashboard: StoredDashboard) -> Write:
    """Returns the write of a new dashboard."""
    return Put(_item(dashboard), ABSENT)


def replace(old: StoredDashboard, new: StoredDashboard) -> Write:
    """Returns the write that changes a dashboard. It fails with `StaleRead` if it changed since it was read."""
    return Put(_item(new), equals(version=old.version))


def delete(dashboard: StoredDashboard) -> Write:
    """Returns the write that deletes a dashboard. It fails with `StaleRead` if it changed since it was read."""
    return Delete(_key(dashboard), equals(version=dashboard.version))


def list_keys(
    board_id: BoardId, report_id: str, kind: DashboardType | None, window: Window
) -> tuple[list[Key], str | None]:
    """Returns the keys of a page of a report's dashboards, by update, and the position of the last (None: no more).

    A page ends early where its payloads together would outgrow a response (`DASHBOARDS_PAGE_BYTES`).
    """
    listed = ranges.dashboards(report_id, kind)
    items, last = page(board_key(board_id).pk, [listed], window)
    positions = [listed.position_of(item) for item in items]
    fitting = _fitting(positions)
    return [key_of(item) for item in items[:fitting]], positions[fitting - 1] if fitting < len(items) else last


def _fitting(positions: Sequence[str]) -> int:
    """Returns how many of the dashboards at these positions one response can carry."""
    sizes = accumulate(ranges.kilobytes_at(position) * _KB for position in positions)
    return sum(total <= DASHBOARDS_PAGE_BYTES for total in sizes)


def rows_under_report(board_id: BoardId, report_id: str) -> Iterator[Item]:
    """Yields the keys of the dashboards that a deleted report left behind, read page by page."""
    report = REPORT.key_for(boardId=board_id, reportId=report_id)
    return iter_range(ranges.under(report).within(report.pk), PK, SK)


def get_many(keys: Sequence[Key]) -> list[StoredDashboard]:
    """Returns the dashboards under these keys that still exist, in this order, in one round trip."""
    items = read(keys)
    return [StoredDashboard.model_validate(items[key]) for key in keys if key in items]
