"""A figure meets its goal as it is shown, and every contestant's figures reach the table."""

import pytest

from infra.bench import goals, report
from infra.bench.contestants import CONTESTANTS, OURS, POWERTOOLS
from infra.bench.goals import Figure
from infra.bench.results import Results
from infra.bench.scenario import CREDENTIALS, GET, LIST, SESSION, TOKEN, case
from infra.bench.warm import Capacity, Times

UNITS = {"get-one": (1, 4.0, 0.0), "list-25": (3, 11.0, 0.0), "create": (2, 3.0, 10.0), "vote": (4, 7.0, 10.0)}


@pytest.fixture
def results() -> Results:
    """Every contestant takes the same time and the recorded calls and units."""
    found = Results({one.name: [100.0] for one in CONTESTANTS})
    for one in CONTESTANTS:
        for route in one.routes:
            for credential in CREDENTIALS:
                calls, read, write = UNITS[route]
                key = one.name, case(route, credential)
                found.live[key] = Times([2000, 2000], [1000, 1000])
                found.capacity[key] = Capacity(["Query"] * calls, read + (credential == TOKEN), write)
    found.page_units = [5.0, 5.0]
    found.rates = {name: [10.0] for name in ("make run", "FastAPI + uvicorn")}
    return found


def figure(results: Results, name: str) -> Figure:
    return next(one for one in goals.figures(results) if one.name.startswith(name))


@pytest.mark.parametrize(("value", "met"), [(1.10, True), (1.104, True), (1.106, False)])
def test_a_figure_meets_its_goal_as_it_is_shown(value: float, met: bool) -> None:
    assert Figure("", value, most=1.10).met is met


def test_the_least_is_a_lower_bound() -> None:
    assert not Figure("", 1.79, least=1.8).met
    assert Figure("", 1.8, least=1.8).met


def test_cold_starts_are_judged_against_the_guide_with_byte_code_and_the_floor(results: Results) -> None:
    results.cold[OURS.name] = [150.0, 150.0]
    assert not figure(results, f"cold start INIT, ours / {POWERTOOLS.name}").met
    assert figure(results, "cold start INIT, ours / floor").met


def test_warm_totals_are_judged_by_processor_time_with_each_credential(results: Results) -> None:
    results.live[OURS.name, case(GET, TOKEN)] = Times([1, 1], [1200, 1200])
    assert not figure(results, f"warm total, processor time, {case(GET, TOKEN)}").met
    assert figure(results, f"warm total, processor time, {case(GET, SESSION)}").met
    assert not figure(results, f"warm total, processor time, {case(LIST, SESSION)}").met


@pytest.mark.parametrize("used", [Capacity(["Query"] * 2, 4.0, 0.0), Capacity(["Query"], 4.5, 0.0)])
def test_one_more_call_or_unit_than_recorded_misses_the_goal(results: Results, used: Capacity) -> None:
    assert figure(results, "calls and units").met
    results.capacity[OURS.name, case(GET, SESSION)] = used
    assert not figure(results, "calls and units").met


def test_a_page_that_reads_more_on_a_larger_board_misses_the_goal(results: Results) -> None:
    assert figure(results, "units of a page").met
    results.page_units = [5.0, 5.5]
    assert not figure(results, "units of a page").met


def test_the_report_has_a_row_for_every_contestant_and_credential(results: Results) -> None:
    text = report.text(results, "# Benchmark")
    for one in CONTESTANTS:
        for credential in CREDENTIALS:
            assert f"| {one.name}, {credential} |" in text
    assert "**no**" in text
