"""The rows of `make scale` about bets and cycles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.instants import now, shift
from governance.models.boards.board import StoredBoard
from governance.models.reports.bet import StoredBet
from governance.models.reports.cycle import StoredCycle
from governance.models.reports.dashboard import StoredDashboard, UniformHead
from governance.models.reports.figure import StoredFigure
from governance.models.reports.report import StoredReport
from governance.store.reports import bets, cycles, dashboards, figures, newest_figures, reports
from governance.store.schema.entities import DASHBOARD_COUNT
from governance.store.schema.keys import make_item
from governance.store.writes import Put, Write
from infra.tools.scale.preparation import Request, get, owned_board, stamps
from infra.tools.scale.world import Caller, World, earlier

_PAGE = 10
_SECTIONS = 8
_HEAD = UniformHead(source_section_name="Sales", is_ad_hoc=False, review_status="working", data_anchor_date=None)


def _report(owner: Caller, board: StoredBoard, number: int) -> StoredReport:
    published = {"title": "Report", "status": "published", "published_at": earlier(number)}
    return StoredReport.model_validate({**stamps(board, owner, earlier(number)), **published})


def _dashboard(owner: Caller, board: StoredBoard, report: StoredReport) -> StoredDashboard:
    kind = {"report_id": report.id, "dashboard_type": "uniform", "title": "D", "latest_version_id": None}
    return StoredDashboard.model_validate({**stamps(board, owner, report.created_at), **kind, "uniform": _HEAD})


def _writes(report: StoredReport, made: Iterable[StoredDashboard]) -> list[Write]:
    """Returns the writes of a report with its dashboards, and of the row that counts them."""
    ids = frozenset(dashboard.id for dashboard in made)
    key = DASHBOARD_COUNT.key_for(boardId=report.board_id, reportId=report.id)
    counted = Put(make_item(key, {"count": len(ids), "changes": len(ids), "ids": ids}))
    return [
        reports.create(report),
        counted,
        *(write for dashboard in made for write in dashboards.create(dashboard, None)),
    ]


def bets_page(world: World, size: int) -> Request:
    """Returns a page of bets on ten KPIs, each of which the given number of published reports state."""
    return _bets(world, [f"kpi{number}" for number in range(_PAGE)], size)


def bets_of_kpis(world: World, size: int) -> Request:
    """Returns a page of bets on the given number of KPIs, which one published report states."""
    return _bets(world, [f"kpi{number}" for number in range(size)], 1)


def _bets(world: World, kpis: Sequence[str], published: int) -> Request:
    owner, board, path = owned_board(world)
    for number in range(published):
        report = _report(owner, board, number)
        dashboard = _dashboard(owner, board, report)
        world.fill([*_writes(report, [dashboard]), *(figures.put(_figure(report, dashboard, kpi)) for kpi in kpis)])
    bet = {"title": "Bet", "due_on": "2030-01-01"}
    made = [StoredBet.model_validate({**stamps(board, owner, now()), **bet, "rogue_id": kpi}) for kpi in kpis]
    world.fill(write for stored_bet in made for write in bets.create(stored_bet))
    world.fill([newest_figures.replace(board.id, newest_figures.stored(board.id), kpis)])
    return get(owner, f"{path}/bets?limit={len(kpis)}")


def _figure(report: StoredReport, dashboard: StoredDashboard, kpi: str) -> StoredFigure:
    return StoredFigure(
        board_id=report.board_id,
        report_id=report.id,
        dashboard_id=dashboard.id,
        field_id="f",
        rogue_id=kpi,
        value="1",
        data_anchor_date=None,
        published_at=report.published_at or report.created_at,
        payload_version=dashboard.payload_version,
    )


def cycles_page(world: World, size: int) -> Request:
    """Returns a page of cycles of a board with the given number of them, each of eight sections."""
    owner, board, path = owned_board(world)
    for number in range(size):
        report = _report(owner, board, number)
        fields = {"name": "Q", "report_id": report.id, "due_at": shift(now(), days=30), "remind_days_before": ()}
        cycle = StoredCycle.model_validate({**stamps(board, owner, earlier(number)), **fields})
        made = [_dashboard(owner, board, report) for _ in range(_SECTIONS)]
        world.fill([*_writes(report, made), *cycles.create(cycle)])
    return get(owner, f"{path}/cycles?limit={_PAGE}")
