"""A board on which happened what no single route does, for the tests of what each function may do."""

from __future__ import annotations

from tests.calendars.invited import want_calendar_invitations
from tests.harness.actors import Actors
from tests.harness.client import Client
from tests.harness.meeting_scenario import from_now
from tests.harness.sample_bodies import LATER
from tests.harness.stream import event_records, process_records
from tests.harness.uploads import declared
from tests.webhooks.sending import create

_SCHEDULED = {"title": "Meeting", "status": "scheduled"}


def prepare(actors: Actors) -> None:
    """Writes rows that no single route does: an invite code, reassigned and deleted action items, deleted drafts."""
    owner, path = actors.clients["owner"], actors.board.path
    owner.get(f"/api/invite/{actors.board.board_id}/code")
    meeting = owner.post(f"{path}/meetings", {"title": "Meeting", "status": "scheduled"}).data["id"]
    for name in ("collaborator", "manager"):
        item = {"title": "Item", "assigneeUserId": actors.people[name].id, "notes": {"text": "n"}}
        created = owner.post(f"{path}/meetings/{meeting}/action-items", item).data["_id"]
        due = {"dueOn": LATER[:10]}
        due_path = f"{path}/meetings/{meeting}/action-items/{created}/due"
        assert (owner.put(due_path, due).status, owner.delete(due_path).status) == (200, 200)
        other = {"assigneeUserId": actors.people["admin"].id}
        assert owner.patch(f"{path}/meetings/{meeting}/action-items/{created}", other).status == 200
    assert owner.delete(f"{path}/meetings/{meeting}/action-items/{created}").status == 200
    assert process_records(event_records(actors.board.board_id)) == []  # notifications of a meeting that is deleted
    assert owner.delete(f"{path}/meetings/{meeting}").status == 200
    for title in ("Deleted", "Left"):
        draft = owner.post(f"{path}/meetings", {"title": title, "status": "draft"}).data["id"]
        if title == "Deleted":
            assert owner.delete(f"{path}/meetings/{draft}").status == 200
    invite = owner.post(f"/api/invite/{actors.board.board_id}", {"inviteeEmail": "invited@example.com"}).json[
        "inviteId"
    ]
    assert owner.post(f"/api/invite/{invite}/send-email").status == 200
    _file_in_committee(actors)
    _delete_document_with_file(actors)
    _delete_dashboard_with_content(actors)
    _discard_guest_votes(actors)
    want_calendar_invitations(actors.people["collaborator"])
    in_calendars = {**_SCHEDULED, "startTime": LATER}
    assert owner.post(f"{path}/meetings", in_calendars).status == 201
    hook = create(actors.board)["id"]
    assert owner.post(f"{path}/webhooks/{hook}/test").status == 201


def _discard_guest_votes(actors: Actors) -> None:
    """Deletes a slot with a guest's vote, then closes the link and discards another, which the delivery subtracts."""
    owner, path = actors.clients["owner"], actors.board.path
    meeting = f"{path}/meetings/{owner.post(f'{path}/meetings', _SCHEDULED).data['id']}"
    link = f"/api/v1/guest/{owner.post(f'{meeting}/guest-link').data['token']}"
    vote = {"email": "guest@example.org", "vote": "ok"}
    for start in (from_now(days=9), LATER):
        slot = owner.post(f"{meeting}/slots", {"startTime": start, "timezone": "UTC"}).data["id"]
        assert Client().put(f"{link}/slots/{slot}/vote", vote).status == 200
        if start != LATER:
            assert owner.delete(f"{meeting}/slots/{slot}").status == 200
    assert owner.call("DELETE", f"{meeting}/guest-link", query="votes=discard").status == 200


def _file_in_committee(actors: Actors) -> None:
    """Creates a document in a committee, which counts its documents, for a meeting, which it reads."""
    owner, path = actors.clients["owner"], actors.board.path
    (own,) = [member["id"] for member in owner.all(f"{path}/members") if member["userId"] == actors.people["owner"].id]
    committee = owner.post(f"{path}/committees", {"name": "Audit", "memberIds": [own]}).data["id"]
    meeting = owner.post(f"{path}/meetings", _SCHEDULED).data["id"]
    document = {"title": "Secret", "committeeId": committee, "meetingIds": [meeting]}
    assert owner.post(f"{path}/documents", document).status == 201


def _delete_document_with_file(actors: Actors) -> None:
    """Deletes a document, whose file the delivery deletes."""
    owner, path = actors.clients["owner"], actors.board.path
    document = owner.post(f"{path}/documents", {"title": "D"}).data["id"]
    assert owner.post(f"{path}/documents/{document}/versions", declared()).status == 201
    assert owner.delete(f"{path}/documents/{document}").status == 200


def _delete_dashboard_with_content(actors: Actors) -> None:
    owner, path = actors.clients["owner"], actors.board.path
    dashboards = f"{path}/reports/{owner.post(f'{path}/reports', {'title': 'R'}).data['id']}/dashboards"
    content = {"dashboardType": "uniform", "uniform": {"narrative": "N"}}
    dashboard = owner.post(dashboards, content).data["id"]
    assert owner.delete(f"{dashboards}/{dashboard}").status == 200
