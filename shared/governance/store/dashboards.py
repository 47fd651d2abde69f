"""Dashboards: large items, so the indexes that list them hold their keys only (ADR 0053).

A key in an index ends in the dashboard's size, so that a page knows what it weighs before it reads the dashboards.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from governance.limits import DASHBOARDS_PAGE_BYTES
from governance.models.dashboard import DashboardType, StoredDashboard
from governance.store.boards import board_key
from governance.store.paging import Window, page
from governance.store.schema import DASHBOARD, PK, REPORT, SK, Index, Item, Key, key_of, make_item
from governance.store.table import Range, iter_range, read
from governance.store.writes import ABSENT, Delete, Put, Write, equals

_KB = 1024


def _key(dashboard: StoredDashboard) -> Key:
    return DASHBOARD.at(boardId=dashboard.board_id, reportId=dashboard.report_id, dashboardId=dashboard.id)


def _prefix(report_id: str, kind: DashboardType | None = None) -> str:
    return f"DASHBOARDS#{report_id}#" + (f"{kind}#" if kind else "")


def size(dashboard: StoredDashboard) -> int:
    """The bytes of a dashboard's payload."""
    return len((dashboard.uniform or "").encode())


def _item(dashboard: StoredDashboard) -> Item:
    report_id, kilobytes = dashboard.report_id, size(dashboard) // _KB + 1
    place = f"{dashboard.updated_at}#{dashboard.id}#{kilobytes:03d}"
    by_type = _prefix(report_id, dashboard.dashboard_type) + place
    return make_item(_key(dashboard), dashboard.item(), L3=_prefix(report_id) + place, L4=by_type)


def create(dashboard: StoredDashboard) -> Write:
    """A new dashboard."""
    return Put(_item(dashboard), ABSENT)


def replace(old: StoredDashboard, new: StoredDashboard) -> Write:
    """A dashboard as it is now, if it is still as it was read."""
    return Put(_item(new), equals(version=old.version))


def delete(dashboard: StoredDashboard) -> Write:
    """Remove a dashboard, if it is still as it was read."""
    return Delete(_key(dashboard), equals(version=dashboard.version))


def list_keys(
    board_id: str, report_id: str, kind: DashboardType | None, window: Window
) -> tuple[list[Key], str | None]:
    """Where the dashboards of a page lie, by update, and the position of the last; None where nothing follows.

    A page ends early where its payloads together would outgrow what one answer can carry.
    """
    index: Index = "L3" if kind is None else "L4"
    prefix = _prefix(report_id, kind)
    items, position = page(board_key(board_id).pk, index, [prefix], window)
    places = [item[index].removeprefix(prefix) for item in items]
    fitting = _fitting(places)
    return [key_of(item) for item in items[:fitting]], places[fitting - 1] if fitting < len(items) else position


def _fitting(places: Sequence[str]) -> int:
    """How many dashboards in these places one answer can carry."""
    weights = accumulate(int(place.rpartition("#")[2]) * _KB for place in places)
    return sum(total <= DASHBOARDS_PAGE_BYTES for total in weights)


def keys_under_report(board_id: str, report_id: str) -> list[Key]:
    """The dashboards of a report that is gone, for the sweep."""
    report = REPORT.at(boardId=board_id, reportId=report_id)
    return [key_of(item) for item in iter_range(Range(report.pk, f"{report.sk}#"), PK, SK)]


def get_many(keys: Sequence[Key]) -> list[StoredDashboard]:
    """The dashboards under these keys that are still there, in this order: one round trip."""
    found = read(keys)
    return [StoredDashboard.model_validate(found[key]) for key in keys if key in found]
