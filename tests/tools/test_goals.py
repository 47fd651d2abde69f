"""A ratio meets its goal as it is shown, and a goal that is missed is named."""

from __future__ import annotations

import pytest

from infra.tools.bench import report
from infra.tools.bench.contestants import BARE, BOTO, CONTESTANTS, OURS, POWERTOOLS
from infra.tools.bench.report import Goal, Results
from infra.tools.bench.scenario import CREDENTIALS, GET, LIST, SESSION, TOKEN, case


@pytest.mark.parametrize(("value", "met"), [(1.10, True), (1.104, True), (1.106, False)])
def test_a_ratio_meets_its_goal_as_it_is_shown(value: float, *, met: bool) -> None:
    assert Goal("", value, most=1.10).met is met


def test_every_goal_is_judged_and_a_missed_one_is_named() -> None:
    results = Results({contestant.name: [100.0] for contestant in CONTESTANTS})
    results.init[OURS.name] = [65.0]
    microseconds = {OURS.name: 120.0, BARE.name: 100.0}
    for contestant in CONTESTANTS:
        for name in (case(route, credential) for route in contestant.routes for credential in CREDENTIALS):
            results.spent[contestant.name, name] = [microseconds.get(contestant.name, 200.0)]
    results.rates = {"make run": [10.0], "FastAPI": [10.0]}
    assert [goal.name for goal in report.goals(results) if not goal.met] == []
    assert len([*report.goals(results)]) == 2 + 2 * 8 + 1
    results.init[OURS.name] = [66.0]
    results.spent[BOTO.name, case(GET, TOKEN)] = [190.0]
    results.spent[BARE.name, case(LIST, SESSION)] = [90.0]
    results.rates["make run"] = [9.9]
    missed = [goal.name for goal in report.goals(results) if not goal.met]
    assert missed == [
        f"INIT, ours / {POWERTOOLS.name}",
        f"{case(LIST, SESSION)}, ours / {BARE.name}",
        f"{case(GET, TOKEN)}, ours / {BOTO.name}",
        "seconds per request, make run / FastAPI + uvicorn",
    ]
    assert report.text(results, "").count("**no**") == len(missed)
