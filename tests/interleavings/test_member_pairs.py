"""Pairs of writes to members, invites, invite codes, tokens and settings, in every order of their store calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from governance.usecases.operator import operator
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Response
from tests.harness.path_resources import PathResources
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow


def remove_each_other(scenario: PairScenario) -> Pair:
    cleo = scenario.board.member("cleo", admin_role="admin")
    assert (
        scenario.owner.patch(scenario.path("members", scenario.member(scenario.ben)), {"adminRole": "admin"}).status
        == 200
    )
    return scenario.removal(cleo, scenario.ben.client), scenario.removal(scenario.ben, cleo.client)


def demote_each_other(scenario: PairScenario) -> Pair:
    cleo = scenario.board.member("cleo", admin_role="admin")
    ben = scenario.path("members", scenario.member(scenario.ben))
    assert scenario.owner.patch(ben, {"adminRole": "admin"}).status == 200
    demoted = {"adminRole": "member"}
    return partial(cleo.client.patch, ben, demoted), partial(
        scenario.ben.client.patch, scenario.path("members", scenario.member(cleo)), demoted
    )


def transfer_change_role(scenario: PairScenario) -> Pair:
    path = scenario.path("members", scenario.member(scenario.ben))
    return scenario.transfer(scenario.ben), partial(scenario.owner.patch, path, {"adminRole": "admin"})


def _answered(scenario: PairScenario, one: str, other: str) -> Pair:
    ann = person("ann")
    invite = scenario.invite_id(ann)
    by = {"accept": ann.client, "decline": ann.client, "retract": scenario.owner}
    return partial(by[one].put, f"/api/invite/{one}/{invite}"), partial(by[other].put, f"/api/invite/{other}/{invite}")


def accept_decline(scenario: PairScenario) -> Pair:
    return _answered(scenario, "accept", "decline")


def decline_retract(scenario: PairScenario) -> Pair:
    return _answered(scenario, "decline", "retract")


def accept_accept(scenario: PairScenario) -> Pair:
    return _answered(scenario, "accept", "accept")


def join_retract(scenario: PairScenario) -> Pair:
    ann = person("ann")
    invite, code = scenario.invite_id(ann), scenario.code()
    return partial(ann.client.put, f"/api/invite/join/{code}"), partial(
        scenario.owner.put, f"/api/invite/retract/{invite}"
    )


def retract_invite_again(scenario: PairScenario) -> Pair:
    invite = scenario.invite_id(person("ann"))
    again = partial(scenario.invite, "ann@example.com", scenario.ben.client)
    return partial(scenario.owner.put, f"/api/invite/retract/{invite}"), again


def join_disable_code(scenario: PairScenario) -> Pair:
    ann = person("ann")
    scenario.invite_id(ann)
    join = partial(ann.client.put, f"/api/invite/join/{scenario.code()}")
    return join, partial(scenario.owner.patch, scenario.board.path, {"inviteCodeEnabled": False})


def code_code(scenario: PairScenario) -> Pair:
    read = partial(scenario.owner.get, f"/api/invite/{scenario.board.board_id}/code")
    return read, read


def profile_profile(scenario: PairScenario) -> Pair:
    me = "/api/v1/me"
    return partial(scenario.owner.patch, me, {"timezone": "UTC"}), partial(scenario.owner.patch, me, {"language": "fr"})


def read_delete_notification(scenario: PairScenario) -> Pair:
    one = PathResources(scenario.board, scenario.board.owner, "")["notificationId"]
    return partial(scenario.owner.put, f"/api/notification/read/{one}"), partial(
        scenario.owner.delete, f"/api/notification/{one}"
    )


def read_one_read_all(scenario: PairScenario) -> Pair:
    one = PathResources(scenario.board, scenario.board.owner, "")["notificationId"]
    return partial(scenario.owner.put, f"/api/notification/read/{one}"), partial(
        scenario.owner.put, "/api/notification/read/all"
    )


def preferences_preferences(scenario: PairScenario) -> Pair:
    def prefer(category: str, *channels: str) -> Call:
        body = {"eventCategory": category, "channels": list(channels)}
        return partial(scenario.owner.put, "/api/notification/preferences", body)

    return prefer("action_item", "email"), prefer("post_meeting")


def revoke_revoke(scenario: PairScenario) -> Pair:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    path = scenario.path("tokens", scenario.owner.post(scenario.path("tokens"), body).data["id"])
    return partial(scenario.owner.delete, path), partial(scenario.owner.delete, path)


def billing_rename(scenario: PairScenario) -> Pair:
    def set_billing_state() -> Response:
        operator.set_billing(scenario.board.board_id, "CANCELLED")
        return Response(200, {}, "{}")

    return set_billing_state, partial(scenario.owner.patch, scenario.board.path, {"name": "Renamed"})


PAIRS: tuple[Callable[[PairScenario], Pair], ...] = (
    remove_each_other,
    demote_each_other,
    transfer_change_role,
    accept_decline,
    decline_retract,
    accept_accept,
    join_retract,
    retract_invite_again,
    join_disable_code,
    code_code,
    profile_profile,
    read_delete_notification,
    read_one_read_all,
    preferences_preferences,
    revoke_revoke,
    billing_rename,
)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_writes_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
