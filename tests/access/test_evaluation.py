"""The evaluation of access: its bodies, its subjects, what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from governance.ids import UserId
from infra.openapi import operations
from infra.openapi.document import apis
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.client import Client, Response
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.table_snapshot import TableSnapshot

ONE, MANY = "/api/v1/access/evaluation", "/api/v1/access/evaluations"
LIMIT = 200


def question(action: str, path: str, user: Person | None = None) -> dict[str, Any]:
    subject = {"subject": {"type": "user", "id": user.id}} if user else {}
    return {"action": {"name": action}, "resource": {"type": "route", "id": path}, **subject}


def ask(client: Client, action: str, path: str, user: Person | None = None) -> Any:
    response = client.post(ONE, question(action, path, user))
    assert response.status == 200, response.text
    return response.json


def code(answer: Any) -> str | None:
    return answer["context"] and str(answer["context"]["code"])


def draft_of(member: Person, scenario: BoardScenario) -> str:
    return f"{scenario.path}/meetings/{member.client.post(f'{scenario.path}/meetings', {'title': 'Plan'}).data['id']}"


def test_a_refusal_is_the_error_of_the_route(scenario: BoardScenario) -> None:
    guest = scenario.member("gwen", access_type="guest")
    error = guest.client.post(f"{scenario.path}/meetings", {"title": "Plan"}).json["error"]
    answer = ask(guest.client, "createMeeting", f"{scenario.path}/meetings")
    assert answer == {"decision": False, "context": {"code": "FORBIDDEN", "status": 403, "message": error["message"]}}


def test_members_that_the_standard_adds_and_idempotency_keys_are_ignored(scenario: BoardScenario) -> None:
    asked = question("getBoard", scenario.path)
    asked["action"]["properties"] = {"method": "GET"}
    asked |= {"context": {"time": "2026-10-26T01:22Z"}, "future": {"nested": True}}
    answers = [scenario.owner.client.post(ONE, asked, idempotency_key="k" * 300) for _ in range(2)]
    assert [answer.json["decision"] for answer in answers] == [True, True]
    assert "Idempotent-Replayed" not in answers[1].headers


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"resource": {"type": "route", "id": "/api/v1/me"}}, "action"),
        ({"action": {"name": "getMe"}}, "resource"),
        (question("getMee", "/api/v1/me"), "action.name"),
        (question("getMe", "/api/v1/whoami"), "resource.id"),
        (question("getMe", "/api/v1/me?x=1"), "resource.id"),
        (question("getMe", "/api/v1/me/"), "resource.id"),
        (question("getBoard", "/api/v1/boards/a/b"), "resource.id"),
        (question("getBoard", "/api/v1/boards/.."), "resource.id"),
        (question("getBoard", "/api/v1/boards/a%2fb"), "resource.id"),
        (question("listMySentInvites", "/api/invite/other"), "resource.id"),
        (question("markNotificationRead", "/api/notification/read/all"), "resource.id"),
        (question("getMe", "/api/v1/me") | {"subject": {"type": "group", "id": "a"}}, "subject.type"),
        ({"action": {"name": "getMe"}, "resource": {"type": "document", "id": "/api/v1/me"}}, "resource.type"),
        ({"action": {"name": 1}, "resource": {"type": "route", "id": "/api/v1/me"}}, "action.name"),
    ],
)
def test_a_malformed_evaluation_is_refused(asked: Any, field: str, scenario: BoardScenario) -> None:
    response = scenario.owner.client.post(ONE, asked)
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert list(response.fields) == [field]


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=8
)
_IDS = st.sampled_from(["user", "route", "getBoard", "getMe", "/api/v1/me", "\ud800", "\x00", "a" * 24, ""]) | st.text()


def _entities(names: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Returns objects with these members, or some of them, or more, of any kind."""
    member = st.dictionaries(st.sampled_from(names) | st.text(), _IDS | _JSON, max_size=4)
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, _IDS)) | member | _JSON


_EVALUATIONS = st.fixed_dictionaries(
    {},
    optional={
        "subject": _entities(("type", "id", "properties")),
        "action": _entities(("name", "properties")) | st.just({"name": "getMe"}),
        "resource": _entities(("type", "id", "properties")) | st.just({"type": "route", "id": "/api/v1/me"}),
        "context": _JSON,
    },
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(asked=_EVALUATIONS | _JSON)
def test_any_json_as_an_evaluation_is_answered_or_refused(scenario: BoardScenario, asked: Any) -> None:
    for path, body in ((ONE, asked), (MANY, {"evaluations": [asked]})):
        assert scenario.owner.client.call("POST", path, body).status in (200, 400)


def test_an_evaluation_makes_the_calls_that_checking_the_route_takes(scenario: BoardScenario, pool: InlinePool) -> None:
    hidden = draft_of(scenario.member("ben"), scenario)
    absent = f"{scenario.path}/meetings/{'0' * 24}"
    for path in (hidden, absent):
        with count_store_calls(pool) as calls:
            assert code(ask(scenario.owner.client, "getMeeting", path)) == "RESOURCE_NOT_FOUND"
        assert calls.sequential == ["BatchGetItem", "BatchGetItem"]
    before = TableSnapshot()
    ask(scenario.owner.client, "deleteBoard", scenario.path)
    assert not before.changes()


# -- many evaluations


def test_what_an_evaluation_leaves_out_is_taken_from_the_body(scenario: BoardScenario) -> None:
    guest = scenario.member("gwen", access_type="guest")
    body = {
        **question("listMeetings", f"{scenario.path}/meetings"),
        "evaluations": [{}, {"action": {"name": "createMeeting"}}, question("getMe", "/api/v1/me")],
    }
    answer = guest.client.post(MANY, body)
    assert [evaluated["decision"] for evaluated in answer.json["evaluations"]] == [True, False, True]


@pytest.mark.parametrize(
    ("semantic", "decisions"),
    [
        ("execute_all", [True, False, True]),
        ("deny_on_first_deny", [True, False]),
        ("permit_on_first_permit", [True]),
        (None, [True, False, True]),
    ],
)
def test_the_semantic_says_where_the_decisions_end(
    semantic: str | None, decisions: list[bool], scenario: BoardScenario
) -> None:
    body = {
        "evaluations": [
            question("getMe", "/api/v1/me"),
            question("getBoard", f"/api/v1/boards/{'0' * 24}"),
            question("getBoard", scenario.path),
        ],
        "options": {"evaluations_semantic": semantic, "another_option": 1},
    }
    answer = scenario.owner.client.post(MANY, body)
    assert [evaluated["decision"] for evaluated in answer.json["evaluations"]] == decisions


@pytest.mark.parametrize("rest", [{}, {"evaluations": []}, {"evaluations": None}])
def test_a_body_without_evaluations_is_one(rest: Any, scenario: BoardScenario) -> None:
    answer = scenario.owner.client.post(MANY, question("getMe", "/api/v1/me") | rest)
    assert answer.json == {"decision": True, "context": None}


def test_every_fault_of_many_is_named(scenario: BoardScenario) -> None:
    body = {"evaluations": [{}, question("nothing", "/"), question("getMe", "/x"), question("getMe", "/api/v1/me")]}
    assert list(scenario.owner.client.post(MANY, body).fields) == [
        "evaluations.0.action",
        "evaluations.0.resource",
        "evaluations.1.action.name",
        "evaluations.2.resource.id",
    ]


def test_a_hundred_are_read_together_and_one_more_is_refused(scenario: BoardScenario, pool: InlinePool) -> None:
    asked = [question("getMeeting", f"{scenario.path}/meetings/{number:024x}") for number in range(101)]
    with count_store_calls(pool) as calls:
        answer = scenario.owner.client.post(MANY, {"evaluations": asked[:100]})
    assert len(answer.json["evaluations"]) == 100
    assert len([name for name in calls.sequential if name == "BatchGetItem"]) == 2
    assert list(scenario.owner.client.post(MANY, {"evaluations": asked}).fields) == ["evaluations"]


# -- rate limit


@pytest.fixture
def limited(pool: InlinePool) -> Iterator[BoardScenario]:
    del pool
    with engine.fresh_table(RATE_LIMIT_PRINCIPAL=str(LIMIT)):
        yield new_board_scenario()


def left(response: Response) -> int:
    return int(response.headers["RateLimit-Remaining"])


def test_each_evaluation_counts_as_a_request(limited: BoardScenario) -> None:
    client = limited.owner.client
    before = left(client.get("/api/v1/me"))
    asked = {"evaluations": [question("getMe", "/api/v1/me")] * 50}
    assert left(client.post(MANY, asked)) == before - 50
    assert left(client.get("/api/v1/me")) == before - 51


def test_more_evaluations_than_the_window_has_left_are_refused(limited: BoardScenario) -> None:
    client = limited.owner.client
    asked = {"evaluations": [question("getMe", "/api/v1/me")] * 100}
    assert client.post(MANY, asked).status == 200
    refused = client.post(MANY, asked)
    assert refused.failure == (429, "RATE_LIMITED")
    assert int(refused.headers["Retry-After"]) > 0
    assert client.get("/api/v1/me").status == 200  # what is left serves smaller requests


# -- about somebody else


def test_an_admin_asks_about_members_of_the_board(scenario: BoardScenario) -> None:
    admin = scenario.member("adam", admin_role="admin")
    guest, ben = scenario.member("gwen", access_type="guest"), scenario.member("ben")
    path = f"{scenario.path}/meetings"
    assert ask(admin.client, "createMeeting", path, ben)["decision"] is True
    assert code(ask(admin.client, "createMeeting", path, guest)) == "FORBIDDEN"
    assert ask(scenario.personal_token(admin, "read_only"), "createMeeting", path, ben)["decision"] is True


@pytest.mark.parametrize("asking", ["member", "outsider", "board token"])
def test_nobody_else_asks_about_others(asking: str, scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    clients = {"member": ben.client, "outsider": person("otto").client, "board token": scenario.token()}
    for path in (scenario.path, f"/api/v1/boards/{'0' * 24}"):
        if asking == "board token" and path != scenario.path:
            continue
        assert code(ask(clients[asking], "getBoard", path, scenario.owner)) == "FORBIDDEN"


def test_a_route_without_a_board_is_asked_about_for_oneself_only(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    assert code(ask(scenario.owner.client, "getMe", "/api/v1/me", ben)) == "FORBIDDEN"
    assert ask(ben.client, "getMe", "/api/v1/me", ben)["decision"] is True


def test_a_user_who_is_no_member_is_that_and_nothing_else(scenario: BoardScenario) -> None:
    otto = person("otto")
    answer = ask(scenario.owner.client, "getBoard", scenario.path, otto)
    assert answer == ask(otto.client, "getBoard", scenario.path)


@pytest.mark.parametrize("subject", ["", "not-an-id", "x" * 3000], ids=["empty", "short", "long"])
def test_what_is_no_id_is_no_member(subject: str, scenario: BoardScenario) -> None:
    nobody, otto = Person(UserId(subject), "", scenario.owner.client), person("otto")
    for action, route in (
        ("getBoard", scenario.path),
        ("listDocuments", f"{scenario.path}/documents"),
        ("listBoardEvents", f"{scenario.path}/events"),
        ("createInvite", f"/api/invite/{scenario.board_id}"),
        ("sendTestInvite", f"/api/invite/{scenario.board_id}/test"),
    ):
        assert ask(scenario.owner.client, action, route, nobody) == ask(scenario.owner.client, action, route, otto)


def test_another_members_draft_is_not_found_by_asking_about_its_creator(scenario: BoardScenario) -> None:
    ben, guest = scenario.member("ben"), scenario.member("gwen", access_type="guest")
    hidden, absent = draft_of(ben, scenario), f"{scenario.path}/meetings/{'0' * 24}"
    assert ask(ben.client, "getMeeting", hidden)["decision"] is True
    owner = scenario.owner.client
    for action, user in (("getMeeting", ben), ("deleteMeeting", ben), ("getMeeting", guest), ("deleteMeeting", guest)):
        assert ask(owner, action, hidden, user) == ask(owner, action, absent, user)
    assert code(ask(owner, "deleteMeeting", absent, guest)) == "FORBIDDEN"


def test_one_asks_about_oneself_with_ones_own_credential_whose_missing_scope_is_named(scenario: BoardScenario) -> None:
    reader = scenario.personal_token(scenario.owner, "read_only")
    for user in (None, scenario.owner):
        answer = ask(reader, "createMeeting", f"{scenario.path}/meetings", user)
        assert answer["context"]["requiredScope"] == "meetings:write"


# -- the index


def test_the_index_of_operations_is_the_one_that_the_routes_draw() -> None:
    assert operations.FILE.read_text(encoding="utf-8") == operations.text(apis()), "run `make openapi`"
