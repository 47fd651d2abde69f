"""The sections of cycles as they are now: the dashboards of their reports, their owners and flags (ADR reports)."""

from __future__ import annotations

from collections.abc import Sequence

from governance.domain.reports import cycle as cycle_rules
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.reports.cycle import Section, StoredCycle
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.report import StoredReport
from governance.store.reports import sections
from governance.store.reports.sections import Heads
from governance.usecases.reports.dashboard_owners import owners_of_reports


def heads_of(board_id: BoardId, cycles: Sequence[StoredCycle]) -> Heads:
    """Returns the data of the sections of these cycles of a board, with one batch."""
    return sections.read_heads(board_id, [cycle.report_id for cycle in cycles])


def sections_of(heads: Heads, cycles: Sequence[StoredCycle], now: Instant) -> list[tuple[Section, ...]]:
    """Returns the sections of each of these cycles; none if its report was deleted."""
    sections_by_report = sections.sections_of(heads, [cycle.report_id for cycle in cycles])
    named = [
        (report, sections_by_report[id_]) for id_ in sections_by_report if (report := heads.report(id_)) is not None
    ]
    owners = owners_of_reports(heads.board_id, named)
    return [
        cycle_rules.sections(
            cycle, sections_by_report.get(cycle.report_id, ()), owners, heads.open_flags(cycle.report_id), now
        )
        for cycle in cycles
    ]


def report_and_sections(board_id: BoardId, report_id: str) -> tuple[StoredReport | None, list[StoredDashboard]]:
    """Returns a report and its dashboards of the type `uniform`; nothing if it was deleted."""
    heads = sections.read_heads(board_id, [report_id])
    return heads.report(report_id), sections.sections_of(heads, [report_id]).get(report_id, [])
