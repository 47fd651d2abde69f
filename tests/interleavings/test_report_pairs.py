"""Concurrent writes to what is decided and reported: resolutions, cycles, bets, flags and the rights to a dashboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.path_resources import PathResources
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.sample_bodies import LATER
from tests.interleavings.pair_scenario import Check, PairScenario
from tests.interleavings.schedules import every_interleaving

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


def test_dispatch_delete_cycle(pairs: PairScenario, check: Check) -> None:
    cycle = _cycle(pairs, _report(pairs)[0])
    check(partial(pairs.owner.post, f"{cycle}/dispatch"), partial(pairs.owner.delete, cycle))


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


def test_dismiss_correct_figure(pairs: PairScenario, check: Check) -> None:
    dashboard, dismissal = _flag(pairs)
    check(
        partial(pairs.owner.put, dismissal, {"reason": "Known"}),
        partial(pairs.owner.patch, dashboard, {"uniform": {"fields": []}}),
    )


# -- who may edit a dashboard


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


PROXIES = {"rule": {"proxies": True}}


class Votes(ResolutionScenario):
    """A board with voters, and with calls that are made at the same time."""

    def cast(self, path: str, voter: Person, choice: str = "for", **members: Any) -> Callable[[], Any]:
        return partial(self.vote, path, voter, choice, **members)

    def leaving(self, voter: Person) -> Callable[[], Any]:
        return partial(voter.client.delete, self.board.member_path(voter))


@pytest.fixture
def votes(scenario: BoardScenario) -> Votes:
    return Votes(scenario)


def test_ballot_close(votes: Votes, check: Check) -> None:
    path = votes.opened()
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    check(votes.cast(path, votes.cem, "against"), partial(votes.close, path))


def test_last_ballot_close(votes: Votes, check: Check) -> None:
    path = votes.opened(ballots="hidden")
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    check(votes.cast(path, votes.cem), partial(votes.close, path))


def test_secret_ballot_close(votes: Votes, check: Check) -> None:
    meeting = votes.board.owner.client.post(f"{votes.board.path}/meetings", {"title": "M", "status": "in_progress"})
    path = votes.opened(ballots="secret", meetingId=meeting.data["id"])
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    check(votes.cast(path, votes.cem, "against"), partial(votes.close, path))


def test_first_secret_ballot_recusal_of_another(votes: Votes, check: Check) -> None:
    path = votes.opened(ballots="secret")
    check(votes.cast(path, votes.ann), partial(votes.recuse, path, votes.cem, votes.manager))


def test_secret_ballot_twice(votes: Votes, check: Check) -> None:
    path = votes.opened(ballots="secret")
    check(votes.cast(path, votes.ann), votes.cast(path, votes.ann, "against"))


def test_superseding_twice(votes: Votes, check: Check) -> None:
    first = votes.opened(voters=[{"userId": votes.ann.id}])
    votes.vote(first, votes.ann)
    old = votes.close(first).data["id"]
    paths = [votes.opened(voters=[{"userId": votes.ann.id}], supersedesId=old) for _ in range(2)]
    for path in paths:
        votes.vote(path, votes.ann)
    check(partial(votes.close, paths[0]), partial(votes.close, paths[1]))


def test_proxy_back_holders_ballot(votes: Votes, check: Check) -> None:
    path = votes.opened(**PROXIES)
    votes.give(path, votes.ann, votes.ben)
    back = partial(votes.ann.client.delete, f"{path}/proxy")
    check(back, votes.cast(path, votes.ben, forUserId=votes.ann.id))


def test_open_another(votes: Votes, check: Check) -> None:
    check(partial(votes.open, votes.drafted()), partial(votes.open, votes.drafted(title="Another")))


def test_open_delete_meeting(votes: Votes, check: Check) -> None:
    meetings = f"{votes.board.path}/meetings"
    meeting = votes.board.owner.client.post(meetings, {"title": "M", "status": "scheduled"}).data["id"]
    path = votes.drafted(meetingId=meeting)
    check(partial(votes.open, path), partial(votes.board.owner.client.delete, f"{meetings}/{meeting}"))


def test_open_delete_committee(votes: Votes, check: Check) -> None:
    committee = votes.board.committee(votes.manager, votes.ann)
    path = votes.drafted(committeeId=committee, voters=None)
    check(
        partial(votes.open, path),
        partial(votes.board.owner.client.delete, f"{votes.board.path}/committees/{committee}"),
    )


@pytest.mark.parametrize("act", ["open", "close", "ballot"])
def test_who_leaves_meanwhile_is_counted_as_if_they_had_left_before_or_after(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """In the end they are not a voter, recused, or have voted; nobody waits for the ballot of someone who is gone."""
    votes = Votes(scenario)
    path = votes.drafted(voters=None) if act == "open" else votes.opened()
    calls: dict[str, Callable[[], Any]] = {"open": partial(votes.open, path), "close": partial(votes.close, path)}
    call = calls.get(act, votes.cast(path, votes.ann))
    if act == "close":
        votes.vote(path, votes.ben)
        votes.vote(path, votes.cem)
    monkeypatch.setattr("random.choice", lambda options: options[0])
    for _responses, _ in every_interleaving(call, votes.leaving(votes.ann)):
        shown = votes.get(path)
        (voter,) = [entry for entry in shown["voters"] if entry["userId"] == votes.ann.id] or [None]
        has_voted = any(ballot["userId"] == votes.ann.id for ballot in votes.ballots(path))
        closed_before = shown["status"] != "open" and voter is not None and voter["recused"] is None
        assert voter is None or voter["recused"] is not None or has_voted or closed_before, shown
