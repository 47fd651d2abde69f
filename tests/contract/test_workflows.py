"""The Arazzo documents of the workflows agree with the API reference; a slow test runs them (`tests/workflows/`)."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema_rs
import pytest

from infra.local.event import HttpRequest
from infra.local.service import published, service
from infra.openapi import arazzo
from infra.openapi.document import FILE
from infra.openapi.site import installation_files
from infra.openapi.workflow import Step, Workflow, workflows

_ROOT = "https://board.example"
_API: dict[str, Any] = json.loads(FILE.read_text())
_OPERATIONS: dict[str, Any] = {
    operation["operationId"]: operation
    for item in _API["paths"].values()
    for method, operation in item.items()
    if method != "parameters"
}
_DRAWN: dict[str, Any] = {
    name: arazzo.document(name, workflow, _ROOT)["workflows"][0] for name, workflow in workflows().items()
}
_STEPS = [
    pytest.param(step, drawn["inputs"]["properties"], id=f"{name}-{step['stepId']}")
    for name, drawn in _DRAWN.items()
    for step in drawn["steps"]
]
_STEPS_ALONE = [pytest.param(case.values[0], id=case.id) for case in _STEPS]
_ID = "5d0b7e21c94f3a68b7d1e2f3"


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = _API["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _choices(schema: dict[str, Any]) -> list[dict[str, Any]]:
    schema = _resolved(schema)
    parts = [part for kind in ("anyOf", "oneOf", "allOf") for part in schema.get(kind, ())]
    return [choice for part in parts for choice in _choices(part)] or [schema]


def _has(schema: dict[str, Any], pointer: str) -> bool:
    """Whether what a schema describes may have something at a JSON pointer."""
    head, _, rest = pointer.removeprefix("/").partition("/")
    below = [
        choice["items"] if head.isdecimal() and "items" in choice else choice.get("properties", {}).get(head)
        for choice in _choices(schema)
    ]
    return any(part is not None and (not rest or _has(part, rest)) for part in below)


def _filled(payload: Any, inputs: dict[str, Any]) -> Any:
    """Returns a body with the default of each input in it, and an id for what an answer gives."""
    if isinstance(payload, dict):
        return {name: _filled(part, inputs) for name, part in payload.items()}
    if isinstance(payload, list):
        return [_filled(part, inputs) for part in payload]
    if isinstance(payload, str) and payload.startswith("$inputs."):
        return inputs[payload.removeprefix("$inputs.")]["default"]
    return _ID if isinstance(payload, str) and payload.startswith("$steps.") else payload


def test_there_are_the_fifteen_workflows_that_clients_are_promised() -> None:
    promised = (
        "agenda-papers-pack agent-with-a-board-token audit-proof export figures-and-flags first-board "
        "minutes-to-book minutes paper-request people-merged reporting-cycle resolution-to-certificate series "
        "vote-on-a-time webhook-subscription"
    )
    assert [*_DRAWN] == promised.split()


@pytest.mark.parametrize("name", _DRAWN)
def test_a_workflow_says_what_it_is_for_and_needs_a_session_alone(name: str) -> None:
    document = arazzo.document(name, workflows()[name], _ROOT)
    assert document["arazzo"] == "1.0.1"
    assert document["sourceDescriptions"] == [{"name": "board", "url": f"{_ROOT}/openapi.json", "type": "openapi"}]
    assert '"x-' not in json.dumps(document)
    (drawn,) = document["workflows"]
    assert drawn["workflowId"] == name
    assert len(drawn["description"]) > 80
    given = drawn["inputs"]
    assert given["required"] == ["session"]
    assert [name for name, schema in given["properties"].items() if "default" not in schema] == ["session"]
    used = set(re.findall(r"\$inputs\.(\w+)", json.dumps(drawn["steps"])))
    assert used == given["properties"].keys()
    assert drawn["outputs"]


@pytest.mark.parametrize(("step", "inputs"), _STEPS)
def test_the_body_of_a_step_is_one_that_the_reference_allows(step: dict[str, Any], inputs: dict[str, Any]) -> None:
    operation = _OPERATIONS[step["operationId"]]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        assert "requestBody" not in step
        return
    body = _filled(step["requestBody"]["payload"], inputs)
    validator = jsonschema_rs.Draft202012Validator({**content["schema"], "components": _API["components"]})
    assert [error.message for error in validator.iter_errors(body)] == []


@pytest.mark.parametrize("step", _STEPS_ALONE)
def test_what_a_step_expects_and_takes_is_in_the_answer_that_the_reference_describes(step: dict[str, Any]) -> None:
    first, *others = [criterion["condition"] for criterion in step["successCriteria"]]
    status = re.fullmatch(r"\$statusCode == (2\d\d)", first)
    assert status, first
    assert others, "a status alone would not notice a spoiled answer"
    schema = _OPERATIONS[step["operationId"]]["responses"][status[1]]["content"]["application/json"]["schema"]
    for text in (*others, *step.get("outputs", {}).values()):
        pointer = re.search(r"\$response\.body#(\S+)", text)
        assert pointer, text
        assert _has(schema, pointer[1]), text
    assert not _has(schema, "/data/anything")


@pytest.mark.parametrize("step", _STEPS_ALONE)
def test_a_step_gives_every_parameter_that_is_required_and_none_that_there_is_not(step: dict[str, Any]) -> None:
    operation = arazzo.operations()[step["operationId"]]
    given = {parameter["name"]: parameter["in"] for parameter in step.get("parameters", ())}
    assert (given.pop("Authorization", None) == "header") is not operation.public
    assert given.items() <= operation.parameters.items()
    assert given.keys() >= set(re.findall(r"\{(\w+)\}", operation.path))


def _workflow(*steps: Step) -> Workflow:
    return Workflow(summary="s", description="d", steps=[*steps], outputs=[])


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Step(call="createBoards"), "no operation createBoards"),
        (Step(call="getBoard"), r"\$boardId"),
        (Step(call="createBoard", body={"name": "$name"}), r"\$name"),
        (Step(call="createBoard", body={"name": "A {$name} board"}), r"\{\$name\}"),
        (Step(call="createBoard", body={"name": "$5 club"}), r"\$5"),
    ],
)
def test_a_workflow_that_names_what_there_is_not_has_no_document(step: Step, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        arazzo.document("w", _workflow(step), _ROOT)


def test_a_name_is_what_the_nearest_step_before_took_else_the_input() -> None:
    create = {"call": "createMeeting", "with": {"boardId": "b"}, "body": {"title": "$session"}}
    steps = [Step.model_validate({**create, "id": name, "take": {"meetingId": "/data/id"}}) for name in "ab"]
    reading = Step.model_validate({"call": "getMeeting", "with": {"boardId": "b"}})
    (drawn,) = arazzo.document("w", _workflow(*steps, reading), _ROOT)["workflows"]
    assert drawn["steps"][0]["requestBody"]["payload"] == {"title": "$inputs.session"}
    assert drawn["steps"][2]["parameters"][1:] == [
        {"name": "boardId", "in": "path", "value": "b"},
        {"name": "meetingId", "in": "path", "value": "$steps.b.outputs.meetingId"},
    ]


def test_the_documents_are_served_beside_the_api_reference() -> None:
    serve = service(lambda _: pytest.fail("asked the API"), published(installation_files(_ROOT)))
    for name, workflow in workflows().items():
        response = serve(HttpRequest("GET", f"/arazzo/{name}.arazzo.json", []))
        assert (response.status, dict(response.headers)["content-type"]) == (200, "application/json")
        assert json.loads(response.body) == arazzo.document(name, workflow, _ROOT)
    assert serve(HttpRequest("GET", "/arazzo/other.arazzo.json", [])).status == 404
