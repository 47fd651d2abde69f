"""A row that cannot be read holds up nothing that is behind it in the stream (ADR deliveries)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from governance.store.schema.entities import EXPORT, EXPORTS_PREFIX, USER
from governance.store.schema.history import AUDIT_PREFIX, EVENTS_PREFIX
from governance.store.schema.keys import PK, SK, make_item
from tests.harness import logs, queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.engine import clear_caches
from tests.harness.live import ENVIRONMENT
from tests.harness.revocation_record import BUCKET
from tests.harness.stream import record, send_to_queue

_USER = USER.key_for(userId="a" * 24)
UNREADABLE = {
    "an event": {PK: f"{EVENTS_PREFIX}b", SK: "BOARD#poison"},
    "an event of a right that ended": {PK: f"{EVENTS_PREFIX}b", SK: "BOARD#poison", "type": "member.removed"},
    "an audit entry": {PK: f"{AUDIT_PREFIX}b", SK: "poison"},
    "an export": {PK: f"{EXPORTS_PREFIX}b", SK: f"{EXPORT.sk_prefix}poison"},
    "an account": make_item(_USER, {}),
    "a document": {PK: "BOARD#b", SK: "DOCUMENT#poison"},
    "something else": {PK: "BOARD#b", SK: "poison"},
}


@pytest.fixture(autouse=True)
def _as_in_the_cloud(store: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # noqa: ARG001 - it sets up the rest
    for name, value in {**ENVIRONMENT, "REVOCATIONS_BUCKET": BUCKET}.items():
        monkeypatch.setenv(name, value)
    clear_caches()
    yield
    clear_caches()


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize("change", ["INSERT", "MODIFY"])
def test_a_row_that_cannot_be_read_fails_no_record(name: str, change: str) -> None:
    unreadable = record({**UNREADABLE[name], "nonsense": True}, change)
    unreadable["dynamodb"]["ApproximateCreationDateTime"] = 1_900_000_000.0
    assert send_to_queue([unreadable]) == []


def test_what_could_not_be_read_is_said_once(scenario: BoardScenario, capfd: pytest.CaptureFixture[str]) -> None:
    queue.current.deliver()
    capfd.readouterr()
    send_to_queue([record({**UNREADABLE["a document"], "nonsense": True}, "INSERT")])
    said = [line["kind"] for line in logs.lines(capfd.readouterr().out) if line["message"] == "delivery failed"]
    assert said == ["ring"]
    assert scenario.owner.client.get(scenario.path).status == 200
