"""The rows of a report's checks: one of the report, and those of its dashboards' figures and flags (ADR figures).

The row of the report is renewed by every change of the others, on the condition that it is as it was read. So two
changes of two dashboards never miss each other, and rows that were read after it need no condition. A row that was read
in the same batch does need one, because the items of a batch are not read at the same instant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from governance.ids import BoardId
from governance.models.reports.check import StoredChecks, StoredFigures, StoredFlags
from governance.store.schema.entities import DASHBOARD_FIGURES, DASHBOARD_FLAGS, REPORT_CHECKS
from governance.store.schema.keys import Entity, Item, Key, make_item
from governance.store.table import read
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def checks_in(item: Item | None, board_id: BoardId, report_id: str) -> StoredChecks:
    """Returns the checks of a report from their item; empty ones of version 0 without an item."""
    return StoredChecks.model_validate(item) if item else StoredChecks(board_id=board_id, report_id=report_id)


def flags_in(item: Item | None) -> StoredFlags | None:
    """Returns the flags of a dashboard from their item; None without an item."""
    return StoredFlags.model_validate(item) if item else None


def open_flags_in(checks: StoredChecks) -> Mapping[str, int]:
    """Returns how many open flags each dashboard has, by its id; one that is absent has none."""
    return {
        dashboard_id: dashboard.open_flags
        for dashboard_id, dashboard in checks.dashboards.items()
        if dashboard.open_flags
    }


@dataclass(frozen=True)
class Rows:
    """The figures and the flags of some dashboards of a report, by the ids of the dashboards that have any."""

    figures: Mapping[str, StoredFigures]
    flags: Mapping[str, StoredFlags]


def read_rows(checks: StoredChecks, figures_of: Iterable[str], flags_of: Iterable[str]) -> Rows:
    """Returns the figures and the flags of these dashboards, read together."""
    figure_keys = {dashboard_id: _key(DASHBOARD_FIGURES, checks, dashboard_id) for dashboard_id in figures_of}
    flag_keys = {dashboard_id: _key(DASHBOARD_FLAGS, checks, dashboard_id) for dashboard_id in flags_of}
    items = read([*figure_keys.values(), *flag_keys.values()])
    return Rows(
        {id_: StoredFigures.model_validate(items[key]) for id_, key in figure_keys.items() if key in items},
        {id_: StoredFlags.model_validate(items[key]) for id_, key in flag_keys.items() if key in items},
    )


def _key(entity: Entity, checks: StoredChecks, dashboard_id: str) -> Key:
    return entity.key_for(boardId=checks.board_id, reportId=checks.report_id, dashboardId=dashboard_id)


def renew(old: StoredChecks, new: StoredChecks) -> Write:
    """Returns the write of a report's checks. It fails with `StaleRead` if they changed since they were read."""
    renewed = new.model_copy(update={"version": old.version + 1})
    key = REPORT_CHECKS.key_for(boardId=new.board_id, reportId=new.report_id)
    return Put(make_item(key, renewed.item()), equals(version=old.version) if old.version else ABSENT)


def write_figures(checks: StoredChecks, dashboard_id: str, figures: StoredFigures | None) -> Write:
    """Returns the write of a dashboard's figures, in a transaction that renews the checks of the report."""
    key = _key(DASHBOARD_FIGURES, checks, dashboard_id)
    return Put(make_item(key, figures.item())) if figures else Delete(key)


def write_flags(checks: StoredChecks, dashboard_id: str, flags: StoredFlags | None) -> Write:
    """Returns the write of flags that were read after the checks, in a transaction that renews these."""
    key = _key(DASHBOARD_FLAGS, checks, dashboard_id)
    return Put(make_item(key, flags.item())) if flags else Delete(key)


def replace_flags(checks: StoredChecks, old: StoredFlags, new: StoredFlags) -> Write:
    """Returns the write of flags that were read with the checks, in a transaction that renews these.

    It fails with `StaleRead` if the flags changed since they were read.
    """
    return Put(make_item(_key(DASHBOARD_FLAGS, checks, old.dashboard_id), new.item()), equals(version=old.version))
