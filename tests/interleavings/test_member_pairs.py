"""Pairs of writes to members, invites, invite codes, tokens and settings, in every order of their store calls."""

from __future__ import annotations

from functools import partial

import pytest

from governance.usecases.operator import operator
from tests.harness.board_scenario import person
from tests.harness.client import Response
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


@pytest.mark.parametrize(("one", "other"), [("decline", "retract"), ("accept", "accept")])
def test_two_ends_of_an_invite(one: str, other: str, pairs: PairScenario, check: Check) -> None:
    ann = person("ann")
    invite = pairs.invite_id(ann)
    by = {"accept": ann.client, "decline": ann.client, "retract": pairs.owner}
    check(*(partial(by[end].put, f"/api/invite/{end}/{invite}") for end in (one, other)))


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


def test_profile_profile(pairs: PairScenario, check: Check) -> None:
    me = "/api/v1/me"
    check(partial(pairs.owner.patch, me, {"timezone": "UTC"}), partial(pairs.owner.patch, me, {"language": "fr"}))


def test_read_delete_notification(pairs: PairScenario, check: Check) -> None:
    one = PathResources(pairs.board, pairs.board.owner, "")["notificationId"]
    check(
        partial(pairs.owner.put, f"/api/notification/read/{one}"),
        partial(pairs.owner.delete, f"/api/notification/{one}"),
    )


def test_read_one_read_all(pairs: PairScenario, check: Check) -> None:
    one = PathResources(pairs.board, pairs.board.owner, "")["notificationId"]
    check(
        partial(pairs.owner.put, f"/api/notification/read/{one}"),
        partial(pairs.owner.put, "/api/notification/read/all"),
    )


def test_preferences_preferences(pairs: PairScenario, check: Check) -> None:
    def prefer(category: str, *channels: str) -> Call:
        body = {"eventCategory": category, "channels": list(channels)}
        return partial(pairs.owner.put, "/api/notification/preferences", body)

    check(prefer("action_item", "email"), prefer("post_meeting"))


def test_revoke_revoke(pairs: PairScenario, check: Check) -> None:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    path = pairs.path("tokens", pairs.owner.post(pairs.path("tokens"), body).data["id"])
    check(partial(pairs.owner.delete, path), partial(pairs.owner.delete, path))


def test_billing_rename(pairs: PairScenario, check: Check) -> None:
    def set_billing_state() -> Response:
        operator.set_billing(pairs.board.board_id, "CANCELLED")
        return Response(200, {}, "{}")

    check(set_billing_state, partial(pairs.owner.patch, pairs.board.path, {"name": "Renamed"}))
