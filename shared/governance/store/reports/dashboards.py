"""Dashboards, each with its payload in an item of its own (ADR table); the indexes that list them hold keys only.

A position in a list ends in the payload's size, so that a page knows its size before it reads the payloads (ADR
reports).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from governance.ids import BoardId
from governance.limits import DASHBOARDS_PAGE_BYTES, DASHBOARDS_PER_REPORT
from governance.models.reports.dashboard import DashboardType, StoredDashboard
from governance.models.reports.report import StoredReport
from governance.store import counters, payloads
from governance.store.boards.boards import board_key
from governance.store.decoding import check_settled, decode_all, decode_or_none
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import DASHBOARD, DASHBOARD_COUNT, REPORT, payload_key
from governance.store.schema.keys import PK, SK, Item, Key, is_of_kind, key_of, make_item
from governance.store.table import iter_range, read, read_one
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals

_KB = 1024


def _key(dashboard: StoredDashboard) -> Key:
    return DASHBOARD.key_for(boardId=dashboard.board_id, reportId=dashboard.report_id, dashboardId=dashboard.id)


def _item(dashboard: StoredDashboard) -> Item:
    kilobytes = dashboard.payload_bytes // _KB + 1
    position = ranges.dashboard_position(dashboard.updated_at, dashboard.id, kilobytes)
    of_report = ranges.dashboards(dashboard.report_id).entry(position)
    of_type = ranges.dashboards(dashboard.report_id, dashboard.dashboard_type).entry(position)
    return make_item(_key(dashboard), dashboard.item(), **of_report, **of_type)


def create(dashboard: StoredDashboard, payload: str | None) -> list[Write]:
    """Returns the writes of a new dashboard with its payload.

    They fail with 409 `LIMIT_REACHED` if its report has the most dashboards allowed.
    """
    written = payloads.write(payload_key(_key(dashboard)), payload, 0, dashboard.payload_version)
    counted = counters.add_named(_count_key(dashboard), DASHBOARDS_PER_REPORT, dashboard.id)
    return [Put(_item(dashboard), ABSENT), *written, counted]


def replace(old: StoredDashboard, new: StoredDashboard, payload: str | None) -> list[Write]:
    """Returns the writes that change a dashboard; the payload is written only if its version changes.

    They fail with `StaleRead` if the dashboard changed since it was read.
    """
    written = payloads.write(payload_key(_key(new)), payload, old.payload_version, new.payload_version)
    return [replace_access(old, new), *written]


def replace_access(old: StoredDashboard, new: StoredDashboard) -> Write:
    """Returns the write that changes who may edit a dashboard, whose payload stays as it is.

    It fails with `StaleRead` if the dashboard changed since it was read.
    """
    return Put(_item(new), equals(version=old.version))


def delete(dashboard: StoredDashboard) -> list[Write]:
    """Returns the writes that delete a dashboard. They fail with `StaleRead` if it changed since it was read."""
    payload = payloads.write(payload_key(_key(dashboard)), None, dashboard.payload_version, 0)
    counted = counters.subtract_named(_count_key(dashboard), dashboard.id)
    return [Delete(_key(dashboard), equals(version=dashboard.version)), *payload, counted]


def check_unchanged(dashboard: StoredDashboard) -> Write:
    """Returns a check that the dashboard is as it was read."""
    return Check(_key(dashboard), equals(version=dashboard.version))


def _count_key(dashboard: StoredDashboard) -> Key:
    return DASHBOARD_COUNT.key_for(boardId=dashboard.board_id, reportId=dashboard.report_id)


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


def find(board_id: BoardId, report_id: str, dashboard_id: str) -> StoredDashboard | None:
    """Returns a dashboard without its payload; None if there is none."""
    item = read_one(DASHBOARD.key_for(boardId=board_id, reportId=report_id, dashboardId=dashboard_id))
    return StoredDashboard.model_validate(item) if item else None


def rows_under_report(board_id: BoardId, report_id: str) -> Iterator[Item]:
    """Yields the keys of the dashboards that a deleted report left behind, and of all that is under them."""
    report = REPORT.key_for(boardId=board_id, reportId=report_id)
    return iter_range(ranges.under(report).within(report.pk), PK, SK)


def keys_elsewhere(item: Mapping[str, Any]) -> list[Key]:
    """Returns the key of the payload that a dashboard may have; none for an item of another kind."""
    return [payload_key(key_of(item))] if is_of_kind(DASHBOARD, item) else []


def with_report(
    board_id: BoardId, report_id: str, dashboard_ids: Iterable[str]
) -> tuple[StoredReport | None, list[StoredDashboard]]:
    """Returns a report, None if it does not exist, and the existing ones of these dashboards, without payloads."""
    report_key = REPORT.key_for(boardId=board_id, reportId=report_id)
    keys = [DASHBOARD.key_for(boardId=board_id, reportId=report_id, dashboardId=id_) for id_ in dashboard_ids]
    items = read([report_key, *keys])
    report = StoredReport.model_validate(items[report_key]) if report_key in items else None
    return report, decode_all(StoredDashboard, [items[key] for key in keys if key in items])


def get_many(keys: Sequence[Key]) -> list[tuple[StoredDashboard, str | None]]:
    """Returns the dashboards under these keys that still exist with their payloads, in this order, in one round trip.

    Raises `StaleRead` if one of them changed while it was read. A dashboard that does not match its payload, though
    neither changes, is left out.
    """
    items = read(item_key for key in keys for item_key in (key, payload_key(key)))
    shown = []
    for key in keys:
        dashboard = decode_or_none(StoredDashboard, items.get(key))
        if dashboard is None:
            continue
        payload = items.get(payload_key(key))
        if payloads.is_of_version(payload, dashboard.payload_version):
            shown.append((dashboard, payloads.text_of(payload, dashboard.payload_version)))
        else:
            check_settled([items[key], *([payload] if payload else [])], () if payload else [payload_key(key)])
    return shown
