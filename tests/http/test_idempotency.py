"""Idempotency keys: a repeat gets the first answer, byte for byte, and changes nothing."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from governance.ids import BoardId, membership_id
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


def test_a_repeat_is_not_found_where_the_caller_sees_no_more_what_the_path_names(scenario: BoardScenario) -> None:
    ann, owner = scenario.member("ann").client, scenario.owner.client
    meeting = owner.post(f"{scenario.path}/meetings", {"title": "A", "status": "scheduled"}).data["id"]
    path = f"{scenario.path}/meetings/{meeting}"
    slot, comment = {"startTime": "2098-01-01T00:00:00Z", "timezone": "UTC"}, {"text": "Why?"}
    requests: list[tuple[str, Any]] = [
        (f"{path}/slots", slot),
        (f"{path}/comments", comment),
        (f"{path}/guest-link", None),
        (f"{path}/action-items", {"title": "Ask"}),
    ]
    first = [ann.post(to, body, idempotency_key="k") for to, body in requests]
    assert {response.status for response in first} == {201}
    assert {ann.post(to, body, idempotency_key="k").status for to, body in requests} == {201}
    assert owner.patch(path, {"status": "draft"}).status == 200
    assert {ann.post(to, body, idempotency_key="k").failure for to, body in requests} == {(404, "RESOURCE_NOT_FOUND")}
    assert owner.delete(path).status == 200
    assert {ann.post(to, body, idempotency_key="k").status for to, body in requests} == {404}


def test_a_repeat_is_not_found_where_the_caller_sees_no_more_what_was_created(scenario: BoardScenario) -> None:
    ann, ben, owner = scenario.member("ann"), scenario.member("ben"), scenario.owner.client
    committee = scenario.committee(ann, ben)
    requests: list[tuple[str, Any]] = [
        (f"{scenario.path}/documents", {"title": "Terms", "committeeId": committee}),
        (f"{scenario.path}/resolutions", {"title": "Terms", "text": "Agreed.", "committeeId": committee}),
    ]
    first = [ann.client.post(to, body, idempotency_key="k") for to, body in requests]
    assert [response.status for response in first] == [201, 201]
    repeats = [ann.client.post(to, body, idempotency_key="k") for to, body in requests]
    assert [response.text for response in repeats] == [response.text for response in first]
    left = {"memberIds": [membership_id(scenario.board_id, ben.id)]}
    assert owner.patch(f"{scenario.path}/committees/{committee}", left).status == 200
    repeats = [ann.client.post(to, body, idempotency_key="k") for to, body in requests]
    assert {response.failure for response in repeats} == {(404, "RESOURCE_NOT_FOUND")}


def test_a_repeat_is_not_found_where_what_was_created_is_gone(scenario: BoardScenario) -> None:
    ann, path = scenario.member("ann").client, f"{scenario.path}/meetings"
    meeting = ann.post(path, {"title": "A"}, idempotency_key="k").data["id"]
    assert ann.post(path, {"title": "A"}, idempotency_key="k").data["id"] == meeting
    assert ann.delete(f"{path}/{meeting}").status == 200
    assert ann.post(path, {"title": "A"}, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("path", ["/api/v1/boards", "/api/v1/me/example-board"])
@pytest.mark.parametrize("end", ["left", "deleted"])
def test_a_repeat_of_a_boards_creation_is_not_found_once_its_maker_is_no_member(
    scenario: BoardScenario, path: str, end: str
) -> None:
    ann, ben = scenario.member("ann"), scenario.member("ben")
    body = {"name": "Fund"} if path.endswith("boards") else None
    made = ann.client.post(path, body, idempotency_key="k")
    assert made.status == 201
    assert ann.client.post(path, body, idempotency_key="k").text == made.text
    own = BoardScenario(ann, BoardId(made.data["id"]))
    if end == "left":
        own.join(ben)
        heir = {"memberId": membership_id(own.board_id, ben.id)}
        assert ann.client.post(f"{own.path}/ownership-transfer", heir).status == 200
        assert ann.client.delete(own.member_path(ann)).status == 200
    else:
        assert ann.client.delete(own.path).status == 200
    assert ann.client.post(path, body, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


def test_a_repeat_does_not_name_a_person_whose_data_was_removed(scenario: BoardScenario) -> None:
    people, owner = f"{scenario.path}/unregistered-users", scenario.owner.client
    body = {"firstName": "Anna", "email": "anna@example.com"}
    anna = owner.post(people, body, idempotency_key="k").data
    assert owner.post(people, body, idempotency_key="k").data == anna
    assert owner.post(f"{people}/{anna['id']}/scrub").status == 200
    assert owner.post(people, body, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


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
