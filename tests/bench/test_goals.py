"""A ratio meets its goal as it is shown, and every contestant's figures reach the table."""

from __future__ import annotations

import pytest

from infra.bench import report
from infra.bench.contestants import BARE, BOTO, CONTESTANTS, OURS, POWERTOOLS
from infra.bench.report import Goal, Results
from infra.bench.scenario import CREDENTIALS, GET, LIST, SESSION, TOKEN, case


@pytest.fixture
def results() -> Results:
    """Everything is as fast as its goal."""
    found = Results({one.name: [100.0] for one in CONTESTANTS})
    found.init[OURS.name] = [65.0]
    for one in CONTESTANTS:
        for route in one.routes:
            for credential in CREDENTIALS:
                found.spent[one.name, case(route, credential)] = [100.0 if one is BARE else 200.0]
    for route in OURS.routes:
        for credential in CREDENTIALS:
            found.spent[OURS.name, case(route, credential)] = [120.0]
    found.rates = {name: [10.0] for name in ("make run", "FastAPI + uvicorn")}
    return found


def missed(results: Results) -> list[str]:
    return [goal.name for goal in report.goals(results) if not goal.met]


@pytest.mark.parametrize(("value", "met"), [(1.10, True), (1.104, True), (1.106, False)])
def test_a_ratio_meets_its_goal_as_it_is_shown(value: float, met: bool) -> None:
    assert Goal("", value, most=1.10).met is met


def test_the_least_is_a_lower_bound() -> None:
    assert not Goal("", 1.79, least=1.8).met
    assert Goal("", 1.8, least=1.8).met


def test_every_goal_is_judged_and_a_missed_one_is_named(results: Results) -> None:
    assert missed(results) == []
    assert len([*report.goals(results)]) == 2 + 2 * 8 + 1
    results.init[OURS.name] = [66.0]
    assert missed(results) == [f"INIT, ours / {POWERTOOLS.name}"]
    results.spent[BOTO.name, case(GET, TOKEN)] = [190.0]
    results.spent[BARE.name, case(LIST, SESSION)] = [90.0]
    results.rates["make run"] = [9.9]
    assert missed(results)[1:] == [
        f"{case(LIST, SESSION)}, ours / {BARE.name}",
        f"{case(GET, TOKEN)}, ours / {BOTO.name}",
        "requests per second, make run / FastAPI + uvicorn",
    ]


def test_the_report_has_a_row_for_every_contestant_and_credential(results: Results) -> None:
    results.rates["make run"] = [9.9]
    text = report.text(results, "# Benchmark")
    for one in CONTESTANTS:
        for credential in CREDENTIALS:
            assert f"| {one.name}, {credential} |" in text
    assert text.count("**no**") == 1
