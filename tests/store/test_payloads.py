"""Large texts lie in items of their own: who reads and writes them, and what happens if one is read too early."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from governance.store import payloads
from governance.store.schema.keys import Key
from governance.store.writes import Delete, Put, StaleRead
from tests.harness.action_item_scenario import new_action_item_scenario
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.fault_injection import hooked

NARRATIVE = {"uniform": {"narrative": "n" * 50_000}}


@contextmanager
def outdated_payloads() -> Iterator[list[str]]:
    """Lets the first read of a payload return the version before; collects the payloads that are read."""
    seen: list[str] = []

    def outdate(parsed: dict[str, Any], **_: Any) -> None:
        for items in parsed.get("Responses", {}).values():
            for item in (item for item in items if item["PK"]["S"].startswith("PAYLOAD#")):
                seen.append(item["SK"]["S"])
                if len(seen) == 1:
                    item["version"] = {"N": str(int(item["version"]["N"]) - 1)}

    with hooked("after-call.dynamodb.BatchGetItem", outdate):
        yield seen


@contextmanager
def touched_payloads() -> Iterator[list[str]]:
    """Collects the names of the operations that name a payload."""
    touched: list[str] = []

    def record(params: dict[str, Any], model: Any, **_: Any) -> None:
        if "PAYLOAD#" in str(params["body"]):
            touched.append(model.name)

    with hooked("before-call.dynamodb.*", record):
        yield touched


def dashboard(scenario: BoardScenario) -> str:
    owner, path = scenario.owner.client, f"{scenario.path}/reports"
    report = f"{path}/{owner.post(path, {'title': 'Q1'}).data['id']}/dashboards"
    return f"{report}/{owner.post(report, {'dashboardType': 'uniform', **NARRATIVE}).data['id']}"


def test_a_text_is_of_the_version_that_its_resource_names_or_the_read_is_stale() -> None:
    item = {"text": "t", "version": 2}
    assert [payloads.text_of(item, 2), payloads.text_of(item, 0), payloads.text_of(None, 0)] == ["t", None, None]
    for stored, version in ((item, 1), (item, 3), (None, 2)):
        with pytest.raises(StaleRead):
            payloads.text_of(stored, version)


def test_a_dashboard_is_never_shown_with_the_payload_of_another_version(scenario: BoardScenario) -> None:
    owner, path = scenario.owner.client, dashboard(scenario)
    expected = owner.get(path).text
    for request, reads in ((path, 2), (path.rpartition("/")[0], 3)):  # a list asks whether the row has changed
        with outdated_payloads() as seen:
            response = owner.get(request)
        assert len(seen) == reads
        assert response.status == 200
        assert "n" * 50_000 in response.text
    assert owner.get(path).text == expected


def test_a_change_is_never_merged_into_an_outdated_payload(scenario: BoardScenario) -> None:
    owner, path = scenario.owner.client, dashboard(scenario)
    with outdated_payloads():
        response = owner.patch(path, {"uniform": {"isAdHoc": True}})
    assert response.data["uniform"]["narrative"] == "n" * 50_000


def test_a_status_neither_reads_nor_writes_notes(scenario: BoardScenario) -> None:
    meeting = new_action_item_scenario(scenario)
    item = meeting.item(notes={"a": "n" * 50_000}, assigneeUserId=scenario.owner.id)
    owner = scenario.owner.client
    with touched_payloads() as touched:
        answers: list[Response] = [
            owner.patch(f"/api/action-items/{item['_id']}/status", {"status": "completed"}),
            owner.patch(f"{meeting.legacy}/{item['_id']}", {"status": "in_progress"}),
            owner.get(meeting.legacy),
            owner.get("/api/action-items/my"),
        ]
    assert [answer.status for answer in answers] == [200] * 4
    assert touched == []
    (listed,) = meeting.listed_items()
    assert listed["notes"] == item["notes"]


def test_a_payload_is_written_replaced_and_deleted_with_its_version() -> None:
    key = Key("PAYLOAD#1", "1")
    (put,) = payloads.write(key, "text", 0, 1)
    assert isinstance(put, Put)
    assert payloads.write(key, "text", 1, 1) == []
    assert payloads.write(key, None, 1, 2) == [Delete(key)]
