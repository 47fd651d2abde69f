"""From the stream to the queue: a row that cannot be read, and a bucket that takes no revocations, hold up nothing that
is behind them (ADR deliveries, ADR restore)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from governance.ids import UserId, new_id
from governance.store.history.revocations import PREFIX
from governance.store.schema.entities import CALENDAR_FEED, USER
from governance.store.schema.history import AUDIT_PREFIX, EVENTS_PREFIX
from governance.store.schema.jobs import EXPORT, EXPORTS_PREFIX
from governance.store.schema.keys import PK, SK, make_item
from tests.harness import logs, queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.engine import clear_caches
from tests.harness.live import ENVIRONMENT
from tests.harness.revocation_record import BUCKET, record_bucket
from tests.harness.stream import record, send_to_queue

pytestmark = pytest.mark.usefixtures("store")
UNREADABLE = {
    "an event": {PK: f"{EVENTS_PREFIX}b", SK: "BOARD#poison"},
    "an event of a right that ended": {PK: f"{EVENTS_PREFIX}b", SK: "BOARD#poison", "type": "member.removed"},
    "an audit entry": {PK: f"{AUDIT_PREFIX}b", SK: "poison"},
    "an export": {PK: f"{EXPORTS_PREFIX}b", SK: f"{EXPORT.sk_prefix}poison"},
    "an account": make_item(USER.key_for(userId="a" * 24), {}),
    "a document": {PK: "BOARD#b", SK: "DOCUMENT#poison"},
    "something else": {PK: "BOARD#b", SK: "poison"},
}


@pytest.fixture
def _as_in_the_cloud(store: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # noqa: ARG001 - it sets up the rest
    """Everything that events may lead to is there, by name: the bucket of revocations is made by the test."""
    for name, value in {**ENVIRONMENT, "REVOCATIONS_BUCKET": BUCKET}.items():
        monkeypatch.setenv(name, value)
    clear_caches()
    yield
    clear_caches()


@pytest.mark.usefixtures("_as_in_the_cloud")
@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize("change", ["INSERT", "MODIFY"])
def test_a_row_that_cannot_be_read_fails_no_record(name: str, change: str) -> None:
    unreadable = record({**UNREADABLE[name], "nonsense": True}, change)
    unreadable["dynamodb"]["ApproximateCreationDateTime"] = 1_900_000_000.0
    assert send_to_queue([unreadable]) == []


@pytest.mark.usefixtures("_as_in_the_cloud")
def test_what_could_not_be_read_is_said_once(scenario: BoardScenario, capfd: pytest.CaptureFixture[str]) -> None:
    queue.current.deliver()
    capfd.readouterr()
    send_to_queue([record({**UNREADABLE["a document"], "nonsense": True}, "INSERT")])
    said = [line["kind"] for line in logs.lines(capfd.readouterr().out) if line["message"] == "delivery failed"]
    assert said == ["ring"]
    assert scenario.owner.client.get(scenario.path).status == 200


def _removal() -> dict[str, Any]:
    """Returns the record of a right that ended: a deleted calendar feed."""
    key = CALENDAR_FEED.key_for(userId=UserId(new_id()), feedId=new_id())
    change = record(key.attributes, "REMOVE")
    change["dynamodb"]["ApproximateCreationDateTime"] = 1_900_000_000.0
    del change["dynamodb"]["NewImage"]
    return change


def test_without_a_bucket_no_revocation_is_sent() -> None:
    assert send_to_queue([_removal()]) == []
    assert queue.current.messages == []


@pytest.mark.usefixtures("_as_in_the_cloud")
def test_a_bucket_that_refuses_fails_no_record_of_the_stream_and_takes_the_revocation_later(bucket: Any) -> None:
    assert send_to_queue([_removal()]) == []
    queue.current.deliver()
    (waiting,) = queue.current.messages
    assert (waiting.queue, waiting.receives) == ("revocations", 1)
    with record_bucket(bucket):
        queue.current.now += queue.LONG_ENOUGH
        queue.current.deliver()
        assert queue.current.messages == []
        (written,) = boto3.client("s3").list_objects_v2(Bucket=BUCKET)["Contents"]
        assert written["Key"].startswith(PREFIX)


@pytest.mark.usefixtures("_as_in_the_cloud", "bucket")
def test_a_revocation_that_is_refused_for_good_is_a_dead_letter() -> None:
    send_to_queue([_removal()])
    for _ in range(queue.RECEIVES + 1):
        queue.current.now += queue.LONG_ENOUGH
        queue.current.deliver()
    assert [message.queue for message in queue.current.dead] == ["revocations"]
