"""What a notification refers to: its title while the reader may see it, and nothing of what is hidden from them."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import membership_id
from tests.harness.action_item_scenario import new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.meeting_scenario import leave
from tests.harness.stream import event_records, process_records

LIST = "/api/notification/"
pytestmark = pytest.mark.usefixtures("outbox")


def newest(scenario: BoardScenario, reader: Person) -> Any:
    assert process_records(event_records(scenario.board_id)) == []
    return reader.client.get(LIST).json[0]


def mentioned_on_a_document(scenario: BoardScenario, reader: Person, **members: Any) -> str:
    """Mentions the reader in a comment on a new document; returns the document's path."""
    owner = scenario.owner.client
    documents = f"{scenario.path}/documents"
    path = f"{documents}/{owner.post(documents, {'title': 'Policy', **members}).data['id']}"
    assert owner.post(f"{path}/comments", {"text": "Why?", "mentions": [reader.id]}).status == 201
    return path


def test_references_have_titles_while_the_reader_is_a_member(scenario: BoardScenario, ben: Person) -> None:
    report = scenario.owner.client.post(f"{scenario.path}/reports", {"title": "Q3"}).data["id"]
    scenario.owner.client.patch(f"{scenario.path}/reports/{report}", {"status": "published"})
    entry = newest(scenario, ben)
    assert entry["reportId"] == {"_id": report, "title": "Q3"}
    assert "dashboardId" not in entry
    leave(scenario, ben)
    assert ben.client.get(LIST).json[0]["reportId"] == {"_id": report, "title": None}


def test_a_documents_title_is_that_of_today_and_that_of_a_deleted_one_is_gone(
    scenario: BoardScenario, ben: Person
) -> None:
    path = mentioned_on_a_document(scenario, ben)
    reference = {"_id": path.rpartition("/")[2], "title": "Policy"}
    assert newest(scenario, ben)["documentId"] == reference
    scenario.owner.client.patch(path, {"title": "Law"})
    assert ben.client.get(LIST).json[0]["documentId"] == reference | {"title": "Law"}
    scenario.owner.client.delete(path)
    assert ben.client.get(LIST).json[0]["documentId"] == reference | {"title": None}


def test_the_title_of_a_committees_document_is_for_those_on_it(scenario: BoardScenario, ben: Person) -> None:
    owner, committees = scenario.owner.client, f"{scenario.path}/committees"
    seats = [membership_id(scenario.board_id, member.id) for member in (scenario.owner, ben)]
    committee = owner.post(committees, {"name": "Audit", "memberIds": seats}).data["id"]
    mentioned_on_a_document(scenario, ben, committeeId=committee)
    assert newest(scenario, ben)["documentId"]["title"] == "Policy"
    assert owner.patch(f"{committees}/{committee}", {"memberIds": seats[:1]}).status == 200
    assert ben.client.get(LIST).json[0]["documentId"]["title"] is None


def test_what_links_to_a_draft_that_was_deleted_can_be_neither_read_nor_deleted(
    scenario: BoardScenario, ben: Person
) -> None:
    meeting = new_action_item_scenario(scenario)
    meeting.item(assigneeUserId=ben.id)
    entry = newest(scenario, ben)
    assert meeting.patch(status="draft").status == 200
    assert scenario.owner.client.delete(meeting.path).status == 200
    for _ in range(2):
        assert ben.client.put(f"{LIST}read/{entry['_id']}").failure == (404, "RESOURCE_NOT_FOUND")
        assert ben.client.delete(f"{LIST}{entry['_id']}").failure == (404, "RESOURCE_NOT_FOUND")
        assert ben.client.get(LIST).json == []
        assert process_records(event_records(scenario.board_id)) == []  # what is kept of the meeting goes
