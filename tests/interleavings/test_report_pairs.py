"""Concurrent writes to cycles, bets, flags, spreadsheets and who may edit a dashboard, and to what these hang on."""

from __future__ import annotations

from functools import partial

import pytest

from tests.harness.board_scenario import person
from tests.harness.path_resources import PathResources
from tests.harness.sample_bodies import LATER, SHEET
from tests.interleavings.pair_scenario import Check, PairScenario

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


def test_begin_begin(pairs: PairScenario, check: Check) -> None:
    report, _ = _report(pairs)
    body = {"name": "Q3", "reportId": report.rpartition("/")[2], "dueAt": LATER}
    begin = partial(pairs.owner.post, pairs.path("cycles"), body)
    check(begin, begin)


def test_begin_delete_report(pairs: PairScenario, check: Check) -> None:
    report, _ = _report(pairs)
    body = {"name": "Q3", "reportId": report.rpartition("/")[2], "dueAt": LATER}
    check(partial(pairs.owner.post, pairs.path("cycles"), body), partial(pairs.owner.delete, report))


def test_dispatch_dispatch(pairs: PairScenario, check: Check) -> None:
    dispatch = partial(pairs.owner.post, f"{_cycle(pairs, _report(pairs)[0])}/dispatch")
    check(dispatch, dispatch)


def test_dispatch_delete_cycle(pairs: PairScenario, check: Check) -> None:
    cycle = _cycle(pairs, _report(pairs)[0])
    check(partial(pairs.owner.post, f"{cycle}/dispatch"), partial(pairs.owner.delete, cycle))


def test_publish_publish(pairs: PairScenario, check: Check) -> None:
    publish = partial(pairs.owner.post, f"{_cycle(pairs, _report(pairs)[0])}/publish", FORCE)
    check(publish, publish)


def test_publish_change_section(pairs: PairScenario, check: Check) -> None:
    report, dashboard = _report(pairs)
    assert pairs.owner.patch(dashboard, {"uniform": {"reviewStatus": "ready_for_review"}}).status == 200
    publish = partial(pairs.owner.post, f"{_cycle(pairs, report)}/publish")
    check(publish, partial(pairs.owner.patch, dashboard, {"uniform": {"reviewStatus": "internally_reviewed"}}))


def test_publish_finalize_report(pairs: PairScenario, check: Check) -> None:
    report, _ = _report(pairs)
    publish = partial(pairs.owner.post, f"{_cycle(pairs, report)}/publish", FORCE)
    check(publish, partial(pairs.owner.patch, report, {"status": "published"}))


# -- bets and flags


def test_give_bet_remove_member(pairs: PairScenario, check: Check) -> None:
    bet = pairs.create(pairs.path("bets"), title="Bet", dueOn=LATER[:10])
    given = partial(pairs.owner.patch, bet, {"ownerUserId": pairs.ben.id})
    check(given, pairs.removal(pairs.ben))


def _flag(scenario: PairScenario) -> tuple[str, str]:
    """Returns the paths of a dashboard with a flag, and of the flag's dismissal."""
    resources = _resources(scenario)
    flag = resources["flagId"]
    dashboard = resources.path("reports", resources["reportId"], "dashboards", resources["dashboardId"])
    return dashboard, f"{dashboard}/flags/{flag}/dismissal"


def test_dismiss_dismiss(pairs: PairScenario, check: Check) -> None:
    _, dismissal = _flag(pairs)
    check(
        partial(pairs.owner.put, dismissal, {"reason": "One"}), partial(pairs.owner.put, dismissal, {"reason": "Other"})
    )


def test_dismiss_correct_figure(pairs: PairScenario, check: Check) -> None:
    dashboard, dismissal = _flag(pairs)
    check(
        partial(pairs.owner.put, dismissal, {"reason": "Known"}),
        partial(pairs.owner.patch, dashboard, {"uniform": {"fields": []}}),
    )


# -- who may edit a dashboard


def test_hand_over_hand_over(pairs: PairScenario, check: Check) -> None:
    _, dashboard = _report(pairs)
    transfer, mia = f"{dashboard}/ownership-transfer", pairs.board.member("mia")
    check(
        partial(pairs.owner.post, transfer, {"userId": pairs.ben.id}),
        partial(pairs.owner.post, transfer, {"userId": mia.id}),
    )


def test_hand_over_remove_member(pairs: PairScenario, check: Check) -> None:
    _, dashboard = _report(pairs)
    transfer = partial(pairs.owner.post, f"{dashboard}/ownership-transfer", {"userId": pairs.ben.id})
    check(transfer, pairs.removal(pairs.ben))


def _guest(scenario: PairScenario, name: str) -> str:
    return scenario.board.join(person(name), access_type="guest").user_id


def test_grant_revoke(pairs: PairScenario, check: Check) -> None:
    _, dashboard = _report(pairs)
    access = f"{dashboard}/access/{_guest(pairs, 'gil')}"
    assert pairs.owner.put(access).status < 300
    check(partial(pairs.owner.put, access), partial(pairs.owner.delete, access))


def test_grant_remove_member(pairs: PairScenario, check: Check) -> None:
    _, dashboard = _report(pairs)
    guest = pairs.board.join(person("gil"), access_type="guest")
    removal = partial(pairs.owner.delete, pairs.path("members", guest.id))
    check(partial(pairs.owner.put, f"{dashboard}/access/{guest.user_id}"), removal)


def test_fill_fill(pairs: PairScenario, check: Check) -> None:
    _, dashboard = _report(pairs)
    first, second = ({"csv": SHEET.replace("4820000", number)} for number in ("1", "2"))
    check(
        partial(pairs.owner.put, f"{dashboard}/figures", first),
        partial(pairs.owner.put, f"{dashboard}/figures", second),
    )


def test_reopen_correct_figure(pairs: PairScenario, check: Check) -> None:
    dashboard, dismissal = _flag(pairs)
    assert pairs.owner.put(dismissal, {"reason": "Known"}).status == 200
    check(partial(pairs.owner.delete, dismissal), partial(pairs.owner.patch, dashboard, {"uniform": {"fields": []}}))
