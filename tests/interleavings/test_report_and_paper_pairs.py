"""Concurrent writes to cycles, bets, flags, comments, agendas, minutes and versions, and to what these hang on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.path_resources import LATER, NEW_BET, NEW_VERSION, PathResources
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


# -- comments


def comment_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    comment = partial(scenario.ben.client.post, f"{meeting.path}/comments", {"text": "Why?"})
    return comment, partial(scenario.owner.delete, meeting.path)


def comment_delete_document(scenario: PairScenario) -> Pair:
    document = scenario.create(scenario.path("documents"), title="Paper")
    comment = partial(scenario.ben.client.post, f"{document}/comments", {"text": "Why?"})
    return comment, partial(scenario.owner.delete, document)


def comment_delete_dashboard(scenario: PairScenario) -> Pair:
    _, dashboard = _report(scenario)
    comment = partial(scenario.ben.client.post, f"{dashboard}/comments", {"text": "Why?"})
    return comment, partial(scenario.owner.delete, dashboard)


def reply_delete_comment(scenario: PairScenario) -> Pair:
    comments = f"{scenario.new_meeting().path}/comments"
    comment = scenario.create(comments, text="Why?")
    reply = {"text": "Because", "replyToId": comment.rpartition("/")[2]}
    return partial(scenario.ben.client.post, comments, reply), partial(scenario.owner.delete, comment)


def resolve_resolve(scenario: PairScenario) -> Pair:
    comment = scenario.create(f"{scenario.new_meeting().path}/comments", text="Why?")
    return partial(scenario.ben.client.put, f"{comment}/resolution"), partial(
        scenario.owner.put, f"{comment}/resolution"
    )


def edit_resolve(scenario: PairScenario) -> Pair:
    comment = scenario.create(f"{scenario.new_meeting().path}/comments", text="Why?")
    return partial(scenario.owner.patch, comment, {"text": "How?"}), partial(
        scenario.ben.client.put, f"{comment}/resolution"
    )


def resolve_delete_comment(scenario: PairScenario) -> Pair:
    comment = scenario.create(f"{scenario.new_meeting().path}/comments", text="Why?")
    return partial(scenario.ben.client.put, f"{comment}/resolution"), partial(scenario.owner.delete, comment)


# -- agendas, minutes, versions


def _items(*titles: str) -> dict[str, Any]:
    return {"items": [{"title": title} for title in titles]}


def agenda_agenda(scenario: PairScenario) -> Pair:
    agenda = f"{scenario.new_meeting().path}/agenda"
    return partial(scenario.owner.put, agenda, _items("One")), partial(scenario.owner.put, agenda, _items("Other"))


def agenda_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    agenda = partial(scenario.owner.put, f"{meeting.path}/agenda", _items("One"))
    return agenda, partial(scenario.owner.delete, meeting.path)


def carry_over_agenda(scenario: PairScenario) -> Pair:
    earlier, meeting = scenario.new_meeting(), scenario.new_meeting()
    assert scenario.owner.put(f"{earlier.path}/agenda", _items("Open")).status == 200
    carried = {"fromMeetingId": earlier.path.rpartition("/")[2]}
    return partial(scenario.owner.post, f"{meeting.path}/agenda/carry-over", carried), partial(
        scenario.owner.put, f"{meeting.path}/agenda", _items("One")
    )


def minutes_minutes(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting(status="completed")
    assert scenario.owner.put(f"{meeting.path}/agenda", _items("One")).status < 300
    minutes = f"{meeting.path}/minutes"
    return partial(scenario.owner.put, minutes, {"items": [{"text": "One"}]}), partial(
        scenario.owner.put, minutes, {"items": [{"text": "Other"}]}
    )


def version_version(scenario: PairScenario) -> Pair:
    versions = f"{scenario.create(scenario.path('documents'), title='Paper')}/versions"
    return partial(scenario.owner.post, versions, NEW_VERSION), partial(scenario.owner.post, versions, NEW_VERSION)


def version_delete_document(scenario: PairScenario) -> Pair:
    document = scenario.create(scenario.path("documents"), title="Paper")
    version = partial(scenario.owner.post, f"{document}/versions", NEW_VERSION)
    return version, partial(scenario.owner.delete, document)


def _version(scenario: PairScenario) -> str:
    """Returns the path of a version whose file was sent."""
    resources = _resources(scenario)
    return resources.path("documents", resources["documentId"], "versions", resources["versionId"])


def complete_complete(scenario: PairScenario) -> Pair:
    complete = partial(scenario.owner.post, f"{_version(scenario)}/complete")
    return complete, complete


def complete_delete_version(scenario: PairScenario) -> Pair:
    version = _version(scenario)
    return partial(scenario.owner.post, f"{version}/complete"), partial(scenario.owner.delete, version)


def delete_version_delete_version(scenario: PairScenario) -> Pair:
    delete = partial(scenario.owner.delete, _version(scenario))
    return delete, delete


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
    comment_delete_meeting,
    comment_delete_document,
    comment_delete_dashboard,
    reply_delete_comment,
    resolve_resolve,
    resolve_delete_comment,
    edit_resolve,
    agenda_agenda,
    agenda_delete_meeting,
    carry_over_agenda,
    minutes_minutes,
    version_version,
    version_delete_document,
    complete_complete,
    complete_delete_version,
    delete_version_delete_version,
)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_writes_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
