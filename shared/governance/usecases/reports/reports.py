"""Reports: list, create, read, change, delete (the API specification, sections 2.7 and 3.6; ADR reports)."""

from __future__ import annotations

from governance.domain.events import reports as events
from governance.domain.reports import report as report_rules
from governance.ids import new_id
from governance.models.base import Deleted
from governance.models.page import Page
from governance.models.reports.report import Report, ReportCreate, ReportPatch, ReportsQuery, StoredReport
from governance.store.reports import cycles, reports
from governance.store.schema.entities import REPORT
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch
from governance.usecases.event_writes import record_event


def to_resource(report: StoredReport) -> Report:
    """Returns the report as the members of its board see it."""
    return Report.model_validate(report.item())


def requested_report(context: Context) -> StoredReport:
    """Returns the report that the path names; raises 404 if it does not exist."""
    return context.stored(REPORT, StoredReport)


def _reports_page(info: RequestInfo) -> Page[StoredReport]:
    query = info.query_as(ReportsQuery)
    return Page(*reports.list_of_board(info.board_id, query.status, info.window(query)))


@prefetch(_reports_page)
def list_reports(_context: Context, page: Page[StoredReport], _query: ReportsQuery) -> Page[Report]:
    """Returns a page of the board's reports, by update."""
    return Page([to_resource(report) for report in page.data], page.next_position)


@creates(REPORT, "reportId")
def create_report(context: Context, body: ReportCreate) -> Outcome[Report]:
    """Creates a report, as a draft."""
    report = StoredReport(
        id=new_id(),
        board_id=context.board.id,
        title=body.title,
        created_by_user_id=context.principal.named_user_id,
        created_at=context.now,
        updated_at=context.now,
    )
    return Outcome(to_resource(report), [reports.create(report)])


@loads(REPORT)
@finds(requested_report)
def get_report(_context: Context, report: StoredReport) -> Report:
    """Returns one report."""
    return to_resource(report)


@loads(REPORT)
@finds(requested_report)
def update_report(context: Context, old: StoredReport, body: ReportPatch) -> Outcome[Report]:
    """Changes the title or the status of a report; setting the same values changes nothing."""
    new = report_rules.patched(old, body.changes(), context.now)
    if new is old:
        return Outcome(to_resource(old), [])
    return Outcome(
        to_resource(new),
        [reports.replace(old, new), *_status_event(context, old, new)],
    )


def _status_event(context: Context, old: StoredReport, new: StoredReport) -> list[Write]:
    if old.status == new.status:
        return []
    return record_event(
        context,
        events.REPORT_STATUS_CHANGED,
        events.ReportStatusChanged(report_id=new.id, before=old.status, after=new.status, title=new.title),
    )


@loads(REPORT)
@finds(requested_report)
def delete_report(context: Context, report: StoredReport) -> Outcome[Deleted]:
    """Deletes a report with its dashboards; raises 409 if it is finalized, or in a cycle that is not published."""
    report_rules.check_open(report)
    named = events.ReportNamed(report_id=report.id, id=report.id, title=report.title)
    event = record_event(context, events.REPORT_DELETED, named)
    in_none = cycles.check_in_none(report.board_id, report.id)
    return Outcome(Deleted(), [in_none, *reports.delete(report), *event])
