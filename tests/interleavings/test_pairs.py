"""Pairs of writes to the same resource, in every order of their store calls, behave as if run one after the other."""

from __future__ import annotations

from functools import partial

import pytest

from tests.harness.board_scenario import person
from tests.harness.client import Client
from tests.harness.meeting_scenario import from_now
from tests.interleavings.pair_scenario import Check, PairScenario

pytestmark = pytest.mark.slow


def test_patch_patch_meeting(pairs: PairScenario, check: Check) -> None:
    day = "2040-01-01T{}:00:00.000Z".format
    meeting = pairs.new_meeting(startTime=day("09"), endTime=day("17"))
    check(partial(meeting.patch, startTime=day("15")), partial(meeting.patch, endTime=day("11")))


def test_confirm_delete_slot(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    check(partial(meeting.confirm, slot), partial(meeting.remove, slot))


def test_confirm_finalize(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    meeting.patch(status="completed")
    check(partial(meeting.confirm, slot), partial(meeting.patch, status="finalized"))


def test_vote_close(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    check(partial(meeting.vote, pairs.ben.client, meeting.slot(), "cant"), partial(meeting.patch, status="completed"))


def test_vote_confirm(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    check(partial(meeting.vote, pairs.ben.client, slot, "cant"), partial(meeting.confirm, slot))


def test_vote_delete_slot(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    check(partial(meeting.vote, pairs.ben.client, slot, "cant"), partial(meeting.remove, slot))


def test_vote_remove_member(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    check(partial(meeting.vote, pairs.ben.client, meeting.slot(), "cant"), pairs.removal(pairs.ben))


def test_propose_delete_meeting(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    check(partial(meeting.propose, pairs.ben.client, from_now(days=1)), partial(pairs.owner.delete, meeting.path))


def test_action_item_delete_meeting(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    items = f"{meeting.path}/action-items"
    check(partial(pairs.owner.post, items, {"title": "Sign"}), partial(pairs.owner.delete, meeting.path))


def test_assign_remove_member(pairs: PairScenario, check: Check) -> None:
    items = f"{pairs.new_meeting().path}/action-items"
    body = {"title": "Sign", "assigneeUserId": pairs.ben.id}
    check(partial(pairs.owner.post, items, body), pairs.removal(pairs.ben))


def test_guest_vote_close_link(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    token = pairs.owner.post(f"{meeting.path}/guest-link").data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    path = f"/api/v1/guest/{token}/slots/{slot['id']}/vote"
    check(partial(Client().put, path, vote), partial(pairs.owner.delete, f"{meeting.path}/guest-link"))


def test_guest_vote_guest_vote(pairs: PairScenario, check: Check) -> None:
    meeting = pairs.new_meeting()
    slot = meeting.slot()
    token = pairs.owner.post(f"{meeting.path}/guest-link").data["token"]
    path = f"/api/v1/guest/{token}/slots/{slot['id']}/vote"
    votes = [{"email": "guest@example.org", "vote": vote} for vote in ("ok", "cant")]
    check(partial(Client().put, path, votes[0]), partial(Client().put, path, votes[1]))


def test_accept_retract(pairs: PairScenario, check: Check) -> None:
    ann = person("ann")
    invite = pairs.invite_id(ann)
    accept = partial(ann.client.put, f"/api/invite/accept/{invite}")
    check(accept, partial(pairs.owner.put, f"/api/invite/retract/{invite}"))


def test_accept_join(pairs: PairScenario, check: Check) -> None:
    ann = person("ann")
    invite, code = pairs.invite_id(ann), pairs.code()
    check(partial(ann.client.put, f"/api/invite/accept/{invite}"), partial(ann.client.put, f"/api/invite/join/{code}"))


def test_accept_invite_again(pairs: PairScenario, check: Check) -> None:
    ann = person("ann")
    invite = pairs.invite_id(ann)
    check(partial(ann.client.put, f"/api/invite/accept/{invite}"), partial(pairs.invite, ann.email, pairs.ben.client))


def test_invite_invite(pairs: PairScenario, check: Check) -> None:
    check(partial(pairs.invite, "ann@example.com"), partial(pairs.invite, "ann@example.com", pairs.ben.client))


def test_transfer_remove_member(pairs: PairScenario, check: Check) -> None:
    check(pairs.transfer(pairs.ben), pairs.removal(pairs.ben))


def test_transfer_transfer(pairs: PairScenario, check: Check) -> None:
    check(pairs.transfer(pairs.ben), pairs.transfer(pairs.board.member("cleo")))


def test_transfer_delete_board(pairs: PairScenario, check: Check) -> None:
    check(pairs.transfer(pairs.ben), partial(pairs.owner.delete, pairs.board.path))


def test_revoke_use(pairs: PairScenario, check: Check) -> None:
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    token = pairs.owner.post(pairs.path("tokens"), body).data
    check(partial(pairs.owner.delete, pairs.path("tokens", token["id"])), pairs.create_meeting(Client(token["secret"])))


def test_delete_board_accept(pairs: PairScenario, check: Check) -> None:
    ann = person("ann")
    accept = partial(ann.client.put, f"/api/invite/accept/{pairs.invite_id(ann)}")
    check(partial(pairs.owner.delete, pairs.board.path), accept)


def test_finalize_report_patch_dashboard(pairs: PairScenario, check: Check) -> None:
    report = pairs.create(pairs.path("reports"), title="Report")
    dashboard = pairs.create(f"{report}/dashboards", dashboardType="uniform")
    assert pairs.owner.patch(report, {"status": "published"}).status == 200
    check(
        partial(pairs.owner.patch, report, {"status": "finalized"}),
        partial(pairs.owner.patch, dashboard, {"title": "Late"}),
    )


def test_delete_report_create_dashboard(pairs: PairScenario, check: Check) -> None:
    report = pairs.create(pairs.path("reports"), title="Report")
    check(
        partial(pairs.owner.delete, report),
        partial(pairs.owner.post, f"{report}/dashboards", {"dashboardType": "uniform"}),
    )


def test_delete_committee_create_document(pairs: PairScenario, check: Check) -> None:
    owner = pairs.member(pairs.board.owner)
    committee = pairs.create(pairs.path("committees"), name="Audit", memberIds=[owner])
    body = {"title": "Secret", "committeeId": committee.rpartition("/")[2]}
    check(partial(pairs.owner.delete, committee), partial(pairs.owner.post, pairs.path("documents"), body))


def test_leave_committee_create_document(pairs: PairScenario, check: Check) -> None:
    members = [pairs.member(pairs.board.owner), pairs.member(pairs.ben)]
    committee = pairs.create(pairs.path("committees"), name="Audit", memberIds=members)
    body = {"title": "Secret", "committeeId": committee.rpartition("/")[2]}
    check(
        partial(pairs.owner.patch, committee, {"memberIds": members[:1]}),
        partial(pairs.ben.client.post, pairs.path("documents"), body),
    )
