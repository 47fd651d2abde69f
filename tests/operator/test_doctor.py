"""`boardctl doctor` finds what hangs loose of reports' checks, flags and comments, and mends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.ids import BoardId
from infra.operator import doctor
from tests.harness.board_scenario import BoardScenario
from tests.harness.table_snapshot import TableSnapshot
from tests.operator import torn_rows

DATE = "2026-09-30"


class _World:
    """A report with a figure that its inputs on another dashboard contradict, and comments on everything."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.client, self.path = scenario.owner.client, scenario.path
        self.board_id = BoardId(scenario.board_id)
        self.meeting = self.create("meetings", {"title": "M", "status": "scheduled"})
        self.document = self.create("documents", {"title": "D"})
        self.report = self.create("reports", {"title": "R"})
        self.inputs = self.dashboard({"finance.revenue": 100, "finance.cost-of-revenue": 40})
        self.profit = self.dashboard({"finance.gross-profit": 70})
        for subject in (f"meetings/{self.meeting}", f"documents/{self.document}", self.place(self.profit)):
            self.create(f"{subject}/comments", {"text": "Why?"})

    def create(self, path: str, body: dict[str, Any]) -> str:
        response = self.client.post(f"{self.path}/{path}", body)
        assert response.status == 201, response.text
        return str(response.data["id"])

    def dashboard(self, stated: dict[str, int]) -> str:
        fields = [
            {"fieldId": kpi, "rogueId": kpi, "isStub": False, "label": kpi, "displayOrder": 1, "value": value}
            for kpi, value in stated.items()
        ]
        body = {"dashboardType": "uniform", "uniform": {"dataAnchorDate": DATE, "fields": fields}}
        return self.create(f"reports/{self.report}/dashboards", body)

    def place(self, dashboard: str) -> str:
        return f"reports/{self.report}/dashboards/{dashboard}"

    def sort_key(self, dashboard: str) -> str:
        return f"REPORT#{self.report}#DASHBOARD#{dashboard}"

    def lose(self, sort_key: str) -> None:
        torn_rows.lose(f"BOARD#{self.board_id}", sort_key)

    def change(self, sort_key: str, **members: Any) -> None:
        torn_rows.put({**torn_rows.stored(sort_key), **members})


@pytest.fixture
def world(scenario: BoardScenario) -> _World:
    return _World(scenario)


def _lose_dashboard(world: _World) -> None:
    world.lose(world.sort_key(world.profit))


def _checked(world: _World, **members: int) -> None:
    """Changes what the checks of the report know of the figure that is contradicted."""
    key = f"REPORT#{world.report}#CHECKS"
    dashboards = torn_rows.stored(key)["dashboards"]
    world.change(key, dashboards={**dashboards, world.profit: {**dashboards[world.profit], **members}})


LOOSE, MISFIT = "belongs to something that is gone", "does not fit the dashboards and flags of its report"
TORN: dict[str, tuple[Callable[[_World], None], list[str]]] = {
    "a report with checks is gone": (lambda world: world.lose(f"REPORT#{world.report}"), [LOOSE]),
    "a dashboard with flags is gone": (_lose_dashboard, [LOOSE, "counts 2 where there are 1", MISFIT]),
    "the checks count another number of flags": (lambda world: _checked(world, flags=3), [MISFIT]),
    "the checks count another number of open flags": (lambda world: _checked(world, openFlags=0), [MISFIT]),
    "the flags are lost": (lambda world: world.lose(f"{world.sort_key(world.profit)}#FLAGS"), [MISFIT]),
    "the comments on a meeting are miscounted": (
        lambda world: world.change(f"MEETING#{world.meeting}#COMMENTS", count=7),
        ["counts 7 where there are 1"],
    ),
    "the comments on a document are not counted": (
        lambda world: world.lose(f"DOCUMENT#{world.document}#COMMENTS"),
        ["counts 0 where there are 1"],
    ),
    "the comments on a dashboard are miscounted": (
        lambda world: world.change(f"{world.sort_key(world.profit)}#COMMENTS", count=2),
        ["counts 2 where there are 1"],
    ),
}


@pytest.mark.parametrize("torn", TORN)
def test_what_hangs_loose_is_named_first_and_mended_on_demand(torn: str, world: _World) -> None:
    tear, problems = TORN[torn]
    assert torn_rows.assert_mended(world.board_id, lambda: tear(world)) == problems


def test_nothing_of_a_dashboard_that_is_gone_stays(world: _World) -> None:
    _lose_dashboard(world)
    doctor.mend(world.board_id)
    assert [key for key in TableSnapshot().items if world.profit in " ".join(key)] == []
    assert world.profit not in torn_rows.stored(f"REPORT#{world.report}#CHECKS")["dashboards"]
    assert world.client.get(f"{world.path}/{world.place(world.inputs)}").status == 200


def test_the_figures_of_a_mended_report_are_checked_again(world: _World) -> None:
    _checked(world, flags=0)
    doctor.mend(world.board_id)
    assert torn_rows.stored(f"REPORT#{world.report}#CHECKS")["catalogVersion"] is None
    other = world.dashboard({"finance.revenue": 100})
    assert world.client.delete(f"{world.path}/{world.place(other)}").status == 200
    (flag,) = world.client.get(f"{world.path}/{world.place(world.profit)}/flags").data
    assert flag["status"] == "open"
    assert doctor.examine(world.board_id) == []


def test_while_a_row_cannot_be_read_the_numbers_of_flags_stay(world: _World) -> None:
    _checked(world, flags=3)
    world.change(f"{world.sort_key(world.profit)}#FLAGS", flags="?")
    (problem,) = doctor.mend(world.board_id)
    assert (problem.key.sk, problem.mend) == (f"{world.sort_key(world.profit)}#FLAGS", None)
