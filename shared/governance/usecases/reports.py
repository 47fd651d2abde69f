"""Reports: list, create, read, change, delete (the API specification, sections 2.7 and 3.6; ADR 0052)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from governance.domain import report as rules
from governance.errors import not_found
from governance.ids import is_id, new_id
from governance.models.base import Deleted
from governance.models.event import Event
from governance.models.page import Page
from governance.models.report import Report, ReportCreate, ReportPatch, ReportsQuery, StoredReport
from governance.store import boards, reports
from governance.store.paging import Window
from governance.store.schema import REPORT
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event


def to_resource(report: StoredReport) -> Report:
    """The report as its board sees it."""
    return Report.model_validate(report.item())


def known_report(context: Context) -> StoredReport:
    """The report that the path names."""
    item = context.item(REPORT)
    if item is None:
        raise not_found()
    return StoredReport.model_validate(item)


@dataclass(frozen=True)
class ReportsPage:
    """A page of reports as read, and where the next begins."""

    reports: Sequence[StoredReport] = ()
    position: str | None = None


def _page(ask: RequestInfo) -> ReportsPage:
    board_id, query = ask.params["boardId"], ask.query
    if not is_id(board_id) or not isinstance(query, ReportsQuery):
        return ReportsPage()
    window = Window(query.limit, query.order == "desc", ask.after)
    return ReportsPage(*reports.list_of_board(board_id, query.status, window))


@prefetch(_page)
def list_reports(context: Context, _: ReportsQuery) -> Page[Report]:
    """A page of the board's reports, by update."""
    page: ReportsPage = context.prefetched
    return Page([to_resource(report) for report in page.reports], page.position)


def create_report(context: Context, body: ReportCreate) -> Outcome[Report]:
    """A new report; it begins as a draft."""
    report = StoredReport(
        id=new_id(),
        board_id=context.board.id,
        title=body.title,
        created_by_user_id=context.principal.named_user_id,
        created_at=context.now,
        updated_at=context.now,
    )
    return Outcome(to_resource(report), [boards.check_exists(context.board.id), reports.create(report)])


@loads(REPORT)
def get_report(context: Context) -> Report:
    """One report."""
    return to_resource(known_report(context))


@loads(REPORT)
def update_report(context: Context, body: ReportPatch) -> Outcome[Report]:
    """The report with another title or status; the status that it has already changes nothing."""
    old = known_report(context)
    new = rules.patched(old, body.changes(), context.now)
    if new is old:
        return Outcome(to_resource(old), [])
    return Outcome(
        to_resource(new),
        [boards.check_exists(context.board.id), reports.replace(old, new), *_status_act(context, old, new)],
    )


def _status_act(context: Context, old: StoredReport, new: StoredReport) -> list[Write]:
    if old.status == new.status:
        return []
    return record_event(
        context,
        Event.REPORT_STATUS_CHANGED,
        refs={"reportId": new.id},
        details={"from": old.status, "to": new.status},
        data={"title": new.title},
    )


@loads(REPORT)
def delete_report(context: Context) -> Outcome[Deleted]:
    """The report is gone, and its dashboards are out of reach with it."""
    report = known_report(context)
    rules.check_open(report)
    subject = {"id": report.id, "title": report.title}
    act = record_event(context, Event.REPORT_DELETED, refs={"reportId": report.id}, details=subject)
    return Outcome(Deleted(), [reports.delete(report), *act])
