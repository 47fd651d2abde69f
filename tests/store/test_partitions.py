"""A partition with its index entries has room for 10 GB: the approach is counted, a full one is a 409 (ADR history)."""

from __future__ import annotations

import json

import pytest

from governance.store import partitions
from governance.store.schema.entities import BOARD_TOKEN
from governance.store.table import read_one
from tests.harness import logs
from tests.harness.board_scenario import BoardScenario
from tests.harness.fault_injection import estimated_size, refused

MEETING = {"title": "Meeting"}
TOKEN = {"name": "robot", "preset": "read_only", "expiresInDays": None}


def test_a_revocation_makes_the_token_smaller_so_that_a_full_partition_takes_it(scenario: BoardScenario) -> None:
    token = scenario.owner.client.post(f"{scenario.path}/tokens", TOKEN).data["id"]
    key = BOARD_TOKEN.key_for(boardId=scenario.board_id, tokenId=token)
    before = read_one(key)
    assert scenario.owner.client.delete(f"{scenario.path}/tokens/{token}").status == 200
    after = read_one(key)
    assert before is not None
    assert after is not None
    assert (after["digest"], after["revokedAt"] is None) == ("", False)
    assert len(json.dumps(after)) < len(json.dumps(before))


def test_a_read_is_answered_although_its_partition_takes_no_record_of_it(scenario: BoardScenario) -> None:
    document = scenario.owner.client.post(f"{scenario.path}/documents", {"title": "Policy"}).data
    full = refused("TransactWriteItems", "TransactionCanceledException", reason="ItemCollectionSizeLimitExceeded")
    with full as refusals:
        response = scenario.owner.client.get(f"{scenario.path}/documents/{document['id']}")
    assert (response.status, response.data) == (200, document)
    assert len(refusals) == 1


@pytest.mark.parametrize(
    ("pk", "gigabytes", "named"),
    [
        ("BOARD#0123", 7.9, None),
        ("BOARD#0123", 8.0, "BOARD#0123"),
        ("AUDIT#0123#2031-01", 9.5, "AUDIT#0123#2031-01"),
        ("EMAIL#ann@example.com", 8.0, "EMAIL"),
    ],
)
def test_a_large_partition_is_counted_and_logged_once_with_its_size(
    scenario: BoardScenario,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    pk: str,
    gigabytes: float,
    named: str | None,
) -> None:
    partitions._log.cache_clear()
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    capfd.readouterr()
    with estimated_size(pk, gigabytes):
        for _ in range(2):
            assert scenario.owner.client.post(f"{scenario.path}/meetings", MEETING).status == 201
    written = capfd.readouterr().out
    lines = [line for line in logs.lines(written) if line["message"] == "large partition"]
    counted = [metric for metric in logs.metrics(written) if "LargeCollections" in metric]
    logged = [(line["partition"], line["gigabytes"]) for line in lines]
    assert logged == ([(named, int(gigabytes))] if named else [])
    assert len(counted) == (2 if named else 0)
    assert "ann@" not in written
