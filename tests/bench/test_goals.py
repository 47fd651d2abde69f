"""A figure meets its goal as it is shown, and every contestant's figures reach the table."""

import pytest

from infra.bench import goals, report
from infra.bench.cold import Start
from infra.bench.goals import Figure
from infra.bench.results import FLOOR, OURS, POWERTOOLS_COMPILED, WARM, Results
from infra.bench.scenario import CASES, CREDENTIALS, GET, LIST, SESSION, TOKEN, case
from infra.bench.servers import Rate
from infra.bench.warm import Capacity, Times

UNITS = {"get-one": (1, 4.0, 0.0), "list-25": (3, 11.0, 0.0), "create": (2, 3.0, 10.0), "vote": (4, 7.0, 10.0)}
UNITS |= {"whoami": (1, 1.0, 0.0)}


@pytest.fixture
def results() -> Results:
    """Every contestant takes the same time and the recorded calls and units."""
    contestants = (*WARM, POWERTOOLS_COMPILED)
    found = Results(dict.fromkeys(contestants, (1, 2)))
    found.cold = {name: [Start(one, 100, 120) for one in CREDENTIALS] for name in contestants}
    for name in WARM:
        for one in CASES:
            calls, read, write = UNITS[one.split(",")[0]]
            found.live[name, one], found.canned[name, one] = (
                Times([2000, 2000], [1000, 1000]),
                Times([20, 20], [10, 10]),
            )
            found.capacity[name, one] = Capacity(["Query"] * calls, read + one.endswith(TOKEN), write)
    found.growth = {items: (Capacity(["Query"], 11.0, 0.0), 100.0) for items in (100, 10_000)}
    found.rates = {name: [Rate(10, 1, 2)] for name in ("make run", "FastAPI + uvicorn")}
    return found


def figure(results: Results, name: str) -> Figure:
    return next(one for one in goals.figures(results) if one.name.startswith(name))


@pytest.mark.parametrize(("value", "met"), [(1.10, True), (1.104, True), (1.106, False)])
def test_a_figure_is_judged_as_it_is_shown(value: float, met: bool) -> None:
    assert Figure("", value, most=1.10).met is met


def test_the_least_is_a_lower_bound() -> None:
    assert not Figure("", 1.79, least=1.8).met
    assert Figure("", 1.8, least=1.8).met


def test_cold_starts_are_judged_against_the_guide_with_byte_code_and_the_floor(results: Results) -> None:
    results.cold[OURS] = [Start(SESSION, 150, 200), Start(TOKEN, 150, 200)]
    assert not figure(results, f"cold start INIT, ours / {POWERTOOLS_COMPILED}").met
    assert figure(results, "cold start INIT, ours / floor").met


def test_warm_totals_are_judged_by_processor_time_with_each_credential(results: Results) -> None:
    results.live[OURS, case(GET, TOKEN)] = Times([1, 1], [1200, 1200])
    assert not figure(results, f"warm total, processor time, {case(GET, TOKEN)}").met
    assert figure(results, f"warm total, processor time, {case(GET, SESSION)}").met
    assert not figure(results, f"warm total, processor time, {case(LIST, SESSION)}").met


def test_processor_time_without_the_sdk_has_no_goal(results: Results) -> None:
    results.canned[FLOOR, case(GET, SESSION)] = Times([1, 1], [1, 1])
    assert figure(results, f"CPU without the SDK, {case(GET, SESSION)}").goal == ""


@pytest.mark.parametrize("used", [Capacity(["Query"] * 2, 4.0, 0.0), Capacity(["Query"], 4.5, 0.0)])
def test_one_more_call_or_unit_than_recorded_misses_the_goal(results: Results, used: Capacity) -> None:
    assert figure(results, "calls and units").met
    results.capacity[OURS, case(GET, SESSION)] = used
    assert not figure(results, "calls and units").met


def test_the_report_has_a_row_for_every_contestant_and_credential(results: Results) -> None:
    text = report.text(results, "# Benchmark")
    for name in WARM:
        for credential in CREDENTIALS:
            assert f"| {name}, {credential} |" in text
    assert "**no**" in text
