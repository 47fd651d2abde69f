"""The routes of documents: bodies, tiers, links, filters, audit entries, and a list that changes while it is read."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import new_id
from governance.limits import DOCUMENT_MEETINGS
from governance.store.documents import documents
from governance.store.meetings import meetings
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.fault_injection import hooked
from tests.store import stored_items

UNKNOWN = "f" * 24
MEMBERS = {
    "object", "id", "boardId", "title", "documentType", "meetingIds", "latestVersionId", "mimeType",
    "createdByUserId", "committeeId", "createdAt", "updatedAt",
}  # fmt: skip


def create(scenario: BoardScenario, caller: Client | None = None, **body: Any) -> Any:
    response = (caller or scenario.owner.client).post(f"{scenario.path}/documents", {"title": "Minutes", **body})
    assert response.status == 201, response.text
    return response.data


def meeting(scenario: BoardScenario, caller: Client, status: str = "scheduled") -> str:
    return str(caller.post(f"{scenario.path}/meetings", {"title": "Board", "status": status}).data["id"])


def many_meetings(scenario: BoardScenario, number: int) -> list[str]:
    """Creates many meetings in one transaction; one by one, moto would take seconds."""
    sample = stored_items.meeting("scheduled").model_copy(update={"board_id": scenario.board_id})
    made = [sample.model_copy(update={"id": new_id()}) for _ in range(number)]
    transact([write for it in made for write in meetings.create(it)])
    return [it.id for it in made]


def document_path(scenario: BoardScenario, document: Any) -> str:
    return f"{scenario.path}/documents/{document['id']}"


def audited(scenario: BoardScenario, action: str) -> list[Any]:
    entries = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    return [entry["details"] for entry in entries if entry["action"] == action]


def test_a_document_has_exactly_the_specified_fields(scenario: BoardScenario) -> None:
    document = create(scenario)
    assert document.keys() == MEMBERS
    assert document["meetingIds"] == []
    assert document["createdByUserId"] == scenario.owner.id
    assert scenario.owner.client.get(document_path(scenario, document)).data == document
    assert scenario.owner.client.all(f"{scenario.path}/documents") == [document]


def test_a_link_to_a_hidden_meeting_fails_like_an_absent_one(scenario: BoardScenario) -> None:
    ben = scenario.member("ben").client
    draft = meeting(scenario, scenario.owner.client, "draft")
    responses = [ben.post(f"{scenario.path}/documents", {"title": "T", "meetingIds": [it]}) for it in (draft, UNKNOWN)]
    assert responses[0].fields == responses[1].fields == {"meetingIds.0": "must be the id of a meeting of this board"}
    path = document_path(scenario, create(scenario, ben))
    responses = [ben.patch(path, {"meetingIds": [it]}) for it in (draft, UNKNOWN)]
    assert responses[0].fields == responses[1].fields


def test_each_reader_sees_only_links_to_visible_meetings(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    owner = scenario.owner.client
    seen, draft, doomed = meeting(scenario, owner), meeting(scenario, owner, "draft"), meeting(scenario, owner)
    document = create(scenario, meetingIds=[draft, seen, doomed, seen])
    assert document["meetingIds"] == [draft, seen, doomed]
    owner.delete(f"{scenario.path}/meetings/{doomed}")
    path = document_path(scenario, document)
    for caller, links in ((owner, [draft, seen]), (ben.client, [seen]), (scenario.token(), [seen])):
        assert caller.get(path).data["meetingIds"] == links
        assert caller.all(f"{scenario.path}/documents")[0]["meetingIds"] == links
        for filtered in (seen, draft, doomed):
            listed = caller.all(f"{scenario.path}/documents", meetingId=filtered)
            assert [entry["meetingIds"] for entry in listed] == ([links] if filtered in links else [])
    owner.patch(f"{scenario.path}/meetings/{draft}", {"status": "scheduled"})
    assert ben.client.get(path).data["meetingIds"] == [draft, seen]
    owner.patch(f"{scenario.path}/meetings/{seen}", {"status": "draft"})
    assert ben.client.get(path).data["meetingIds"] == [draft]
    assert ben.client.all(f"{scenario.path}/documents", meetingId=seen) == []


def test_fifty_links_are_replaced_at_once(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    first, second = (many_meetings(scenario, DOCUMENT_MEETINGS) for _ in range(2))
    document = create(scenario, meetingIds=first)
    response = owner.patch(document_path(scenario, document), {"meetingIds": second})
    assert (response.status, response.data["meetingIds"]) == (200, second)
    assert owner.all(f"{scenario.path}/documents", meetingId=first[-1]) == []
    assert owner.all(f"{scenario.path}/documents", meetingId=second[-1]) == [response.data]
    fewer = owner.patch(document_path(scenario, document), {"meetingIds": second[:1]}).data
    assert owner.all(f"{scenario.path}/documents", meetingId=second[-1]) == []
    assert owner.delete(document_path(scenario, document)).status == 200
    assert owner.all(f"{scenario.path}/documents", meetingId=fewer["meetingIds"][0]) == []


def test_filters_combine_and_a_type_cannot_escape_its_range(scenario: BoardScenario) -> None:
    one = meeting(scenario, scenario.owner.client)
    minutes = create(scenario, documentType="minutes", meetingIds=[one])
    agenda = create(scenario, documentType="agenda", meetingIds=[one])
    other = create(scenario, documentType="minutes")
    strange = create(scenario, documentType="minutes#2")

    def listed(**query: str) -> list[Any]:
        return scenario.owner.client.all(f"{scenario.path}/documents", **query)

    assert listed(order="asc", limit="1") == [minutes, agenda, other, strange]
    assert listed(meetingId=one) == [agenda, minutes]
    assert listed(meetingId=one, documentType="minutes") == [minutes]
    assert listed(documentType="minutes") == [other, minutes]
    assert listed(documentType="minutes#2") == [strange]
    for query in (
        {"documentType": ""},
        {"documentType": "x" * 99},
        {"meetingId": "nonsense" * 500},
        {"meetingId": UNKNOWN},
    ):
        assert listed(**query) == []


def test_a_view_is_recorded_once_an_hour_for_each_caller_and_document(scenario: BoardScenario, clock: Clock) -> None:
    path, other = document_path(scenario, create(scenario)), document_path(scenario, create(scenario))
    ben, token = scenario.member("ben").client, scenario.token()
    for caller in (scenario.owner.client, scenario.owner.client, ben, token, token):
        assert caller.get(path).status == 200
    scenario.owner.client.get(other)
    assert len(audited(scenario, "documentView")) == 4
    clock.advance(minutes=59)
    scenario.owner.client.get(path)
    assert len(audited(scenario, "documentView")) == 4
    clock.advance(minutes=61)
    scenario.owner.client.get(path)
    assert len(audited(scenario, "documentView")) == 5


@pytest.mark.parametrize(("most", "sizes"), [(1, [1, 1, 1, 1]), (4, [2, 2]), (5, [3, 1]), (6, [4])])
def test_a_page_ends_early_where_its_documents_are_linked_to_many_meetings(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, most: int, sizes: list[int]
) -> None:
    owner, path = scenario.owner.client, f"{scenario.path}/documents"
    body = {"title": "M", "status": "scheduled"}
    ids = [owner.post(f"{scenario.path}/meetings", body).data["id"] for _ in range(6)]
    links = (ids[0:2], ids[1:3], ids[2:5], ids[4:6])
    made = [owner.post(path, {"title": "D", "meetingIds": linked}).data["id"] for linked in reversed(links)]
    monkeypatch.setattr(documents, "DOCUMENTS_PAGE_MEETINGS", most)
    pages = list(owner.pages(path, limit=4))
    assert [len(page) for page in pages] == sizes
    assert [document["id"] for page in pages for document in page] == made[::-1]


def test_a_document_that_moves_to_a_committee_while_its_link_is_read_is_not_listed(scenario: BoardScenario) -> None:
    owner, ben = scenario.owner.client, scenario.member("ben").client
    committee = scenario.committee(scenario.owner)
    meeting = owner.post(f"{scenario.path}/meetings", {"title": "Meeting", "status": "scheduled"}).data["id"]
    moved, kept = (
        owner.post(f"{scenario.path}/documents", {"title": title, "meetingIds": [meeting]}).data["id"]
        for title in ("moved", "kept")
    )
    changes: list[int] = []

    def move(**_: Any) -> None:
        if not changes:
            changes.append(0)
            changes.append(owner.patch(f"{scenario.path}/documents/{moved}", {"committeeId": committee}).status)

    with hooked("after-call.dynamodb.Query", move):
        listed = ben.get(f"{scenario.path}/documents", meetingId=meeting).data
    assert changes == [0, 200]
    assert [document["id"] for document in listed] == [kept]
