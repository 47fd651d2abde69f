"""Idempotency keys: a repeat gets the first answer, byte for byte, and changes nothing."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from governance.limits import IDEMPOTENCY_HOURS
from governance.settings import settings
from governance.store.attributes import unmarshal
from governance.store.recorded_answers import answer_in, to_members
from tests.harness import sdk
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, Response
from tests.harness.clock import Clock
from tests.harness.counts import join_many
from tests.harness.observed_table import events as table_events

KEY = {"idempotency-key": "k-1"}


def create(client: Client, path: str, title: str = "Meeting", headers: dict[str, str] | None = None) -> Response:
    return client.call("POST", f"{path}/meetings", {"title": title}, headers=headers or KEY)


def test_a_repeat_is_the_same_bytes_and_one_meeting(scenario: BoardScenario) -> None:
    client = scenario.owner.client
    first, second = create(client, scenario.path), create(client, scenario.path)
    assert (second.status, second.text) == (first.status, first.text)
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert len(client.all(f"{scenario.path}/meetings")) == 1


def test_a_long_answer_is_recorded_in_few_bytes_and_repeated_byte_for_byte(scenario: BoardScenario) -> None:
    ids = [member.id for member in join_many(scenario.board_id, 100)]
    path, body = f"{scenario.path}/committees", {"name": "“Audit”", "memberIds": ids}
    first, second = (scenario.owner.client.call("POST", path, body, headers=KEY) for _ in range(2))
    assert (first.status, second.headers["Idempotent-Replayed"]) == (201, "true")
    assert second.text == first.text
    records = sdk.dynamodb().scan(
        TableName=settings().table_name,
        FilterExpression="begins_with(PK, :p)",
        ExpressionAttributeValues={":p": {"S": "IDEMPOTENCY#"}},
    )["Items"]
    (record,) = map(unmarshal, records)
    assert len(json.dumps(record)) < len(first.text)
    assert answer_in(record) == first.text


_INCOMPRESSIBLE = "".join(random.Random(1).choices([chr(code) for code in range(33, 127)], k=3000))  # noqa: S311


@given(st.text(max_size=3000))
@example(_INCOMPRESSIBLE)
@example("x" * 3000)
def test_a_recorded_answer_is_the_answer_and_never_longer(answer: str) -> None:
    members = to_members(answer)
    assert answer_in(members) == answer
    assert sum(len(text.encode()) for text in members.values()) <= len(answer.encode())


def test_another_body_under_the_key_is_a_conflict(scenario: BoardScenario) -> None:
    create(scenario.owner.client, scenario.path)
    assert create(scenario.owner.client, scenario.path, "Another").failure == (409, "IDEMPOTENCY_CONFLICT")
    spaced = scenario.owner.client.call("POST", f"{scenario.path}/meetings", raw='{"title":"Meeting"}', headers=KEY)
    assert spaced.failure == (409, "IDEMPOTENCY_CONFLICT")


def test_a_key_holds_for_one_path_and_one_principal(scenario: BoardScenario) -> None:
    ben, other = scenario.member("ben"), scenario.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    ids = {
        create(scenario.owner.client, scenario.path).data["id"],
        create(ben.client, scenario.path).data["id"],
        create(scenario.token(), scenario.path).data["id"],
        create(scenario.token(), scenario.path).data["id"],
        create(scenario.owner.client, f"/api/v1/boards/{other}").data["id"],
    }
    assert len(ids) == 5


def test_a_users_session_and_token_are_one_principal(scenario: BoardScenario) -> None:
    first = create(scenario.owner.client, scenario.path)
    assert create(scenario.personal_token(scenario.owner), scenario.path).text == first.text


def test_a_key_is_free_again_at_the_very_instant_of_its_end(scenario: BoardScenario, clock: Clock) -> None:
    clock.stop()
    first = create(scenario.owner.client, scenario.path)
    clock.advance(hours=IDEMPOTENCY_HOURS, milliseconds=-1)
    assert create(scenario.owner.client, scenario.path).text == first.text
    clock.advance(hours=IDEMPOTENCY_HOURS)
    assert create(scenario.owner.client, scenario.path, "Another").data["id"] != first.data["id"]


@pytest.mark.parametrize("path", ["/api/v1/me/tokens", "{board}/tokens"])
def test_a_secret_is_shown_once(scenario: BoardScenario, path: str) -> None:
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    where = path.format(board=scenario.path)
    first, second = (scenario.owner.client.call("POST", where, body, headers=KEY) for _ in range(2))
    assert first.data["secret"].startswith("svc_")
    assert second.data == {**first.data, "secret": None}
    assert list(json.loads(second.text)["data"]) == list(json.loads(first.text)["data"])


def test_only_what_succeeded_is_kept(scenario: BoardScenario) -> None:
    assert create(scenario.owner.client, scenario.path, " ").status == 400
    assert create(scenario.owner.client, scenario.path).status == 201
    scenario.set_billing_state("CANCELLED")
    assert create(scenario.owner.client, scenario.path).failure == (403, "BILLING_RESTRICTED")


@pytest.mark.parametrize("key", ["", "x" * 256, "ümlaut", "tab\there", "nul\0"])
def test_a_bad_key_is_a_400(scenario: BoardScenario, key: str) -> None:
    answer = create(scenario.owner.client, scenario.path, headers={"idempotency-key": key})
    assert answer.failure == (400, "INVALID_REQUEST_BODY")
    assert list(answer.fields) == ["Idempotency-Key"]


@pytest.mark.parametrize("key", ["x", "x" * 255, "with spaces ~!"])
def test_every_printable_key_will_do(scenario: BoardScenario, key: str) -> None:
    headers = {"idempotency-key": key}
    first = create(scenario.owner.client, scenario.path, headers=headers)
    assert create(scenario.owner.client, scenario.path, headers=headers).text == first.text


def test_whoever_may_not_is_refused_before_the_key_is_looked_at(scenario: BoardScenario) -> None:
    outsider = person("outsider").client
    assert create(outsider, scenario.path, headers={"idempotency-key": ""}).failure == (403, "FORBIDDEN")


def test_a_concurrent_repeat_gets_the_answer_of_the_first(scenario: BoardScenario) -> None:
    """The other request commits between this one's read and its write."""
    answers: list[Response] = []

    def overtaken(**_: Any) -> None:
        table_events.unregister("before-call.dynamodb.TransactWriteItems", overtaken)
        answers.append(create(scenario.owner.client, scenario.path))

    table_events.register("before-call.dynamodb.TransactWriteItems", overtaken)
    late = create(scenario.owner.client, scenario.path)
    assert late.text == answers[0].text
    assert late.headers["Idempotent-Replayed"] == "true"
    assert len(scenario.owner.client.all(f"{scenario.path}/meetings")) == 1
