"""The effect of a change of figures on its report: flags that are raised and corrected, and the state of its checks.

See ADR figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from governance.domain.reports import flags as flag_rules
from governance.domain.reports.checks import CheckedFigures, Contradiction, formulas_among
from governance.domain.reports.kpi_formulas import KpiFormulas
from governance.domain.reports.stated_figures import to_figures
from governance.errors import Reason, conflict
from governance.instants import Instant
from governance.limits import CHECKED_DASHBOARDS, FLAGS_TOGETHER_BYTES
from governance.models.reports.check import StoredChecked, StoredChecks, StoredFigures, StoredFlag, StoredFlags


@dataclass(frozen=True)
class FiguresChange:
    """The figures of a dashboard as they are after a change; None for a dashboard without any, or that is deleted."""

    dashboard_id: str
    figures: StoredFigures | None
    is_deleted: bool = False


@dataclass(frozen=True)
class CheckedReport:
    """A report after a check: its checks, and the flags of the dashboards whose flags changed.

    `raised` are the new flags, `corrected` those that ended, by dashboard.
    """

    checks: StoredChecks
    flags: Mapping[str, StoredFlags]
    raised: Mapping[str, list[StoredFlag]]
    corrected: Mapping[str, list[StoredFlag]]


def takes_part(checks: StoredChecks, change: FiguresChange) -> bool:
    """Returns whether the figures of a dashboard count in the checks of its report.

    They do from the first change of the dashboard that states a KPI, in the first `CHECKED_DASHBOARDS` of a report.
    """
    if change.dashboard_id in checks.dashboards:
        return True
    return change.figures is not None and len(checks.dashboards) < CHECKED_DASHBOARDS


def needs_check(checks: StoredChecks, change: FiguresChange, formulas: KpiFormulas) -> bool:
    """Returns whether the change can raise or end a flag: a figure has, or may have, a formula or had a flag."""
    others = [entry for id_, entry in checks.dashboards.items() if id_ != change.dashboard_id]
    if any(entry.flags for entry in checks.dashboards.values()):
        return True
    if _formulas_of(change.figures, formulas):
        return True
    return any(entry.formulas for entry in others) if _counted_by(checks, formulas) else bool(others)


def _counted_by(checks: StoredChecks, formulas: KpiFormulas) -> bool:
    return checks.catalog_version == formulas.version


def _formulas_of(figures: StoredFigures | None, formulas: KpiFormulas) -> int:
    return formulas_among(formulas, to_figures([figures])) if figures else 0


def unchecked(checks: StoredChecks, change: FiguresChange, formulas: KpiFormulas | None) -> StoredChecks:
    """Returns the checks of a report after a change that needs no check.

    Without `formulas` it is unknown whether it needs one, so the next change checks all figures.
    """
    earlier = checks.dashboards.get(change.dashboard_id, StoredChecked())
    number = _formulas_of(change.figures, formulas) if formulas else 0
    entry = None if _leaves(change, earlier.flags) else earlier.model_copy(update={"formulas": number})
    version = formulas.version if formulas else None
    return checks.model_copy(
        update={"dashboards": _with_entry(checks.dashboards, change.dashboard_id, entry), "catalog_version": version}
    )


def _leaves(change: FiguresChange, flags: int) -> bool:
    return change.is_deleted or (change.figures is None and not flags)


def _with_entry(
    dashboards: Mapping[str, StoredChecked], dashboard_id: str, entry: StoredChecked | None
) -> dict[str, StoredChecked]:
    others = {id_: other for id_, other in dashboards.items() if id_ != dashboard_id}
    return {**others, **({dashboard_id: entry} if entry else {})}


def checked_report(
    checks: StoredChecks,
    figures: Mapping[str, StoredFigures],
    flags: Mapping[str, StoredFlags],
    formulas: KpiFormulas,
    now: Instant,
) -> CheckedReport:
    """Returns a report after all of its figures were checked.

    `figures` and `flags` are those of every dashboard that still takes part, as they are after the change. Raises 409
    `LIMIT_REACHED` for flags that outgrow a transaction, which only very long field ids can cause.
    """
    checked_figures = CheckedFigures(formulas, to_figures(figures.values()))
    contradictions: dict[str, list[Contradiction]] = defaultdict(list)
    for contradiction in checked_figures.contradictions():
        contradictions[contradiction.dashboard_id].append(contradiction)
    after = {id_: flag_rules.after_check(id_, flags.get(id_), contradictions[id_], now) for id_ in {*figures, *flags}}
    changed = {id_: new for id_, new in after.items() if new is not None and new is not flags.get(id_)}
    if sum(len(new.to_json().encode()) for new in changed.values()) > FLAGS_TOGETHER_BYTES:
        raise conflict(Reason.LIMIT_REACHED)
    entries = {
        id_: StoredChecked(
            formulas=_formulas_of(figures.get(id_), formulas),
            flags=len(new.flags) if new else 0,
            open_flags=flag_rules.open_among(new),
        )
        for id_, new in sorted(after.items())
        if id_ in figures or new
    }
    return CheckedReport(
        checks.model_copy(update={"dashboards": entries, "catalog_version": formulas.version}),
        changed,
        _non_empty({id_: flag_rules.raised_between(flags.get(id_), new) for id_, new in changed.items()}),
        _non_empty({id_: flag_rules.corrected_between(flags.get(id_), new) for id_, new in changed.items()}),
    )


def _non_empty(by_dashboard: Mapping[str, list[StoredFlag]]) -> dict[str, list[StoredFlag]]:
    return {id_: flags for id_, flags in by_dashboard.items() if flags}
