"""Files that are scanned for malware: kept back until the bucket's tag says that they are clean (ADR documents)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.settings import settings as read_settings
from tests.functions.documents.conftest import pass_time, reason
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import stored_events
from tests.harness.uploads import PDF, DocumentScenario, new_document, sent_files, stored_files

MINUTE = 60
HELD: dict[str, Any] = {}


@pytest.fixture
def document(scenario: BoardScenario, bucket: Any, monkeypatch: pytest.MonkeyPatch) -> DocumentScenario:
    """Returns a document of an installation that scans files."""
    HELD["client"] = bucket
    monkeypatch.setenv("MALWARE_PROTECTION", "yes")
    read_settings.cache_clear()
    return new_document(scenario)


def sent(document: DocumentScenario, **members: Any) -> Any:
    """Returns a version whose file has been sent and is scanned."""
    completed = document.complete(document.upload(**members)["id"])
    assert (completed.status, completed.data["status"]) == (200, "scanning"), completed.text
    return completed.data


def tag(document: DocumentScenario, version: Any, result: str) -> None:
    key = f"papers/{document.board.board_id}/{version['documentId']}/{version['id']}"
    tags = {"TagSet": [{"Key": "GuardDutyMalwareScanStatus", "Value": result}]}
    HELD["client"].put_object_tagging(Bucket=read_settings().papers_bucket, Key=key, Tagging=tags)


def shown(document: DocumentScenario, version: Any) -> Any:
    return document.client.get(f"{document.path}/versions/{version['id']}").data


def test_a_file_is_kept_back_until_it_is_clean(document: DocumentScenario, clock: Clock) -> None:
    version = sent(document)
    content = f"{document.path}/versions/{version['id']}/content"
    assert document.complete(version["id"]).data == version
    assert document.document["latestVersionId"] is None
    assert reason(document.client.get(content)) == "FILE_IS_SCANNED"
    pass_time(clock, MINUTE)
    assert shown(document, version)["status"] == "scanning"
    tag(document, version, "NO_THREATS_FOUND")
    pass_time(clock, 2 * MINUTE)
    assert (shown(document, version)["status"], shown(document, version)["reason"]) == ("ready", None)
    assert document.document["latestVersionId"] == version["id"]
    assert document.client.get(content).status == 200
    (event,) = stored_events(document.board, "document.version_added")
    assert event.actor_user_id == document.board.owner.id


@pytest.mark.parametrize(
    ("result", "told"),
    [("THREATS_FOUND", "Malware was found in the file, which was deleted."), ("UNSUPPORTED", "could not be scanned")],
)
def test_any_other_result_rejects_the_file_and_deletes_it(
    document: DocumentScenario, clock: Clock, result: str, told: str
) -> None:
    version = sent(document)
    tag(document, version, result)
    pass_time(clock, MINUTE)
    rejected = shown(document, version)
    assert rejected["status"] == "rejected"
    assert told in rejected["reason"]
    assert (stored_files(HELD["client"]), sent_files(HELD["client"])) == ([], [])
    assert document.document["latestVersionId"] is None
    assert stored_events(document.board, "document.version_added") == []
    assert reason(document.client.get(f"{document.path}/versions/{version['id']}/content")) == "FILE_REJECTED"
    assert document.complete(version["id"]).data["status"] == "rejected"


def test_a_tag_counts_only_where_the_file_stays(document: DocumentScenario, clock: Clock) -> None:
    version = document.upload()
    verdict = {"TagSet": [{"Key": "GuardDutyMalwareScanStatus", "Value": "NO_THREATS_FOUND"}]}
    key = version["upload"]["fields"]["key"]
    HELD["client"].put_object_tagging(Bucket=read_settings().papers_bucket, Key=key, Tagging=verdict)
    assert document.complete(version["id"]).data["status"] == "scanning"
    pass_time(clock, MINUTE)
    assert shown(document, version)["status"] == "scanning"


def test_an_older_file_stays_the_latest_while_the_next_is_scanned(document: DocumentScenario, clock: Clock) -> None:
    first = sent(document)
    tag(document, first, "NO_THREATS_FOUND")
    pass_time(clock, MINUTE)
    second = sent(document, content=PDF + b"more")
    assert document.document["latestVersionId"] == first["id"]
    tag(document, second, "THREATS_FOUND")
    pass_time(clock, MINUTE)
    assert document.document["latestVersionId"] == first["id"]
    assert len(stored_files(HELD["client"])) == 1


def test_what_was_deleted_while_it_was_scanned_stays_deleted(document: DocumentScenario, clock: Clock) -> None:
    version = sent(document)
    assert document.client.delete(f"{document.path}/versions/{version['id']}").status == 200
    pass_time(clock, MINUTE)
    assert document.client.get(f"{document.path}/versions").data == []
    other = sent(document)
    tag(document, other, "NO_THREATS_FOUND")
    assert document.client.delete(document.path).status == 200
    pass_time(clock, MINUTE)
    assert stored_events(document.board, "document.version_added") == []


def test_nothing_is_scanned_unless_the_parameter_says_so(
    scenario: BoardScenario, bucket: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALWARE_PROTECTION", "no")
    read_settings.cache_clear()
    assert not read_settings().malware_protection
    document = new_document(scenario)
    assert document.add()["status"] == "ready"
    assert stored_files(bucket) != []


@pytest.fixture(autouse=True)
def settings_of_this_test(monkeypatch: pytest.MonkeyPatch) -> Any:
    yield
    monkeypatch.undo()
    read_settings.cache_clear()
