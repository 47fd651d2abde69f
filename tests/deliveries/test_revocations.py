"""Rights that ended are recorded from a queue of their own: a bucket that refuses them holds up no event (ADR
restore)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from governance.ids import UserId, new_id
from governance.store.revocations import PREFIX
from governance.store.schema.entities import CALENDAR_FEED
from tests.harness import queue
from tests.harness.engine import clear_caches
from tests.harness.revocation_record import BUCKET, record_bucket
from tests.harness.stream import record, send_to_queue

pytestmark = pytest.mark.usefixtures("store")


def _removal() -> dict[str, Any]:
    key = CALENDAR_FEED.key_for(userId=UserId(new_id()), feedId=new_id())
    change = record(key.attributes, "REMOVE")
    change["dynamodb"]["ApproximateCreationDateTime"] = 1_900_000_000.0
    del change["dynamodb"]["NewImage"]
    return change


@pytest.fixture
def _named_bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The name of a bucket that is not there yet."""
    monkeypatch.setenv("REVOCATIONS_BUCKET", BUCKET)
    clear_caches()
    yield
    clear_caches()


def test_without_a_bucket_nothing_is_sent() -> None:
    assert send_to_queue([_removal()]) == []
    assert queue.current.messages == []


@pytest.mark.usefixtures("_named_bucket")
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


@pytest.mark.usefixtures("_named_bucket", "bucket")
def test_a_revocation_that_is_refused_for_good_is_a_dead_letter() -> None:
    send_to_queue([_removal()])
    for _ in range(queue.RECEIVES + 1):
        queue.current.now += queue.LONG_ENOUGH
        queue.current.deliver()
    assert [each.queue for each in queue.current.dead] == ["revocations"]
