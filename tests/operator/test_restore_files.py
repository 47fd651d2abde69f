"""`boardctl restore` brings documents back with their files (ADR documents)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import pytest

from governance.settings import settings
from infra.operator import restore
from infra.operator.table_reader import TableReader
from tests.harness.board_scenario import BoardScenario
from tests.harness.outbox import Outbox
from tests.harness.restored_table import restored_table
from tests.harness.stream import event_records, process_records
from tests.harness.uploads import PDF, DocumentScenario, new_document, stored_files


@pytest.fixture
def document(scenario: BoardScenario, bucket: Any, outbox: Outbox) -> DocumentScenario:
    del bucket, outbox
    document = new_document(scenario)
    document.add()
    document.add(PDF + b"2")
    document.declare()
    return document


@pytest.fixture
def earlier(document: DocumentScenario) -> Iterator[TableReader]:
    """The table of this moment, restored under another name."""
    del document
    with restored_table() as reader:
        yield reader


def test_a_document_comes_back_with_its_files(document: DocumentScenario, earlier: TableReader, bucket: Any) -> None:
    versions, before = document.client.get(f"{document.path}/versions").data, stored_files(bucket)
    assert len(before) == 2
    assert document.client.delete(document.path).status == 200
    assert process_records(event_records(document.board.board_id)) == []
    assert stored_files(bucket) == []
    restore.restore_entity(earlier, document.board.board_id, "document", document.path.rpartition("/")[2])
    assert document.client.get(f"{document.path}/versions").data == versions
    assert stored_files(bucket) == before


def test_a_board_comes_back_with_the_files_of_its_documents(
    document: DocumentScenario, earlier: TableReader, bucket: Any
) -> None:
    before = stored_files(bucket)
    assert document.client.delete(document.board.path).status == 200
    assert process_records(event_records(document.board.board_id)) == []
    assert stored_files(bucket) == []
    restore.restore_board(earlier, document.board.board_id)
    assert stored_files(bucket) == before
    assert len(document.client.get(f"{document.path}/versions").data) == 3


def test_nothing_is_restored_without_the_bucket(
    document: DocumentScenario, earlier: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert document.client.delete(document.path).status == 200
    monkeypatch.setenv("PAPERS_BUCKET", "")
    settings.cache_clear()
    with pytest.raises(click.ClickException, match="PAPERS_BUCKET"):
        restore.restore_entity(earlier, document.board.board_id, "document", document.path.rpartition("/")[2])
    monkeypatch.undo()
    settings.cache_clear()
    assert document.client.get(document.path).status == 404
