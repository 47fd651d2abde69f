"""Pairs of writes to the same resource, in every order of their store calls, behave as if run one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client
from tests.harness.meeting_scenario import from_now
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair


def patch_patch_meeting(scenario: PairScenario) -> Pair:
    day = "2040-01-01T{}:00:00.000Z".format
    meeting = scenario.new_meeting(startTime=day("09"), endTime=day("17"))
    return partial(meeting.patch, startTime=day("15")), partial(meeting.patch, endTime=day("11"))


def finalize_patch_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting(status="completed")
    return partial(meeting.patch, status="finalized"), partial(meeting.patch, title="Late")


def confirm_delete_slot(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    return partial(meeting.confirm, slot), partial(meeting.remove, slot)


def confirm_confirm(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    one, other = meeting.slot(from_now(days=1)), meeting.slot(from_now(days=2))
    return partial(meeting.confirm, one), partial(meeting.confirm, other)


def confirm_finalize(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    meeting.patch(status="completed")
    return partial(meeting.confirm, slot), partial(meeting.patch, status="finalized")


def vote_close(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.vote, scenario.ben.client, meeting.slot(), "cant"), partial(
        meeting.patch, status="completed"
    )


def vote_confirm(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    return partial(meeting.vote, scenario.ben.client, slot, "cant"), partial(meeting.confirm, slot)


def vote_delete_slot(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    return partial(meeting.vote, scenario.ben.client, slot, "cant"), partial(meeting.remove, slot)


def vote_remove_member(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.vote, scenario.ben.client, meeting.slot(), "cant"), scenario.removal(scenario.ben)


def propose_propose(scenario: PairScenario) -> Pair:
    meeting, start = scenario.new_meeting(), from_now(days=1)
    return partial(meeting.propose, scenario.owner, start), partial(meeting.propose, scenario.ben.client, start)


def propose_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    return partial(meeting.propose, scenario.ben.client, from_now(days=1)), partial(scenario.owner.delete, meeting.path)


def action_item_delete_meeting(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    items = f"{meeting.path}/action-items"
    return partial(scenario.owner.post, items, {"title": "Sign"}), partial(scenario.owner.delete, meeting.path)


def assign_remove_member(scenario: PairScenario) -> Pair:
    items = f"{scenario.new_meeting().path}/action-items"
    body = {"title": "Sign", "assigneeUserId": scenario.ben.id}
    return partial(scenario.owner.post, items, body), scenario.removal(scenario.ben)


def guest_vote_close_link(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    token = scenario.owner.post(f"{meeting.path}/guest-link").data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    path = f"/api/v1/guest/{token}/slots/{slot['id']}/vote"
    return partial(Client().put, path, vote), partial(scenario.owner.delete, f"{meeting.path}/guest-link")


def guest_vote_guest_vote(scenario: PairScenario) -> Pair:
    meeting = scenario.new_meeting()
    slot = meeting.slot()
    token = scenario.owner.post(f"{meeting.path}/guest-link").data["token"]
    path = f"/api/v1/guest/{token}/slots/{slot['id']}/vote"
    votes = [{"email": "guest@example.org", "vote": vote} for vote in ("ok", "cant")]
    return partial(Client().put, path, votes[0]), partial(Client().put, path, votes[1])


def accept_retract(scenario: PairScenario) -> Pair:
    ann = person("ann")
    invite = scenario.invite_id(ann)
    accept = partial(ann.client.put, f"/api/invite/accept/{invite}")
    return accept, partial(scenario.owner.put, f"/api/invite/retract/{invite}")


def accept_join(scenario: PairScenario) -> Pair:
    ann = person("ann")
    invite, code = scenario.invite_id(ann), scenario.code()
    return partial(ann.client.put, f"/api/invite/accept/{invite}"), partial(ann.client.put, f"/api/invite/join/{code}")


def accept_invite_again(scenario: PairScenario) -> Pair:
    ann = person("ann")
    invite = scenario.invite_id(ann)
    return partial(ann.client.put, f"/api/invite/accept/{invite}"), partial(
        scenario.invite, ann.email, scenario.ben.client
    )


def invite_invite(scenario: PairScenario) -> Pair:
    return partial(scenario.invite, "ann@example.com"), partial(scenario.invite, "ann@example.com", scenario.ben.client)


def transfer_remove_member(scenario: PairScenario) -> Pair:
    return scenario.transfer(scenario.ben), scenario.removal(scenario.ben)


def transfer_leave(scenario: PairScenario) -> Pair:
    return scenario.transfer(scenario.ben), scenario.removal(scenario.ben, scenario.ben.client)


def transfer_transfer(scenario: PairScenario) -> Pair:
    return scenario.transfer(scenario.ben), scenario.transfer(scenario.board.member("cleo"))


def transfer_delete_board(scenario: PairScenario) -> Pair:
    return scenario.transfer(scenario.ben), partial(scenario.owner.delete, scenario.board.path)


def member_patch_patch(scenario: PairScenario) -> Pair:
    path = scenario.path("members", scenario.member(scenario.ben))
    return partial(scenario.owner.patch, path, {"accessType": "guest"}), partial(
        scenario.owner.patch, path, {"adminRole": "admin"}
    )


def leave_remove(scenario: PairScenario) -> Pair:
    return scenario.removal(scenario.ben, scenario.ben.client), scenario.removal(scenario.ben)


def revoke_use(scenario: PairScenario) -> Pair:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    token = scenario.owner.post(scenario.path("tokens"), body).data
    return partial(scenario.owner.delete, scenario.path("tokens", token["id"])), scenario.create_meeting(
        Client(token["secret"])
    )


def delete_board_create_meeting(scenario: PairScenario) -> Pair:
    return partial(scenario.owner.delete, scenario.board.path), scenario.create_meeting(scenario.ben.client)


def delete_board_accept(scenario: PairScenario) -> Pair:
    ann = person("ann")
    accept = partial(ann.client.put, f"/api/invite/accept/{scenario.invite_id(ann)}")
    return partial(scenario.owner.delete, scenario.board.path), accept


def delete_board_code(scenario: PairScenario) -> Pair:
    return partial(scenario.owner.delete, scenario.board.path), partial(
        scenario.owner.get, f"/api/invite/{scenario.board.board_id}/code"
    )


def delete_board_invite(scenario: PairScenario) -> Pair:
    return partial(scenario.owner.delete, scenario.board.path), partial(scenario.invite, "ann@example.com")


def finalize_report_patch_dashboard(scenario: PairScenario) -> Pair:
    report = scenario.create(scenario.path("reports"), title="Report")
    dashboard = scenario.create(f"{report}/dashboards", dashboardType="uniform")
    assert scenario.owner.patch(report, {"status": "published"}).status == 200
    return partial(scenario.owner.patch, report, {"status": "finalized"}), partial(
        scenario.owner.patch, dashboard, {"title": "Late"}
    )


def delete_report_create_dashboard(scenario: PairScenario) -> Pair:
    report = scenario.create(scenario.path("reports"), title="Report")
    return partial(scenario.owner.delete, report), partial(
        scenario.owner.post, f"{report}/dashboards", {"dashboardType": "uniform"}
    )


def delete_committee_create_document(scenario: PairScenario) -> Pair:
    owner = scenario.member(scenario.board.owner)
    committee = scenario.create(scenario.path("committees"), name="Audit", memberIds=[owner])
    body = {"title": "Secret", "committeeId": committee.rpartition("/")[2]}
    return partial(scenario.owner.delete, committee), partial(scenario.owner.post, scenario.path("documents"), body)


def leave_committee_create_document(scenario: PairScenario) -> Pair:
    members = [scenario.member(scenario.board.owner), scenario.member(scenario.ben)]
    committee = scenario.create(scenario.path("committees"), name="Audit", memberIds=members)
    body = {"title": "Secret", "committeeId": committee.rpartition("/")[2]}
    return partial(scenario.owner.patch, committee, {"memberIds": members[:1]}), partial(
        scenario.ben.client.post, scenario.path("documents"), body
    )


def the_same_key_twice(scenario: PairScenario) -> Pair:
    call = partial(
        scenario.owner.call, "POST", scenario.path("meetings"), {"title": "Once"}, headers={"idempotency-key": "k"}
    )
    return call, call


PAIRS: tuple[Callable[[PairScenario], Pair], ...] = (
    patch_patch_meeting,
    finalize_patch_meeting,
    confirm_delete_slot,
    confirm_confirm,
    confirm_finalize,
    vote_close,
    vote_confirm,
    vote_delete_slot,
    vote_remove_member,
    propose_propose,
    propose_delete_meeting,
    action_item_delete_meeting,
    assign_remove_member,
    guest_vote_close_link,
    guest_vote_guest_vote,
    accept_retract,
    accept_join,
    accept_invite_again,
    invite_invite,
    transfer_remove_member,
    transfer_leave,
    transfer_transfer,
    transfer_delete_board,
    member_patch_patch,
    leave_remove,
    revoke_use,
    delete_board_create_meeting,
    delete_board_accept,
    delete_board_code,
    delete_board_invite,
    finalize_report_patch_dashboard,
    delete_report_create_dashboard,
    delete_committee_create_document,
    leave_committee_create_document,
    the_same_key_twice,
)


@pytest.mark.slow
@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_writes_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
