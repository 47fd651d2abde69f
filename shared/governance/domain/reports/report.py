"""The rules of reports (the API specification, section 3.6; ADR reports).

    draft --> published --> finalized
      ^           |
      +-----------+

`publishedAt` is when the report was last published, null while it is a draft. A finalized report and its dashboards
can no longer be edited or deleted.
"""

from __future__ import annotations

from typing import Any

from governance.errors import Reason, conflict
from governance.instants import Instant
from governance.models.reports.report import ReportStatus, StoredReport

TRANSITIONS: dict[ReportStatus, frozenset[ReportStatus]] = {
    "draft": frozenset({"published"}),
    "published": frozenset({"draft", "finalized"}),
    "finalized": frozenset(),
}


def check_open(report: StoredReport) -> None:
    """Raises 409 `REPORT_FINALIZED` for a finalized report: it and its dashboards cannot be edited or deleted."""
    if report.status == "finalized":
        raise conflict(Reason.REPORT_FINALIZED)


def patched(report: StoredReport, changes: dict[str, Any], now: Instant) -> StoredReport:
    """Returns the report with these changes; the same object if they change nothing.

    Raises 409 `REPORT_FINALIZED` for a finalized report, then `INVALID_TRANSITION` for a status that may not follow.
    """
    check_open(report)
    new = report.model_copy(update=changes)
    if new == report:
        return report
    if new.status != report.status and new.status not in TRANSITIONS.get(report.status, ()):
        raise conflict(Reason.INVALID_TRANSITION)
    published_at = _published_at(report, new.status, now)
    return new.model_copy(update={"published_at": published_at, "updated_at": now, "version": report.version + 1})


def published(report: StoredReport, now: Instant) -> StoredReport:
    """Returns a draft as it is once published; the same object for a report that is published already."""
    return patched(report, {"status": "published"}, now) if report.status == "draft" else report


def _published_at(report: StoredReport, status: ReportStatus, now: Instant) -> Instant | None:
    if status == "draft":
        return None
    return report.published_at or now
