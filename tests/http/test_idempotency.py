"""Idempotency keys: a repeat gets the first answer, byte for byte, and changes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.store import table
from tests.harness.client import Answer, Client
from tests.harness.world import World, person

KEY = {"idempotency-key": "k-1"}


def create(client: Client, path: str, title: str = "Meeting", headers: dict[str, str] | None = None) -> Answer:
    return client.call("POST", f"{path}/meetings", {"title": title}, headers=headers or KEY)


def test_a_repeat_is_the_same_bytes_and_one_meeting(world: World) -> None:
    client = world.owner.client
    first, second = create(client, world.path), create(client, world.path)
    assert (second.status, second.text) == (first.status, first.text)
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert len(client.all(f"{world.path}/meetings")) == 1


def test_another_body_under_the_key_is_a_conflict(world: World) -> None:
    create(world.owner.client, world.path)
    assert create(world.owner.client, world.path, "Another").failure == (409, "IDEMPOTENCY_CONFLICT")
    spaced = world.owner.client.call("POST", f"{world.path}/meetings", raw='{"title":"Meeting"}', headers=KEY)
    assert spaced.failure == (409, "IDEMPOTENCY_CONFLICT")


def test_a_key_holds_for_one_path_and_one_principal(world: World) -> None:
    ben, other = world.member("ben"), world.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    ids = {
        create(world.owner.client, world.path).data["id"],
        create(ben.client, world.path).data["id"],
        create(world.token(), world.path).data["id"],
        create(world.token(), world.path).data["id"],
        create(world.owner.client, f"/api/v1/boards/{other}").data["id"],
    }
    assert len(ids) == 5


def test_a_users_session_and_token_are_one_principal(world: World) -> None:
    first = create(world.owner.client, world.path)
    assert create(world.personal_token(world.owner), world.path).text == first.text


def test_a_key_is_forgotten_after_a_day(world: World, clock: Any) -> None:
    first = create(world.owner.client, world.path)
    clock.advance(hours=23, minutes=59)
    assert create(world.owner.client, world.path).data["id"] == first.data["id"]
    clock.advance(hours=24, minutes=1)
    assert create(world.owner.client, world.path, "Another").data["id"] != first.data["id"]


@pytest.mark.parametrize("path", ["/api/v1/me/tokens", "{board}/tokens"])
def test_a_secret_is_shown_once(world: World, path: str) -> None:
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    where = path.format(board=world.path)
    first, second = (world.owner.client.call("POST", where, body, headers=KEY) for _ in range(2))
    assert first.data["secret"].startswith("svc_")
    assert second.data == {**first.data, "secret": None}
    assert list(json.loads(second.text)["data"]) == list(json.loads(first.text)["data"])


def test_only_what_succeeded_is_kept(world: World) -> None:
    assert create(world.owner.client, world.path, " ").status == 400
    assert create(world.owner.client, world.path).status == 201
    world.bill("CANCELLED")
    assert create(world.owner.client, world.path).failure == (403, "BILLING_RESTRICTED")


@pytest.mark.parametrize("key", ["", "x" * 256, "ümlaut", "tab\there", "nul\0"])
def test_a_bad_key_is_a_400(world: World, key: str) -> None:
    answer = create(world.owner.client, world.path, headers={"idempotency-key": key})
    assert answer.failure == (400, "INVALID_REQUEST_BODY")
    assert list(answer.fields) == ["Idempotency-Key"]


@pytest.mark.parametrize("key", ["x", "x" * 255, "with spaces ~!"])
def test_every_printable_key_will_do(world: World, key: str) -> None:
    headers = {"idempotency-key": key}
    first = create(world.owner.client, world.path, headers=headers)
    assert create(world.owner.client, world.path, headers=headers).text == first.text


def test_whoever_may_not_is_refused_before_the_key_is_looked_at(world: World) -> None:
    outsider = person("outsider").client
    assert create(outsider, world.path, headers={"idempotency-key": ""}).failure == (403, "FORBIDDEN")


def test_a_concurrent_repeat_gets_the_answer_of_the_first(world: World) -> None:
    """The other request commits between this one's read and its write."""
    real = table.client()
    answers: list[Answer] = []

    def overtaken(**_: Any) -> None:
        real.meta.events.unregister("before-call.dynamodb.TransactWriteItems", overtaken)
        answers.append(create(world.owner.client, world.path))

    real.meta.events.register("before-call.dynamodb.TransactWriteItems", overtaken)
    late = create(world.owner.client, world.path)
    assert late.text == answers[0].text
    assert late.headers["Idempotent-Replayed"] == "true"
    assert len(world.owner.client.all(f"{world.path}/meetings")) == 1
