"""Concurrent writes to cycles, bets, flags, spreadsheets and who may edit a dashboard, and to what these hang on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.path_resources import LATER, NEW_BET, PathResources
from tests.harness.sample_requests import SHEET
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair

pytestmark = pytest.mark.slow
FORCE = {"force": True}


def _resources(scenario: PairScenario) -> PathResources:
    return PathResources(scenario.board, scenario.board.owner, "")


def _report(scenario: PairScenario) -> tuple[str, str]:
    """Returns the paths of a report and of its dashboard, whose figures agree."""
    report = scenario.create(scenario.path("reports"), title="Report")
    return report, scenario.create(f"{report}/dashboards", dashboardType="uniform")


def _cycle(scenario: PairScenario, report: str) -> str:
    report_id = report.rpartition("/")[2]
    return scenario.create(scenario.path("cycles"), name="Q3", reportId=report_id, dueAt=LATER)


# -- cycles


def begin_begin(scenario: PairScenario) -> Pair:
    report, _ = _report(scenario)
    body = {"name": "Q3", "reportId": report.rpartition("/")[2], "dueAt": LATER}
    begin = partial(scenario.owner.post, scenario.path("cycles"), body)
    return begin, begin


def begin_delete_report(scenario: PairScenario) -> Pair:
    report, _ = _report(scenario)
    body = {"name": "Q3", "reportId": report.rpartition("/")[2], "dueAt": LATER}
    return partial(scenario.owner.post, scenario.path("cycles"), body), partial(scenario.owner.delete, report)


def change_change_cycle(scenario: PairScenario) -> Pair:
    cycle = _cycle(scenario, _report(scenario)[0])
    return partial(scenario.owner.patch, cycle, {"name": "One"}), partial(
        scenario.owner.patch, cycle, {"remindDaysBefore": [7]}
    )


def dispatch_dispatch(scenario: PairScenario) -> Pair:
    dispatch = partial(scenario.owner.post, f"{_cycle(scenario, _report(scenario)[0])}/dispatch")
    return dispatch, dispatch


def dispatch_delete_cycle(scenario: PairScenario) -> Pair:
    cycle = _cycle(scenario, _report(scenario)[0])
    return partial(scenario.owner.post, f"{cycle}/dispatch"), partial(scenario.owner.delete, cycle)


def publish_publish(scenario: PairScenario) -> Pair:
    publish = partial(scenario.owner.post, f"{_cycle(scenario, _report(scenario)[0])}/publish", FORCE)
    return publish, publish


def publish_change_section(scenario: PairScenario) -> Pair:
    report, dashboard = _report(scenario)
    assert scenario.owner.patch(dashboard, {"uniform": {"reviewStatus": "ready_for_review"}}).status == 200
    publish = partial(scenario.owner.post, f"{_cycle(scenario, report)}/publish")
    return publish, partial(scenario.owner.patch, dashboard, {"uniform": {"reviewStatus": "internally_reviewed"}})


def publish_finalize_report(scenario: PairScenario) -> Pair:
    report, _ = _report(scenario)
    publish = partial(scenario.owner.post, f"{_cycle(scenario, report)}/publish", FORCE)
    return publish, partial(scenario.owner.patch, report, {"status": "published"})


# -- bets and flags


def change_change_bet(scenario: PairScenario) -> Pair:
    bet = scenario.create(scenario.path("bets"), **NEW_BET)
    return partial(scenario.owner.patch, bet, {"title": "One"}), partial(scenario.owner.patch, bet, {"status": "won"})


def change_delete_bet(scenario: PairScenario) -> Pair:
    bet = scenario.create(scenario.path("bets"), **NEW_BET)
    return partial(scenario.owner.patch, bet, {"title": "One"}), partial(scenario.owner.delete, bet)


def give_bet_remove_member(scenario: PairScenario) -> Pair:
    bet = scenario.create(scenario.path("bets"), **NEW_BET)
    given = partial(scenario.owner.patch, bet, {"ownerUserId": scenario.ben.id})
    return given, scenario.removal(scenario.ben)


def _flag(scenario: PairScenario) -> tuple[str, str]:
    """Returns the paths of a dashboard with a flag, and of the flag's dismissal."""
    resources = _resources(scenario)
    flag = resources["flagId"]
    dashboard = resources.path("reports", resources["reportId"], "dashboards", resources["dashboardId"])
    return dashboard, f"{dashboard}/flags/{flag}/dismissal"


def dismiss_dismiss(scenario: PairScenario) -> Pair:
    _, dismissal = _flag(scenario)
    return partial(scenario.owner.put, dismissal, {"reason": "One"}), partial(
        scenario.owner.put, dismissal, {"reason": "Other"}
    )


def dismiss_correct_figure(scenario: PairScenario) -> Pair:
    dashboard, dismissal = _flag(scenario)
    return partial(scenario.owner.put, dismissal, {"reason": "Known"}), partial(
        scenario.owner.patch, dashboard, {"uniform": {"fields": []}}
    )


# -- who may edit a dashboard


def hand_over_hand_over(scenario: PairScenario) -> Pair:
    _, dashboard = _report(scenario)
    transfer, mia = f"{dashboard}/ownership-transfer", scenario.board.member("mia")
    return partial(scenario.owner.post, transfer, {"userId": scenario.ben.id}), partial(
        scenario.owner.post, transfer, {"userId": mia.id}
    )


def hand_over_remove_member(scenario: PairScenario) -> Pair:
    _, dashboard = _report(scenario)
    transfer = partial(scenario.owner.post, f"{dashboard}/ownership-transfer", {"userId": scenario.ben.id})
    return transfer, scenario.removal(scenario.ben)


def _guest(scenario: PairScenario, name: str) -> str:
    return scenario.board.join(person(name), access_type="guest").user_id


def grant_grant(scenario: PairScenario) -> Pair:
    _, dashboard = _report(scenario)
    first, second = (f"{dashboard}/access/{_guest(scenario, name)}" for name in ("gil", "gus"))
    return partial(scenario.owner.put, first), partial(scenario.owner.put, second)


def grant_revoke(scenario: PairScenario) -> Pair:
    _, dashboard = _report(scenario)
    access = f"{dashboard}/access/{_guest(scenario, 'gil')}"
    assert scenario.owner.put(access).status < 300
    return partial(scenario.owner.put, access), partial(scenario.owner.delete, access)


def grant_remove_member(scenario: PairScenario) -> Pair:
    _, dashboard = _report(scenario)
    guest = scenario.board.join(person("gil"), access_type="guest")
    removal = partial(scenario.owner.delete, scenario.path("members", guest.id))
    return partial(scenario.owner.put, f"{dashboard}/access/{guest.user_id}"), removal


def fill_fill(scenario: PairScenario) -> Pair:
    _, dashboard = _report(scenario)
    first, second = ({"csv": SHEET.replace("4820000", number)} for number in ("1", "2"))
    return partial(scenario.owner.put, f"{dashboard}/figures", first), partial(
        scenario.owner.put, f"{dashboard}/figures", second
    )


def reopen_correct_figure(scenario: PairScenario) -> Pair:
    dashboard, dismissal = _flag(scenario)
    assert scenario.owner.put(dismissal, {"reason": "Known"}).status == 200
    return partial(scenario.owner.delete, dismissal), partial(
        scenario.owner.patch, dashboard, {"uniform": {"fields": []}}
    )


PAIRS: tuple[Callable[[PairScenario], Pair], ...] = (
    begin_begin,
    begin_delete_report,
    change_change_cycle,
    dispatch_dispatch,
    dispatch_delete_cycle,
    publish_publish,
    publish_change_section,
    publish_finalize_report,
    change_change_bet,
    change_delete_bet,
    give_bet_remove_member,
    dismiss_dismiss,
    dismiss_correct_figure,
    hand_over_hand_over,
    hand_over_remove_member,
    grant_grant,
    grant_revoke,
    grant_remove_member,
    fill_fill,
    reopen_correct_figure,
)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_writes_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
