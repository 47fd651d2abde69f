"""Every pair of writes that touch one thing, in every order of their store calls: as if one came after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client
from tests.harness.meeting_scenario import from_now
from tests.interleavings.pair_scenario import Pair, Stage, check_pair


def patch_patch_meeting(stage: Stage) -> Pair:
    day = "2040-01-01T{}:00:00.000Z".format
    meeting = stage.new_meeting(startTime=day("09"), endTime=day("17"))
    return partial(meeting.patch, startTime=day("15")), partial(meeting.patch, endTime=day("11"))


def finalize_patch_meeting(stage: Stage) -> Pair:
    meeting = stage.new_meeting(status="completed")
    return partial(meeting.patch, status="finalized"), partial(meeting.patch, title="Late")


def confirm_delete_slot(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    return partial(meeting.confirm, slot), partial(meeting.remove, slot)


def confirm_confirm(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    one, other = meeting.slot(from_now(days=1)), meeting.slot(from_now(days=2))
    return partial(meeting.confirm, one), partial(meeting.confirm, other)


def confirm_finalize(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    meeting.patch(status="completed")
    return partial(meeting.confirm, slot), partial(meeting.patch, status="finalized")


def vote_close(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.vote, stage.ben.client, meeting.slot(), "cant"), partial(meeting.patch, status="completed")


def vote_confirm(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    return partial(meeting.vote, stage.ben.client, slot, "cant"), partial(meeting.confirm, slot)


def vote_delete_slot(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    return partial(meeting.vote, stage.ben.client, slot, "cant"), partial(meeting.remove, slot)


def vote_remove_member(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.vote, stage.ben.client, meeting.slot(), "cant"), stage.removal(stage.ben)


def propose_propose(stage: Stage) -> Pair:
    meeting, start = stage.new_meeting(), from_now(days=1)
    return partial(meeting.propose, stage.owner, start), partial(meeting.propose, stage.ben.client, start)


def propose_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    return partial(meeting.propose, stage.ben.client, from_now(days=1)), partial(stage.owner.delete, meeting.path)


def action_item_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    items = f"{meeting.path}/action-items"
    return partial(stage.owner.post, items, {"title": "Sign"}), partial(stage.owner.delete, meeting.path)


def assign_remove_member(stage: Stage) -> Pair:
    items = f"{stage.new_meeting().path}/action-items"
    body = {"title": "Sign", "assigneeUserId": stage.ben.id}
    return partial(stage.owner.post, items, body), stage.removal(stage.ben)


def guest_vote_close_link(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    token = stage.owner.post(f"{meeting.path}/guest-link").data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    path = f"/api/v1/guest/{token}/slots/{slot['id']}/vote"
    return partial(Client().put, path, vote), partial(stage.owner.delete, f"{meeting.path}/guest-link")


def guest_vote_guest_vote(stage: Stage) -> Pair:
    meeting = stage.new_meeting()
    slot = meeting.slot()
    token = stage.owner.post(f"{meeting.path}/guest-link").data["token"]
    path = f"/api/v1/guest/{token}/slots/{slot['id']}/vote"
    votes = [{"email": "guest@example.org", "vote": vote} for vote in ("ok", "cant")]
    return partial(Client().put, path, votes[0]), partial(Client().put, path, votes[1])


def accept_retract(stage: Stage) -> Pair:
    ann = person("ann")
    invite = stage.invited(ann)
    accept = partial(ann.client.put, f"/api/invite/accept/{invite}")
    return accept, partial(stage.owner.put, f"/api/invite/retract/{invite}")


def accept_join(stage: Stage) -> Pair:
    ann = person("ann")
    invite, code = stage.invited(ann), stage.code()
    return partial(ann.client.put, f"/api/invite/accept/{invite}"), partial(ann.client.put, f"/api/invite/join/{code}")


def accept_invite_again(stage: Stage) -> Pair:
    ann = person("ann")
    invite = stage.invited(ann)
    return partial(ann.client.put, f"/api/invite/accept/{invite}"), partial(stage.invite, ann.email, stage.ben.client)


def invite_invite(stage: Stage) -> Pair:
    return partial(stage.invite, "ann@example.com"), partial(stage.invite, "ann@example.com", stage.ben.client)


def transfer_remove_member(stage: Stage) -> Pair:
    return stage.transfer(stage.ben), stage.removal(stage.ben)


def transfer_leave(stage: Stage) -> Pair:
    return stage.transfer(stage.ben), stage.removal(stage.ben, stage.ben.client)


def transfer_transfer(stage: Stage) -> Pair:
    return stage.transfer(stage.ben), stage.transfer(stage.board.member("cleo"))


def transfer_delete_board(stage: Stage) -> Pair:
    return stage.transfer(stage.ben), partial(stage.owner.delete, stage.board.path)


def member_patch_patch(stage: Stage) -> Pair:
    path = stage.path("members", stage.member(stage.ben))
    return partial(stage.owner.patch, path, {"accessType": "guest"}), partial(
        stage.owner.patch, path, {"adminRole": "admin"}
    )


def leave_remove(stage: Stage) -> Pair:
    return stage.removal(stage.ben, stage.ben.client), stage.removal(stage.ben)


def revoke_use(stage: Stage) -> Pair:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    token = stage.owner.post(stage.path("tokens"), body).data
    return partial(stage.owner.delete, stage.path("tokens", token["id"])), stage.create_meeting(Client(token["secret"]))


def delete_board_create_meeting(stage: Stage) -> Pair:
    return partial(stage.owner.delete, stage.board.path), stage.create_meeting(stage.ben.client)


def delete_board_accept(stage: Stage) -> Pair:
    ann = person("ann")
    accept = partial(ann.client.put, f"/api/invite/accept/{stage.invited(ann)}")
    return partial(stage.owner.delete, stage.board.path), accept


def delete_board_code(stage: Stage) -> Pair:
    return partial(stage.owner.delete, stage.board.path), partial(
        stage.owner.get, f"/api/invite/{stage.board.board_id}/code"
    )


def delete_board_invite(stage: Stage) -> Pair:
    return partial(stage.owner.delete, stage.board.path), partial(stage.invite, "ann@example.com")


def finalize_report_patch_dashboard(stage: Stage) -> Pair:
    report = stage.made(stage.path("reports"), title="Report")
    dashboard = stage.made(f"{report}/dashboards", dashboardType="uniform")
    assert stage.owner.patch(report, {"status": "published"}).status == 200
    return partial(stage.owner.patch, report, {"status": "finalized"}), partial(
        stage.owner.patch, dashboard, {"title": "Late"}
    )


def delete_report_create_dashboard(stage: Stage) -> Pair:
    report = stage.made(stage.path("reports"), title="Report")
    return partial(stage.owner.delete, report), partial(
        stage.owner.post, f"{report}/dashboards", {"dashboardType": "uniform"}
    )


def delete_committee_create_document(stage: Stage) -> Pair:
    owner = stage.member(stage.board.owner)
    committee = stage.made(stage.path("committees"), name="Audit", memberIds=[owner])
    body = {"title": "Secret", "committeeId": committee.rpartition("/")[2]}
    return partial(stage.owner.delete, committee), partial(stage.owner.post, stage.path("documents"), body)


def leave_committee_create_document(stage: Stage) -> Pair:
    members = [stage.member(stage.board.owner), stage.member(stage.ben)]
    committee = stage.made(stage.path("committees"), name="Audit", memberIds=members)
    body = {"title": "Secret", "committeeId": committee.rpartition("/")[2]}
    return partial(stage.owner.patch, committee, {"memberIds": members[:1]}), partial(
        stage.ben.client.post, stage.path("documents"), body
    )


def the_same_key_twice(stage: Stage) -> Pair:
    call = partial(
        stage.owner.call, "POST", stage.path("meetings"), {"title": "Once"}, headers={"idempotency-key": "k"}
    )
    return call, call


PAIRS: tuple[Callable[[Stage], Pair], ...] = (
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


LONG = (guest_vote_guest_vote, invite_invite, accept_invite_again)
"""Hundreds of schedules each: both try again, and again."""


def parameters() -> list[Any]:
    return [pytest.param(p, id=p.__name__, marks=[pytest.mark.slow] if p in LONG else []) for p in PAIRS]


@pytest.mark.parametrize("pair", parameters())
def test_two_writes_side_by_side_are_one_after_the_other(
    pair: Callable[[Stage], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(Stage(scenario, scenario.member("ben"))), monkeypatch)
