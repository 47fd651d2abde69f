"""Of each resource: two changes, a change and a removal, two removals; and what holds of its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from governance.usecases import operator
from tests.harness.client import Answer, Client
from tests.harness.gathering import hence
from tests.harness.routes import Things
from tests.harness.world import World, person
from tests.interleavings.schedules import Call
from tests.interleavings.stage import Pair, Stage, check_pair

pytestmark = pytest.mark.slow
Body = dict[str, Any]
Path = Callable[[Things], str]


def _below(*names: str) -> Path:
    """The path of a thing: names of collections, and of the parameters that name things in them."""
    return lambda things: things.path(*(things[name] if name.endswith("Id") else name for name in names))


CHANGES: dict[str, tuple[Path, Body, Body]] = {
    "board": (_below(), {"name": "One"}, {"description": "Other"}),
    "meeting": (_below("meetings", "meetingId"), {"title": "One"}, {"location": "Other"}),
    "action item": (
        _below("meetings", "meetingId", "action-items", "actionItemId"),
        {"title": "One"},
        {"status": "completed"},
    ),
    "document": (_below("documents", "documentId"), {"title": "One"}, {"documentType": "minutes"}),
    "committee": (_below("committees", "committeeId"), {"name": "One"}, {"memberIds": []}),
    "report": (_below("reports", "reportId"), {"title": "One"}, {"status": "published"}),
    "dashboard": (
        _below("reports", "reportId", "dashboards", "dashboardId"),
        {"title": "One"},
        {"uniform": {"reviewStatus": "ready_for_review"}},
    ),
    "member": (_below("members", "memberId"), {"accessType": "guest"}, {"adminRole": "admin"}),
}
"""What is changed, and two changes that do not touch the same member of it."""


def _found(stage: Stage, resource: str) -> str:
    return CHANGES[resource][0](Things(stage.world, stage.world.owner, ""))


def two_changes(stage: Stage, resource: str) -> Pair:
    path, (_, one, other) = _found(stage, resource), CHANGES[resource]
    return partial(stage.owner.patch, path, one), partial(stage.owner.patch, path, other)


def the_same_change(stage: Stage, resource: str) -> Pair:
    path, (_, one, _other) = _found(stage, resource), CHANGES[resource]
    return partial(stage.owner.patch, path, one), partial(stage.owner.patch, path, one)


def change_and_removal(stage: Stage, resource: str) -> Pair:
    path, (_, _one, other) = _found(stage, resource), CHANGES[resource]
    return partial(stage.owner.patch, path, other), partial(stage.owner.delete, path)


def two_removals(stage: Stage, resource: str) -> Pair:
    path = _found(stage, resource)
    return partial(stage.owner.delete, path), partial(stage.owner.delete, path)


# -- a thing and what it hangs on


def propose_confirm(stage: Stage) -> Pair:
    meeting = stage.gathering()
    return partial(meeting.propose, stage.ben.client, hence(days=2)), partial(meeting.confirm, meeting.slot())


def vote_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.gathering()
    return partial(meeting.vote, stage.ben.client, meeting.slot(), "cant"), partial(stage.owner.delete, meeting.path)


def confirm_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.gathering()
    return partial(meeting.confirm, meeting.slot()), partial(stage.owner.delete, meeting.path)


def confirm_change_start(stage: Stage) -> Pair:
    meeting = stage.gathering()
    return partial(meeting.confirm, meeting.slot()), partial(meeting.patch, startTime="2040-01-01T09:00:00Z")


def delete_slot_delete_slot(stage: Stage) -> Pair:
    meeting = stage.gathering()
    slot = meeting.slot()
    return partial(meeting.remove, slot), partial(meeting.remove, slot)


def hide_vote(stage: Stage) -> Pair:
    meeting = stage.gathering()
    return partial(meeting.vote, stage.ben.client, meeting.slot(), "cant"), partial(meeting.patch, status="draft")


def hide_open_link(stage: Stage) -> Pair:
    meeting = stage.gathering()
    return partial(stage.ben.client.post, f"{meeting.path}/guest-link"), partial(meeting.patch, status="draft")


def guest_vote_confirm(stage: Stage) -> Pair:
    meeting = stage.gathering()
    slot = meeting.slot()
    token = stage.owner.post(f"{meeting.path}/guest-link").data["token"]
    vote = {"email": "guest@example.org", "vote": "ok"}
    return partial(Client().put, f"/api/v1/guest/{token}/slots/{slot['id']}/vote", vote), partial(meeting.confirm, slot)


def item_status_delete_meeting(stage: Stage) -> Pair:
    meeting = stage.gathering()
    item = stage.owner.post(f"{meeting.path}/action-items", {"title": "Sign"}).data["_id"]
    close = partial(stage.owner.patch, f"/api/action-items/{item}/status", {"status": "completed"})
    return close, partial(stage.owner.delete, meeting.path)


def finalize_report_create_dashboard(stage: Stage) -> Pair:
    report = stage.made(stage.path("reports"), title="Report")
    assert stage.owner.patch(report, {"status": "published"}).status == 200
    body = {"dashboardType": "uniform"}
    return partial(stage.owner.patch, report, {"status": "finalized"}), partial(
        stage.owner.post, f"{report}/dashboards", body
    )


def delete_report_patch_dashboard(stage: Stage) -> Pair:
    report = stage.made(stage.path("reports"), title="Report")
    dashboard = stage.made(f"{report}/dashboards", dashboardType="uniform")
    return partial(stage.owner.delete, report), partial(stage.owner.patch, dashboard, {"title": "Late"})


def delete_committee_move_document(stage: Stage) -> Pair:
    committee = stage.made(stage.path("committees"), name="Audit", memberIds=[stage.member(stage.world.owner)])
    document = stage.made(stage.path("documents"), title="Open")
    body = {"committeeId": committee.rpartition("/")[2]}
    return partial(stage.owner.delete, committee), partial(stage.owner.patch, document, body)


def seat_remove_member(stage: Stage) -> Pair:
    committee = stage.made(stage.path("committees"), name="Audit", memberIds=[])
    seated = {"memberIds": [stage.member(stage.ben)]}
    return partial(stage.owner.patch, committee, seated), stage.removal(stage.ben)


# -- people


def remove_each_other(stage: Stage) -> Pair:
    cleo = stage.world.member("cleo", admin_role="admin")
    assert stage.owner.patch(stage.path("members", stage.member(stage.ben)), {"adminRole": "admin"}).status == 200
    return stage.removal(cleo, stage.ben.client), stage.removal(stage.ben, cleo.client)


def demote_each_other(stage: Stage) -> Pair:
    cleo = stage.world.member("cleo", admin_role="admin")
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


def retract_invite_again(stage: Stage) -> Pair:
    invite = stage.invited(person("ann"))
    again = partial(stage.invite, "ann@example.com", stage.ben.client)
    return partial(stage.owner.put, f"/api/invite/retract/{invite}"), again


def join_disable_code(stage: Stage) -> Pair:
    ann = person("ann")
    stage.invited(ann)
    join = partial(ann.client.put, f"/api/invite/join/{stage.code()}")
    return join, partial(stage.owner.patch, stage.world.path, {"inviteCodeEnabled": False})


def code_code(stage: Stage) -> Pair:
    read = partial(stage.owner.get, f"/api/invite/{stage.world.board_id}/code")
    return read, read


def profile_profile(stage: Stage) -> Pair:
    me = "/api/v1/me"
    return partial(stage.owner.patch, me, {"timezone": "UTC"}), partial(stage.owner.patch, me, {"language": "fr"})


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
    def bill() -> Answer:
        operator.set_billing(stage.world.board_id, "CANCELLED")
        return Answer(200, {}, "{}")

    return bill, partial(stage.owner.patch, stage.world.path, {"name": "Renamed"})


KINDS = (two_changes, the_same_change, change_and_removal, two_removals)
KINDS_OF = {"board": (two_changes, the_same_change)}
"""What a deleted board takes with it is told by other pairs."""
PAIRS: tuple[Callable[[Stage], Pair], ...] = (
    propose_confirm,
    vote_delete_meeting,
    confirm_delete_meeting,
    confirm_change_start,
    delete_slot_delete_slot,
    hide_vote,
    hide_open_link,
    guest_vote_confirm,
    item_status_delete_meeting,
    finalize_report_create_dashboard,
    delete_report_patch_dashboard,
    delete_committee_move_document,
    seat_remove_member,
    remove_each_other,
    demote_each_other,
    transfer_change_role,
    accept_decline,
    decline_retract,
    accept_accept,
    retract_invite_again,
    join_disable_code,
    code_code,
    profile_profile,
    preferences_preferences,
    revoke_revoke,
    bill_rename,
)


def of_resources() -> list[Any]:
    return [
        pytest.param(kind, resource, id=f"{resource}-{kind.__name__}")
        for resource in CHANGES
        for kind in KINDS_OF.get(resource, KINDS)
    ]


@pytest.mark.parametrize(("kind", "resource"), of_resources())
def test_changes_of_a_resource_are_one_after_the_other(
    kind: Callable[[Stage, str], Pair], resource: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*kind(Stage(world, world.member("ben")), resource), monkeypatch)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_writes_on_neighbours_are_one_after_the_other(
    pair: Callable[[Stage], Pair], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(Stage(world, world.member("ben"))), monkeypatch)
