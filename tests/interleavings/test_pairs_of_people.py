"""People, their invites, codes, tokens and settings: pairs of writes in every order of their store calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from governance.usecases import operator
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Response
from tests.harness.sample_requests import PathResources
from tests.interleavings.pair_scenario import Pair, Stage, check_pair
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow


def remove_each_other(stage: Stage) -> Pair:
    cleo = stage.board.member("cleo", admin_role="admin")
    assert stage.owner.patch(stage.path("members", stage.member(stage.ben)), {"adminRole": "admin"}).status == 200
    return stage.removal(cleo, stage.ben.client), stage.removal(stage.ben, cleo.client)


def demote_each_other(stage: Stage) -> Pair:
    cleo = stage.board.member("cleo", admin_role="admin")
    ben = stage.path("members", stage.member(stage.ben))
    assert stage.owner.patch(ben, {"adminRole": "admin"}).status == 200
    demoted = {"adminRole": "member"}
    return partial(cleo.client.patch, ben, demoted), partial(
        stage.ben.client.patch, stage.path("members", stage.member(cleo)), demoted
    )


def transfer_change_role(stage: Stage) -> Pair:
    path = stage.path("members", stage.member(stage.ben))
    return stage.transfer(stage.ben), partial(stage.owner.patch, path, {"adminRole": "admin"})


def _answered(stage: Stage, one: str, other: str) -> Pair:
    ann = person("ann")
    invite = stage.invited(ann)
    by = {"accept": ann.client, "decline": ann.client, "retract": stage.owner}
    return partial(by[one].put, f"/api/invite/{one}/{invite}"), partial(by[other].put, f"/api/invite/{other}/{invite}")


def accept_decline(stage: Stage) -> Pair:
    return _answered(stage, "accept", "decline")


def decline_retract(stage: Stage) -> Pair:
    return _answered(stage, "decline", "retract")


def accept_accept(stage: Stage) -> Pair:
    return _answered(stage, "accept", "accept")


def join_retract(stage: Stage) -> Pair:
    ann = person("ann")
    invite, code = stage.invited(ann), stage.code()
    return partial(ann.client.put, f"/api/invite/join/{code}"), partial(
        stage.owner.put, f"/api/invite/retract/{invite}"
    )


def retract_invite_again(stage: Stage) -> Pair:
    invite = stage.invited(person("ann"))
    again = partial(stage.invite, "ann@example.com", stage.ben.client)
    return partial(stage.owner.put, f"/api/invite/retract/{invite}"), again


def join_disable_code(stage: Stage) -> Pair:
    ann = person("ann")
    stage.invited(ann)
    join = partial(ann.client.put, f"/api/invite/join/{stage.code()}")
    return join, partial(stage.owner.patch, stage.board.path, {"inviteCodeEnabled": False})


def code_code(stage: Stage) -> Pair:
    read = partial(stage.owner.get, f"/api/invite/{stage.board.board_id}/code")
    return read, read


def profile_profile(stage: Stage) -> Pair:
    me = "/api/v1/me"
    return partial(stage.owner.patch, me, {"timezone": "UTC"}), partial(stage.owner.patch, me, {"language": "fr"})


def read_delete_notification(stage: Stage) -> Pair:
    one = PathResources(stage.board, stage.board.owner, "")["notificationId"]
    return partial(stage.owner.put, f"/api/notification/read/{one}"), partial(
        stage.owner.delete, f"/api/notification/{one}"
    )


def read_one_read_all(stage: Stage) -> Pair:
    one = PathResources(stage.board, stage.board.owner, "")["notificationId"]
    return partial(stage.owner.put, f"/api/notification/read/{one}"), partial(
        stage.owner.put, "/api/notification/read/all"
    )


def preferences_preferences(stage: Stage) -> Pair:
    def prefer(category: str, *channels: str) -> Call:
        body = {"eventCategory": category, "channels": list(channels)}
        return partial(stage.owner.put, "/api/notification/preferences", body)

    return prefer("action_item", "email"), prefer("post_meeting")


def revoke_revoke(stage: Stage) -> Pair:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    path = stage.path("tokens", stage.owner.post(stage.path("tokens"), body).data["id"])
    return partial(stage.owner.delete, path), partial(stage.owner.delete, path)


def bill_rename(stage: Stage) -> Pair:
    def bill() -> Response:
        operator.set_billing(stage.board.board_id, "CANCELLED")
        return Response(200, {}, "{}")

    return bill, partial(stage.owner.patch, stage.board.path, {"name": "Renamed"})


PAIRS: tuple[Callable[[Stage], Pair], ...] = (
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
    bill_rename,
)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_writes_of_people_are_one_after_the_other(
    pair: Callable[[Stage], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(Stage(scenario, scenario.member("ben"))), monkeypatch)
