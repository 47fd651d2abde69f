"""Paging through a list while it changes: an unchanged item is listed exactly once."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import membership_id
from governance.store.documents import documents
from tests.harness.board_scenario import BoardScenario
from tests.harness.fault_injection import hooked


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
    seats = [membership_id(scenario.board_id, scenario.owner.id)]
    committee = owner.post(f"{scenario.path}/committees", {"name": "C", "memberIds": seats}).data["id"]
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
