"""Pairs of writes to members, people without an account, invites, tokens and settings, in every order of calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from governance.usecases.operator import operator
from tests.harness.board_scenario import person
from tests.harness.client import Client, Response
from tests.harness.merge_scenario import personal_token
from tests.harness.path_resources import PathResources
from tests.interleavings.pair_scenario import Check, PairScenario
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow


def test_remove_each_other(pairs: PairScenario, check: Check) -> None:
    cleo = pairs.board.member("cleo", admin_role="admin")
    assert pairs.owner.patch(pairs.path("members", pairs.member(pairs.ben)), {"adminRole": "admin"}).status == 200
    check(pairs.removal(cleo, pairs.ben.client), pairs.removal(pairs.ben, cleo.client))


def test_demote_each_other(pairs: PairScenario, check: Check) -> None:
    cleo = pairs.board.member("cleo", admin_role="admin")
    ben = pairs.path("members", pairs.member(pairs.ben))
    assert pairs.owner.patch(ben, {"adminRole": "admin"}).status == 200
    demoted = {"adminRole": "member"}
    check(
        partial(cleo.client.patch, ben, demoted),
        partial(pairs.ben.client.patch, pairs.path("members", pairs.member(cleo)), demoted),
    )


def test_transfer_change_role(pairs: PairScenario, check: Check) -> None:
    path = pairs.path("members", pairs.member(pairs.ben))
    check(pairs.transfer(pairs.ben), partial(pairs.owner.patch, path, {"adminRole": "admin"}))


def test_join_retract(pairs: PairScenario, check: Check) -> None:
    ann = person("ann")
    invite, code = pairs.invite_id(ann), pairs.code()
    check(
        partial(ann.client.put, f"/api/invite/join/{code}"), partial(pairs.owner.put, f"/api/invite/retract/{invite}")
    )


def test_join_disable_code(pairs: PairScenario, check: Check) -> None:
    ann = person("ann")
    pairs.invite_id(ann)
    join = partial(ann.client.put, f"/api/invite/join/{pairs.code()}")
    check(join, partial(pairs.owner.patch, pairs.board.path, {"inviteCodeEnabled": False}))


def test_code_code(pairs: PairScenario, check: Check) -> None:
    read = partial(pairs.owner.get, f"/api/invite/{pairs.board.board_id}/code")
    check(read, read)


def test_read_delete_notification(pairs: PairScenario, check: Check) -> None:
    one = PathResources(pairs.board, pairs.board.owner, "")["notificationId"]
    check(
        partial(pairs.owner.put, f"/api/notification/read/{one}"),
        partial(pairs.owner.delete, f"/api/notification/{one}"),
    )


def test_billing_rename(pairs: PairScenario, check: Check) -> None:
    def set_billing_state() -> Response:
        operator.set_billing(pairs.board.board_id, "CANCELLED")
        return Response(200, {}, "{}")

    check(set_billing_state, partial(pairs.owner.patch, pairs.board.path, {"name": "Renamed"}))


ADDRESS = {"firstName": "Anna", "email": "anna@example.com"}


def agenda(scenario: PairScenario, person_id: str) -> Call:
    items = {"items": [{"title": "Budget", "presenterUnregisteredUserId": person_id}]}
    return partial(scenario.owner.put, f"{scenario.new_meeting().path}/agenda", items)


def attendance(scenario: PairScenario, person_id: str) -> Call:
    meeting = scenario.new_meeting(status="in_progress")
    entries = {"attendance": [{"unregisteredUserId": person_id, "present": "remote"}]}
    return partial(scenario.owner.put, f"{meeting.path}/minutes", entries)


def assignee(scenario: PairScenario, person_id: str) -> Call:
    items = f"{scenario.new_meeting().path}/action-items"
    item = scenario.owner.post(items, {"title": "Send the accounts"}).json["data"]["_id"]
    return partial(scenario.owner.put, f"{items}/{item}/unregistered-assignee", {"unregisteredUserId": person_id})


def invitee(scenario: PairScenario, person_id: str) -> Call:
    return partial(scenario.owner.put, f"{scenario.new_meeting().path}/people", {"unregisteredUserIds": [person_id]})


def _person(scenario: PairScenario) -> str:
    return scenario.create(scenario.path("unregistered-users"), **ADDRESS)


@pytest.mark.parametrize("naming", [agenda, attendance, assignee, invitee])
def test_nobody_is_named_once_they_are_scrubbed(
    naming: Callable[[PairScenario, str], Call], pairs: PairScenario, check: Check
) -> None:
    """What names somebody asks whether they are active, so an archived person is named by nobody either."""
    person = _person(pairs)
    named = naming(pairs, person.rpartition("/")[2])
    check(partial(pairs.owner.post, f"{person}/scrub"), named)


def test_take_out_vote_by_the_personal_link(pairs: PairScenario, check: Check) -> None:
    person_id, meeting = _person(pairs).rpartition("/")[2], pairs.new_meeting()
    slot = meeting.slot()
    token = personal_token(meeting, person_id)
    check(
        partial(pairs.owner.put, f"{meeting.path}/people", {"unregisteredUserIds": []}),
        partial(Client().put, f"/api/v1/guest/{token}/slots/{slot['id']}/vote", {"vote": "ok"}),
    )


def test_add_add(pairs: PairScenario, check: Check) -> None:
    add = partial(pairs.owner.post, pairs.path("unregistered-users"), ADDRESS)
    check(add, add)


def test_unarchive_add(pairs: PairScenario, check: Check) -> None:
    person = _person(pairs)
    assert pairs.owner.post(f"{person}/archive").status == 200
    add = partial(pairs.owner.post, pairs.path("unregistered-users"), ADDRESS)
    check(partial(pairs.owner.post, f"{person}/unarchive"), add)
