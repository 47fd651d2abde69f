"""Paper requests: who asks and reads, what is refused, delivery and decision (ADR paper-requests)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import AGENDA_ITEM_PAPERS, PAPER_REQUESTS_PER_MEETING
from governance.ids import BoardId
from governance.store.paper_requests import paper_requests
from tests.harness.board_scenario import Person, person
from tests.harness.meeting_scenario import leave, new_meeting_scenario, stored_events
from tests.harness.paper_scenario import DUE, Papers
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot

UNKNOWN = "0" * 24


def test_a_request_has_its_members_and_null_for_what_it_has_not(papers: Papers) -> None:
    created = papers.create()
    assert created.status == 201
    assert created.data == {
        **dict.fromkeys(created.data),
        "object": "paper_request",
        "id": created.data["id"],
        "boardId": papers.board.board_id,
        "meetingId": papers.meeting.path.rpartition("/")[2],
        "title": "Forecast",
        "from": {"userId": papers.asked.id, "unregisteredUserId": None},
        "dueAt": DUE,
        "status": "requested",
        "createdByUserId": papers.board.owner.id,
        "createdAt": created.data["createdAt"],
        "updatedAt": created.data["createdAt"],
    }
    assert papers.owner.get(f"{papers.path}/{created.data['id']}").data == created.data
    assert papers.owner.get(papers.path).data == [created.data]


def test_the_list_has_all_for_collaborators_and_their_own_for_guests(papers: Papers) -> None:
    own = papers.create(title="Own").data["id"]
    other = papers.create(title="Other", **{"from": {"userId": papers.reviewer.id}}).data["id"]
    reviewed = papers.create(reviewerUserId=papers.asked.id, **{"from": {"userId": papers.reviewer.id}}).data["id"]
    assert [entry["id"] for entry in papers.collaborator.client.all(papers.path, limit=1)] == [own, other, reviewed]
    assert [entry["id"] for entry in papers.asked.client.all(papers.path, limit=1)] == [own, reviewed]
    assert papers.guest.client.get(papers.path).data == []
    assert papers.guest.client.get(f"{papers.path}/{own}").status == 404
    assert papers.asked.client.get(f"{papers.path}/{own}").status == 200
    assert papers.guest.client.post(papers.path, {}).status == 403


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"agendaItemId": UNKNOWN}, "agendaItemId"),
        ({"agendaItemId": "no id"}, "agendaItemId"),
        ({"from": {}}, "from"),
        ({"from": {"userId": UNKNOWN, "unregisteredUserId": UNKNOWN}}, "from"),
        ({"from": {"userId": UNKNOWN}}, "from.userId"),
        ({"from": {"userId": "no id"}}, "from.userId"),
        ({"from": {"unregisteredUserId": UNKNOWN}}, "from.unregisteredUserId"),
        ({"from": None}, "from"),
        ({"dueAt": "2020-01-01T00:00:00Z"}, "dueAt"),
        ({"dueAt": "2098-01-01T00:00:00"}, "dueAt"),
        ({"reviewerUserId": UNKNOWN}, "reviewerUserId"),
        ({"instructions": "x" * 2001}, "instructions"),
        ({"status": "approved"}, "status"),
    ],
)
def test_what_is_asked_for_is_refused_if_it_is_not_of_this_board(
    papers: Papers, members: dict[str, Any], field: str
) -> None:
    before = TableSnapshot()
    refused = papers.create(**members)
    assert (refused.status, list(refused.json["error"]["details"]["fields"])) == (400, [field])
    assert not before.changes("RATE#", "USE#")


def test_a_stranger_is_neither_asked_nor_reviewer(papers: Papers) -> None:
    stranger = person("stranger").id
    refused = papers.create(reviewerUserId=stranger, **{"from": {"userId": stranger}})
    assert set(refused.json["error"]["details"]["fields"]) == {"from.userId", "reviewerUserId"}


def test_an_archived_person_is_not_asked(papers: Papers) -> None:
    people = f"{papers.board.path}/unregistered-users"
    anna = papers.owner.post(people, {"firstName": "Anna", "email": "anna@example.org"}).data["id"]
    asked = {"from": {"unregisteredUserId": anna}}
    assert papers.create(**asked).status == 201
    assert papers.owner.post(f"{people}/{anna}/archive").status == 200
    assert papers.create(**asked).status == 400


def test_nobody_is_asked_for_papers_of_a_draft_a_cancelled_or_a_finalized_meeting(papers: Papers) -> None:
    draft = papers.owner.post(f"{papers.board.path}/meetings", {"title": "Draft", "status": "draft"}).data["id"]
    body = {"title": "Forecast", "from": {"userId": papers.asked.id}, "dueAt": DUE}
    asked = papers.owner.post(f"{papers.board.path}/meetings/{draft}/paper-requests", body)
    assert asked.json["error"]["details"]["reason"] == "MEETING_IS_DRAFT"
    assert papers.owner.put(f"{papers.meeting.path}/cancellation", {}).status == 200
    assert papers.create().json["error"]["details"]["reason"] == "MEETING_CANCELLED"
    assert papers.owner.delete(f"{papers.meeting.path}/cancellation").status == 200
    request = papers.request()
    papers.deliver(request)
    papers.meeting.patch(startTime=DUE)
    assert papers.meeting.patch(status="in_progress").status == 200
    papers.meeting.finalize()
    changes = [
        papers.create(),
        papers.owner.patch(request, {"title": "New"}),
        papers.deliver(request),
        papers.decide(request),
    ]
    assert {change.json["error"]["details"]["reason"] for change in changes} == {"MEETING_FINALIZED"}


def test_a_meeting_has_a_limited_number_of_requests(papers: Papers) -> None:
    for _ in range(PAPER_REQUESTS_PER_MEETING):
        last = papers.request()
    refused = papers.create()
    assert (refused.status, refused.json["error"]["details"]["reason"]) == (409, "LIMIT_REACHED")
    assert papers.owner.delete(last).status == 200
    assert papers.create().status == 201


def test_a_change_keeps_what_it_does_not_name_and_ends_nothing_twice(papers: Papers) -> None:
    request = papers.request(agendaItemId=papers.item, reviewerUserId=papers.reviewer.id, instructions="Two pages")
    before = papers.owner.get(request).data
    assert papers.owner.patch(request, {"title": before["title"], "dueAt": DUE}).data == before
    changed = papers.collaborator.client.patch(request, {"agendaItemId": None, "reviewerUserId": None, "title": "New"})
    assert changed.data == {
        **before,
        "title": "New",
        "agendaItemId": None,
        "reviewerUserId": None,
        "updatedAt": changed.data["updatedAt"],
    }
    for refused in (
        {"dueAt": "2020-01-01T00:00:00Z"},
        {"agendaItemId": UNKNOWN},
        {"reviewerUserId": UNKNOWN},
        {},
        {"from": {"userId": papers.reviewer.id}},
        {"status": "approved"},
        {"title": None},
    ):
        assert papers.owner.patch(request, refused).status == 400
    assert papers.owner.patch(request, {"status": "cancelled"}).data["status"] == "cancelled"
    assert papers.owner.patch(request, {"status": "cancelled"}).status == 200
    for late in (papers.owner.patch(request, {"title": "Late"}), papers.deliver(request)):
        assert late.json["error"]["details"]["reason"] == "DECIDED"
    assert papers.decide(request).json["error"]["details"]["reason"] == "NOT_DELIVERED"


def test_only_who_is_asked_delivers_a_document_with_a_file_that_they_see(papers: Papers) -> None:
    request, document = papers.request(), papers.document()
    (own,) = [
        entry["id"]
        for entry in papers.owner.all(f"{papers.board.path}/members")
        if entry["userId"] == papers.board.owner.id
    ]
    committee = papers.owner.post(f"{papers.board.path}/committees", {"name": "Audit", "memberIds": [own]}).data["id"]
    empty = papers.owner.post(f"{papers.board.path}/documents", {"title": "Empty"}).data["id"]
    for other in (papers.board.owner, papers.collaborator, papers.reviewer):
        assert other.client.post(f"{request}/delivery", {"documentId": document}).status == 403
    assert papers.guest.client.post(f"{request}/delivery", {"documentId": document}).status == 404
    for unseen in (UNKNOWN, empty, papers.document(committeeId=committee)):
        refused = papers.deliver(request, unseen)
        assert (refused.status, list(refused.json["error"]["details"]["fields"])) == (400, ["documentId"])
    assert papers.deliver(request, "no id").status == 400
    delivered = papers.deliver(request, document).data
    assert (delivered["status"], delivered["documentId"]) == ("delivered", document)
    assert delivered["deliveredAt"] == delivered["updatedAt"]


def test_the_reviewer_decides_or_any_collaborator_without_one(papers: Papers) -> None:
    request = papers.request(reviewerUserId=papers.reviewer.id)
    assert papers.decide(request, client=papers.reviewer.client).json["error"]["details"]["reason"] == "NOT_DELIVERED"
    papers.deliver(request)
    for other in (papers.board.owner, papers.collaborator, papers.asked):
        assert papers.decide(request, client=other.client).status == 403
    approved = papers.decide(request, client=papers.reviewer.client)
    assert (approved.status, approved.data["status"]) == (200, "approved")
    assert approved.data["decidedByUserId"] == papers.reviewer.id
    assert papers.decide(request, client=papers.reviewer.client).json["error"]["details"]["reason"] == "DECIDED"
    assert papers.deliver(request).json["error"]["details"]["reason"] == "DECIDED"
    second = papers.request()
    papers.deliver(second)
    assert papers.decide(second, client=papers.asked.client).status == 403
    assert papers.decide(second, client=papers.collaborator.client).status == 200


def test_an_approved_paper_is_on_its_item_and_without_an_item_linked_to_the_meeting(papers: Papers) -> None:
    on_item, without = papers.request(agendaItemId=papers.item), papers.request()
    first, second = papers.document(), papers.document()
    papers.deliver(on_item, first)
    papers.deliver(without, second)
    assert papers.agenda()["items"][0]["documentIds"] == []
    assert papers.decide(on_item).status == papers.decide(without).status == 200
    assert papers.agenda()["items"][0]["documentIds"] == [first]
    linked = papers.owner.get(f"{papers.board.path}/documents", meetingId=papers.meeting.path.rpartition("/")[2]).data
    assert [document["id"] for document in linked] == [second]
    again = papers.request(agendaItemId=papers.item)
    papers.deliver(again, first)
    assert papers.decide(again).status == 200
    assert papers.agenda()["items"][0]["documentIds"] == [first]


def test_a_paper_for_an_item_that_was_removed_is_linked_to_the_meeting(papers: Papers) -> None:
    request, document = papers.request(agendaItemId=papers.item), papers.document()
    papers.deliver(request, document)
    papers.owner.put(f"{papers.meeting.path}/agenda", {"items": []})
    assert papers.decide(request).status == 200
    shown = papers.owner.get(f"{papers.board.path}/documents/{document}").data
    assert shown["meetingIds"] == [papers.meeting.path.rpartition("/")[2]]


def test_a_full_item_takes_no_paper(papers: Papers) -> None:
    full = [
        papers.owner.post(f"{papers.board.path}/documents", {"title": "P"}).data["id"]
        for _ in range(AGENDA_ITEM_PAPERS)
    ]
    item = {"id": papers.item, "title": "Budget", "documentIds": full}
    assert papers.owner.put(f"{papers.meeting.path}/agenda", {"items": [item]}).status == 200
    request = papers.request(agendaItemId=papers.item)
    papers.deliver(request)
    refused = papers.decide(request)
    assert (refused.status, refused.json["error"]["details"]["reason"]) == (409, "LIMIT_REACHED")
    assert papers.owner.get(request).data["status"] == "delivered"


def test_a_returned_paper_is_asked_for_again_and_a_new_delivery_takes_the_note_away(papers: Papers) -> None:
    request = papers.request()
    papers.deliver(request)
    returned = papers.decide(request, "returned", note="Page 2 is missing.").data
    assert (returned["status"], returned["note"]) == ("returned", "Page 2 is missing.")
    assert papers.decide(request).json["error"]["details"]["reason"] == "NOT_DELIVERED"
    again = papers.deliver(request).data
    assert (again["status"], again["note"], again["decidedAt"], again["decidedByUserId"]) == (
        "delivered",
        None,
        None,
        None,
    )


def test_a_deleted_document_is_not_approved(papers: Papers) -> None:
    request, document = papers.request(), papers.document()
    papers.deliver(request, document)
    assert papers.owner.delete(f"{papers.board.path}/documents/{document}").status == 200
    assert papers.decide(request).json["error"]["details"]["reason"] == "NOT_DELIVERED"
    assert papers.owner.get(request).data["documentId"] is None


def test_a_document_that_the_caller_does_not_see_has_no_id_and_is_not_approved_by_them(papers: Papers) -> None:
    (asked,) = [
        entry["id"] for entry in papers.owner.all(f"{papers.board.path}/members") if entry["userId"] == papers.asked.id
    ]
    committee = papers.owner.post(f"{papers.board.path}/committees", {"name": "Audit", "memberIds": [asked]}).data["id"]
    document, request = papers.document(), papers.request()
    papers.deliver(request, document)
    (own,) = [
        entry["id"]
        for entry in papers.owner.all(f"{papers.board.path}/members")
        if entry["userId"] == papers.board.owner.id
    ]
    path = f"{papers.board.path}/committees/{committee}"
    papers.owner.patch(path, {"memberIds": [asked, own]})
    assert papers.owner.patch(f"{papers.board.path}/documents/{document}", {"committeeId": committee}).status == 200
    assert papers.asked.client.get(request).data["documentId"] == document
    assert papers.collaborator.client.get(request).data["documentId"] is None
    assert papers.decide(request, client=papers.collaborator.client).status == 403


@pytest.mark.parametrize("id_", [UNKNOWN, "no-id", "x" * 300])
def test_an_unknown_request_is_404_on_every_route(papers: Papers, id_: str) -> None:
    path, decided = f"{papers.path}/{id_}", {"decision": "approved"}
    answers = [
        papers.owner.get(path),
        papers.owner.patch(path, {"title": "T"}),
        papers.owner.delete(path),
        papers.owner.post(f"{path}/delivery", {"documentId": UNKNOWN}),
        papers.owner.post(f"{path}/decision", decided),
    ]
    assert {answer.status for answer in answers} == {404}


def test_a_request_of_another_meeting_is_404(papers: Papers) -> None:
    other = new_meeting_scenario(papers.board)
    id_ = papers.request().rpartition("/")[2]
    assert papers.owner.get(f"{other.path}/paper-requests/{id_}").status == 404
    assert papers.owner.delete(f"{other.path}/paper-requests/{id_}").status == 404


def test_events_of_a_request_hold_ids_alone(papers: Papers) -> None:
    request = papers.request(agendaItemId=papers.item)
    papers.owner.patch(request, {"title": "Outlook"})
    papers.deliver(request)
    papers.decide(request)
    papers.owner.delete(request)
    named = {"meetingId": papers.meeting.path.rpartition("/")[2], "paperRequestId": request.rpartition("/")[2]}
    for step in ("created", "updated", "delivered", "decided", "deleted"):
        (event,) = stored_events(papers.board, f"paper_request.{step}")
        assert (event.refs, event.details) == (named, {})
        assert "changes" not in event.delivery_data


def told(who: Person, kind: str) -> list[str]:
    return [entry["message"] for entry in who.client.get("/api/notification/").json if entry["type"] == kind]


@pytest.mark.usefixtures("outbox")
def test_each_step_is_told_to_who_acts_next(papers: Papers) -> None:
    request = papers.request(reviewerUserId=papers.reviewer.id)
    process_records(event_records(papers.board.board_id))
    assert len(told(papers.asked, "paper_requested")) == 1
    papers.deliver(request)
    process_records(event_records(papers.board.board_id))
    assert len(told(papers.reviewer, "paper_delivered")) == len(told(papers.board.owner, "paper_delivered")) == 1
    papers.decide(request, "returned", client=papers.reviewer.client)
    process_records(event_records(papers.board.board_id))
    assert "returned the paper" in told(papers.asked, "paper_decided")[0]
    assert len(told(papers.board.owner, "paper_decided")) == 1
    assert told(papers.collaborator, "paper_requested") == told(papers.reviewer, "paper_decided") == []


@pytest.mark.usefixtures("outbox")
def test_nobody_is_told_of_a_request_that_was_cancelled_before(papers: Papers) -> None:
    papers.owner.patch(papers.request(), {"status": "cancelled"})
    process_records(event_records(papers.board.board_id))
    assert told(papers.asked, "paper_requested") == []


def test_a_reviewer_who_leaves_decides_no_longer_and_any_collaborator_does(papers: Papers) -> None:
    request = papers.request(reviewerUserId=papers.reviewer.id)
    papers.deliver(request)
    leave(papers.board, papers.reviewer)
    process_records(event_records(papers.board.board_id))
    assert papers.owner.get(request).data["reviewerUserId"] is None
    assert papers.decide(request, client=papers.collaborator.client).status == 200


def test_requests_end_with_their_meeting_and_their_board(papers: Papers) -> None:
    papers.request()
    assert papers.owner.delete(papers.meeting.path).status == 200
    process_records(event_records(papers.board.board_id))
    assert [pk for pk, _ in TableSnapshot().items if pk.startswith("PAPERS#")] == []
    other = Papers(**{**vars(papers), "meeting": new_meeting_scenario(papers.board)})
    other.request()
    assert papers.owner.delete(papers.board.path).status == 200
    process_records(event_records(papers.board.board_id))
    assert [pk for pk, _ in TableSnapshot().items if pk.startswith("PAPERS#")] == []


def test_a_merged_person_s_requests_become_the_member_s(papers: Papers) -> None:
    people = f"{papers.board.path}/unregistered-users"
    anna = papers.owner.post(people, {"firstName": "Anna"}).data["id"]
    request = papers.request(**{"from": {"unregisteredUserId": anna}})
    (member,) = [
        entry["id"] for entry in papers.owner.all(f"{papers.board.path}/members") if entry["userId"] == papers.asked.id
    ]
    assert papers.owner.post(f"{people}/{anna}/merge", {"memberId": member}).status == 200
    assert papers.owner.get(request).data["from"] == {"userId": papers.asked.id, "unregisteredUserId": None}
    assert papers.deliver(request).status == 200


def test_the_requests_of_an_item_are_found_by_it(papers: Papers) -> None:
    request = papers.request(agendaItemId=papers.item).rpartition("/")[2]
    papers.request()
    found = paper_requests.requests_of_item(BoardId(papers.board.board_id), papers.item)
    assert [entry.id for entry in found] == [request]
