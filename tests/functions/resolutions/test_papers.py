"""The papers of a resolution: which version of each document is voted on (ADR resolutions)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.uploads import PDF, declared, new_document

pytestmark = pytest.mark.usefixtures("bucket")
_LATER = PDF + b"later\n"


def papers(votes: ResolutionScenario, path: str, **query: Any) -> list[dict[str, Any]]:
    return list(votes.ben.client.all(f"{path}/papers", **query))


def test_the_version_that_opening_fixed_is_told_while_open_and_afterwards_and_can_be_read(
    votes: ResolutionScenario,
) -> None:
    paper, empty = (new_document(votes.board, votes.manager.client) for _ in range(2))
    fixed = paper.add()
    path = votes.opened(documentIds=[paper.document["id"], empty.document["id"]])
    paper.add(_LATER)
    told = [
        {
            "object": "resolution_paper",
            "documentId": paper.document["id"],
            "versionId": fixed["id"],
            "sha256": declared()["sha256"],
        },
        {"object": "resolution_paper", "documentId": empty.document["id"], "versionId": None, "sha256": None},
    ]
    told.sort(key=lambda paper: paper["documentId"])
    assert papers(votes, path) == papers(votes, path, limit=1) == told
    content = votes.ben.client.get(f"{paper.path}/versions/{fixed['id']}/content")
    assert content.status == 200
    assert fixed["id"] in content.data["url"]
    for voter in votes.voters:
        assert votes.vote(path, voter).status == 200
    assert votes.close(path).status == 200
    assert papers(votes, path) == told
    certified = votes.ben.client.get(f"{path}/certificate").data["papers"]
    assert sorted(certified, key=lambda paper: paper["documentId"]) == [
        {name: value for name, value in paper.items() if name != "object"} for paper in told
    ]


def test_nothing_of_a_draft_is_fixed(votes: ResolutionScenario) -> None:
    paper = new_document(votes.board, votes.manager.client)
    paper.add()
    path = votes.drafted(documentIds=[paper.document["id"]])
    assert votes.manager.client.get(f"{path}/papers").data == []
    assert votes.ben.client.get(f"{path}/papers").status == 404
