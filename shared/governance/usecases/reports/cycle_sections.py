"""The sections of cycles as they are now: the dashboards of their reports, their owners and flags (ADR 0168)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from governance.domain.reports import cycle as rules
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.reports.cycle import Section, StoredCycle
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.report import StoredReport
from governance.store.dynamodb import run_async
from governance.store.reports import checks, dashboards, reports
from governance.usecases.reports.dashboard_owners import owners_of


def sections_of(cycles: Sequence[StoredCycle], now: Instant) -> list[tuple[Section, ...]]:
    """Returns the sections of each of these cycles; none if its report was deleted."""
    reads = [run_async(partial(_sections, cycle, now)) for cycle in cycles]
    return [read.result() for read in reads]


def _sections(cycle: StoredCycle, now: Instant) -> tuple[Section, ...]:
    report, found = report_and_sections(cycle.board_id, cycle.report_id)
    owners = owners_of(report, found) if report and found else {}
    open_flags = checks.open_flags(cycle.board_id, cycle.report_id) if found else {}
    return rules.sections(cycle, found, owners, open_flags, now)


def report_and_sections(board_id: BoardId, report_id: str) -> tuple[StoredReport | None, list[StoredDashboard]]:
    """Returns a report and its dashboards of the type `uniform`; nothing if it was deleted."""
    report = reports.find(board_id, report_id)
    return report, [] if report is None else dashboards.sections_of_report(board_id, report_id)


def numbers_of_sections(cycles: Iterable[StoredCycle]) -> list[int]:
    """Returns how many sections each cycle has at most, with one batch."""
    return dashboards.numbers_of_reports([(cycle.board_id, cycle.report_id) for cycle in cycles])
