"""The engine of `make run` saves its data while it runs."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.local import engine, engine_state
from infra.local.engine_clients import Message, Receive, Send
from infra.local.saving_engine import SavingApp, changes_data

_SECONDS = 30
_TABLE: dict[str, Any] = {
    "TableName": "kept",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def request(target: str = "", method: str = "POST") -> Message:
    headers = [(b"X-Amz-Target", f"Service.{target}".encode())] if target else []
    return {"type": "http", "method": method, "headers": headers}


def test_a_write_changes_data_and_a_read_does_not() -> None:
    for target in ("PutItem", "TransactWriteItems", "SendMessage", "DeleteMessage", "CreateKey"):
        assert changes_data(request(target)), target
    for target in ("GetItem", "BatchGetItem", "Query", "DescribeTable", "ReceiveMessage"):
        assert not changes_data(request(target)), target
    assert changes_data(request(method="PUT"))
    assert not changes_data(request(method="GET"))


async def _application(_scope: Message, receive: Receive, _send: Send) -> None:
    await receive()


async def _until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(_SECONDS):
        while not reached():
            await asyncio.sleep(0.01)


class Lifetime:
    """An engine's lifetime around requests: its data are a number, which each copy holds."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.value = 0
        self.failures = 0
        self.begun = 0
        self.cannot_begin = False
        self.app = SavingApp(_application, self._begin, root, 0.01)
        self._stop = asyncio.Event()
        self._lifespan = asyncio.create_task(self.app({"type": "lifespan"}, self._receive, _send))

    def _begin(self) -> Callable[[Path], None]:
        self.begun += 1
        if self.cannot_begin:
            raise ValueError("a position is cut short")
        return self._save

    def _save(self, folder: Path) -> None:
        if self.failures:
            raise OSError("full")
        (folder / "value.json").write_text(json.dumps(self.value))

    async def _receive(self) -> Message:
        await self._stop.wait()
        return {"type": "lifespan.shutdown"}

    async def write(self, value: int) -> None:
        self.value = value
        await self.app(request("PutItem"), _received, _send)

    async def stop(self) -> None:
        self._stop.set()
        await self._lifespan

    def saved(self) -> Any:
        copy = engine_state.recover(self.root).copy
        return copy and json.loads((copy / "value.json").read_text())


async def _received() -> Message:
    return {"type": "http.request"}


async def _send(_message: Message) -> None:
    return None


def test_a_copy_that_failed_is_tried_again(tmp_path: Path) -> None:
    async def run() -> None:
        lifetime = Lifetime(tmp_path)
        lifetime.failures = 1
        await lifetime.write(1)
        await _until((tmp_path / "unfinished").exists)
        lifetime.failures = 0
        await _until(lambda: bool(lifetime.saved() == 1))
        await lifetime.stop()

    asyncio.run(run())


def test_a_copy_that_cannot_begin_is_tried_again(tmp_path: Path) -> None:
    async def run() -> None:
        lifetime = Lifetime(tmp_path)
        lifetime.cannot_begin = True
        await lifetime.write(1)
        await _until(lambda: lifetime.begun > 1)
        lifetime.cannot_begin = False
        await _until(lambda: bool(lifetime.saved() == 1))
        await lifetime.stop()

    asyncio.run(run())


@contextmanager
def started(state: Path) -> Iterator[engine.Engine]:
    running = engine.start(engine.MINISTACK, state)
    try:
        yield running
    finally:
        running.stop()


def dynamodb(running: engine.Engine) -> Any:
    return boto3.client(
        "dynamodb",
        endpoint_url=running.environment["AWS_ENDPOINT_URL"],
        region_name=engine.REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )


def newest(state: Path) -> str:
    copy = engine_state.recover(state / "engine").copy
    return (copy / "dynamodb.json").read_text() if copy and (copy / "dynamodb.json").exists() else ""


@pytest.mark.slow
def test_a_killed_engine_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    running = engine.start(engine.MINISTACK, tmp_path)
    dynamodb(running).create_table(**_TABLE)
    dynamodb(running).put_item(TableName="kept", Item={"PK": {"S": "acknowledged"}})
    end = time.monotonic() + _SECONDS
    while "acknowledged" not in newest(tmp_path):
        assert time.monotonic() < end, "nothing was saved"
        time.sleep(0.05)
    os.kill(running.processes[0].pid, signal.SIGKILL)
    running.processes[0].wait()
    with started(tmp_path) as recovered:
        assert dynamodb(recovered).scan(TableName="kept")["Items"] == [{"PK": {"S": "acknowledged"}}]
        assert len(recovered.report) == 1
        assert "did not stop cleanly" in recovered.report[0]
    with started(tmp_path) as again:
        assert again.report == []
        assert dynamodb(again).scan(TableName="kept")["Count"] == 1


@pytest.mark.slow
def test_the_engine_starts_without_the_copy_that_is_damaged(tmp_path: Path) -> None:
    with started(tmp_path) as running:
        dynamodb(running).create_table(**_TABLE)
    for copy in (tmp_path / "engine").iterdir():
        (copy / "dynamodb.json").write_text("{")
    with started(tmp_path) as recovered:
        assert "set aside" in recovered.report[0]
        assert dynamodb(recovered).list_tables()["TableNames"] == []
