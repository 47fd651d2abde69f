"""A board holds so many bytes of files: declared and ready versions, and board packs (ADR documents)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import BoardId
from governance.store.documents import file_bytes
from governance.store.schema.entities import FILE_BYTES_COUNT
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Delete
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import stored_events
from tests.harness.sample_bodies import NEW_VERSION
from tests.harness.stream import deliver
from tests.harness.uploads import new_document

pytestmark = pytest.mark.usefixtures("bucket")


@pytest.fixture
def three_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_bytes, "BOARD_FILE_BYTES", 3)


def declare(scenario: BoardScenario, size: int) -> Any:
    document = new_document(scenario)
    return scenario.owner.client.post(f"{document.path}/versions", {**NEW_VERSION, "size": size})


def held(scenario: BoardScenario) -> int:
    item = read_one(FILE_BYTES_COUNT.key_for(boardId=scenario.board_id)) or {}
    return int(item.get("base", 0)) + int(item.get("count", 0))


def forget(scenario: BoardScenario) -> None:
    """Makes the board one of a release that did not count."""
    transact([Delete(FILE_BYTES_COUNT.key_for(boardId=scenario.board_id))])


@pytest.mark.usefixtures("three_bytes")
def test_a_file_beyond_the_bytes_of_the_board_is_refused(scenario: BoardScenario) -> None:
    first, second = declare(scenario, 1), declare(scenario, 2)
    assert (first.status, second.status) == (201, 201)
    refused = declare(scenario, 1)
    assert (refused.status, refused.details["reason"]) == (409, "LIMIT_REACHED")
    version = f"{scenario.path}/documents/{first.data['documentId']}/versions/{first.data['id']}"
    assert scenario.owner.client.delete(version).status == 200
    assert declare(scenario, 2).status == 409
    assert declare(scenario, 1).status == 201


@pytest.mark.usefixtures("three_bytes")
def test_the_first_file_may_be_as_large_as_the_board_takes(scenario: BoardScenario) -> None:
    assert declare(scenario, 4).status == 409
    assert held(scenario) == 0
    assert declare(scenario, 3).status == 201


def test_a_file_counts_from_its_declaration_until_it_or_its_document_is_deleted(scenario: BoardScenario) -> None:
    document = new_document(scenario)
    first, second = document.add(b"12345"), document.add(b"123")
    assert held(scenario) == 8
    assert scenario.owner.client.delete(f"{document.path}/versions/{second['id']}").status == 200
    assert held(scenario) == 5
    assert first["status"] == "ready"
    assert scenario.owner.client.delete(document.path).status == 200
    deliver(*stored_events(scenario, "document.deleted"))
    assert held(scenario) == 0


def test_files_that_were_never_counted_are(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    declare(scenario, 2)
    document = new_document(scenario)
    kept = document.add(b"123")
    removed = document.add(b"1234567")
    forget(scenario)
    assert scenario.owner.client.delete(f"{document.path}/versions/{removed['id']}").status == 200
    monkeypatch.setattr(file_bytes, "BOARD_FILE_BYTES", 6)
    assert declare(scenario, 2).status == 409
    assert declare(scenario, 1).status == 201
    assert held(scenario) == 6
    assert kept["status"] == "ready"


def test_files_that_a_restore_brings_back_are_counted_anew(scenario: BoardScenario) -> None:
    declare(scenario, 2)
    transact([file_bytes.recount_later(BoardId(scenario.board_id))])
    assert declare(scenario, 1).status == 201
    assert held(scenario) == 3
