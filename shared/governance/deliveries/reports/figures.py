"""Keeps the figures of published reports by KPI, soon after each change of a report or a dashboard (ADR figures).

A message names what may have changed. Its handler reads what is stored, and writes the rows on the condition that this
is unchanged. So a message may arrive late, twice, or at the same time as another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from governance.domain.events.registry import KINDS
from governance.domain.events.reports import OfBet
from governance.domain.reports import dashboard as dashboard_rules
from governance.domain.reports import figures as figures_rules
from governance.ids import BoardId
from governance.limits import PAGE_MAX, TRANSACTION_WRITES
from governance.models.history.event import StoredEvent
from governance.models.queue import DeliveryKind
from governance.models.reports.report import StoredReport
from governance.queue.message import Message
from governance.store.paging import Window
from governance.store.reports import bets, dashboards, figures, newest_figures, reports
from governance.store.schema.entities import DASHBOARD
from governance.store.schema.keys import Key, key_of
from governance.store.transactions import transact
from governance.store.writes import Delete, Write, retry_stale_reads

_TOGETHER_SECONDS = 15
"""Changes of figures within this time are taken together."""
_DASHBOARDS = 10
"""Dashboards whose figures are read in one step."""


def plan_figures(event: StoredEvent) -> Iterable[Message]:
    """Returns the message about figures that an event may have changed; about all of them when their keeping begins."""
    payload = KINDS[event.type].payload.of(event)
    if isinstance(payload, OfBet):
        return [_message(event.board_id)] if payload.keeps_figures else [_newest_message(event.board_id)]
    if not figures.are_kept(event.board_id):
        return []
    named = {name: event.refs[name] for name in ("reportId", "dashboardId") if name in event.refs}
    return [_message(event.board_id, **named)]


def _message(board_id: BoardId, **named: str | None) -> Message:
    return Message(DeliveryKind.FIGURES, board_id, {"boardId": board_id, **named})


def _newest_message(board_id: BoardId) -> Message:
    """Returns the message after which a row has the newest figures; of many changes together it is made once."""
    return replace(_message(board_id, newest="all"), delay_seconds=_TOGETHER_SECONDS)


def keep_figures(body: Mapping[str, Any]) -> Iterable[Message]:
    """Keeps the figures of a board, a report or a dashboard; what does not fit in follows by messages."""
    return retry_stale_reads(partial(_keep_figures, body))


def _keep_figures(body: Mapping[str, Any]) -> Iterable[Message]:
    board_id, report_id, after = BoardId(body["boardId"]), body.get("reportId"), body.get("after")
    if "newest" in body:
        _keep_newest(board_id)
        return []
    if report_id is None:
        return [*_reports_of(board_id, after), _newest_message(board_id)]
    report = reports.find(board_id, report_id)
    if report is None or report.status == "draft":
        _forget(board_id, report_id, report)
        return [_newest_message(board_id)]
    if "dashboardId" in body:
        _keep(report, [DASHBOARD.key_for(boardId=board_id, reportId=report.id, dashboardId=body["dashboardId"])])
        return [_newest_message(board_id)]
    keys, last = dashboards.list_keys(board_id, report.id, None, Window(_DASHBOARDS, descending=False, after=after))
    _keep(report, keys)
    return [_newest_message(board_id) if last is None else _message(board_id, reportId=report_id, after=last)]


def _keep_newest(board_id: BoardId) -> None:
    """Brings the row of the newest figures in line with the bets and the figures of a board."""
    kpis = {bet.rogue_id for bet in bets.all_of_board(board_id) if bet.rogue_id is not None}
    row = newest_figures.stored(board_id)
    if kpis and not (row.is_valid and row.kpis == kpis):
        transact([newest_figures.replace(board_id, row, kpis)])


def _reports_of(board_id: BoardId, after: str | None) -> list[Message]:
    """Returns a message for each report of a page, and one for the next page."""
    listed, last = reports.list_of_board(board_id, None, Window(PAGE_MAX, descending=False, after=after))
    messages = [_message(board_id, reportId=report.id) for report in listed if report.status != "draft"]
    return messages if last is None else [*messages, _message(board_id, after=last)]


def _forget(board_id: BoardId, report_id: str, report: StoredReport | None) -> None:
    """Deletes the rows of a report that is a draft or deleted."""
    checks = [] if report is None else [reports.check_unchanged(report)]
    _write(checks, (Delete(key_of(row)) for row in figures.rows_of_report(board_id, report_id)))


def _keep(report: StoredReport, keys: Sequence[Key]) -> None:
    """Brings the rows of these dashboards in line with their figures; a deleted dashboard has none."""
    pairs = {dashboard.id: (dashboard, payload) for dashboard, payload in dashboards.get_many(keys)}
    for dashboard_id in (DASHBOARD.ids_of(key)["dashboardId"] for key in keys):
        checks, stated = [reports.check_unchanged(report)], []
        if dashboard_id in pairs:
            dashboard, payload = pairs[dashboard_id]
            checks.append(dashboards.check_unchanged(dashboard))
            stated = figures_rules.stated_figures(report, dashboard, dashboard_rules.joined(dashboard.uniform, payload))
        changes = figures.changes(report.board_id, report.id, dashboard_id, stated)
        _write(checks, [*changes, newest_figures.count_change(report.board_id)])


def _write(checks: Sequence[Write], writes: Iterable[Write]) -> None:
    """Makes writes, in several transactions if they are many; each fails with `StaleRead` unless the checks hold."""
    remaining = iter(writes)
    while batch := list(islice(remaining, TRANSACTION_WRITES - len(checks))):
        transact([*checks, *batch])
