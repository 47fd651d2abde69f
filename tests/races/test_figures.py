"""Races of editors of one report, whose figures are checked together."""

from __future__ import annotations

import json
from functools import partial

import pytest

from governance.ids import BoardId
from governance.store.reports import checks
from governance.store.schema.entities import REPORT_CHECKS
from governance.store.table import read_one
from tests.functions.dashboards.test_checks import COST, PROFIT, REVENUE, Report, figure
from tests.harness.board_scenario import BoardScenario
from tests.harness.race import Race

pytestmark = pytest.mark.slow
EDITORS, ROUNDS = 8, 5
_KPIS = (REVENUE, COST, PROFIT)


def stated_values(scenario: BoardScenario, report: Report, dashboards: list[str]) -> list[int]:
    """Returns the number that each dashboard states, as the checks of the report have it."""
    board_id = BoardId(scenario.board_id)
    found = checks.checks_in(read_one(REPORT_CHECKS.key_for(boardId=board_id, reportId=report.id)), board_id, report.id)
    figures = checks.read_rows(found, dashboards, ()).figures
    return [int(json.loads(figures[dashboard].figures)[0][2]) for dashboard in dashboards]


def test_editors_of_one_report_follow_each_other_and_none_is_refused(scenario: BoardScenario, race: Race) -> None:
    report = Report(scenario)
    dashboards = [report.create(figure(_KPIS[number % 3], 1)) for number in range(EDITORS)]
    for number in race.rounds(ROUNDS):
        values = [10 + number * EDITORS + editor for editor in range(EDITORS)]
        bodies = [{"uniform": {"fields": [figure(_KPIS[editor % 3], value)]}} for editor, value in enumerate(values)]
        responses = race.run(
            *(
                partial(scenario.owner.client.patch, f"{report.path}/{dashboard}", body)
                for dashboard, body in zip(dashboards, bodies, strict=True)
            )
        )
        assert [response.status for response in responses] == [200] * EDITORS
        assert stated_values(scenario, report, dashboards) == values
