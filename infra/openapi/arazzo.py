"""The Arazzo 1.0.1 documents of the workflows, generated from their declarations and the OpenAPI document."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from infra.openapi.document import FILE
from infra.openapi.schemas import Schema
from infra.openapi.workflow import ANYTHING, Input, Literal, Step, Workflow, workflows
from infra.version import VERSION

SOURCE = "board"
"""What the documents call the OpenAPI document."""
_RETRY_SECONDS, _RETRIES = 1, 120
_PATH_PARAMETER = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"\$(\w+)|\{\$(\w+)\}")


@dataclass(frozen=True)
class Operation:
    """What the OpenAPI document says of an operation that a workflow calls."""

    path: str
    status: str
    summary: str
    public: bool
    parameters: Mapping[str, str]
    """Where each parameter of the operation is."""
    example: Any


@cache
def operations() -> dict[str, Operation]:
    """Returns the operations of the OpenAPI document by `operationId`."""
    return dict(_operations(json.loads(FILE.read_text(encoding="utf-8"))))


def texts(root_url: str) -> dict[str, str]:
    """Returns the documents of the installation at `root_url`, as they are served, by path."""
    return {
        f"/arazzo/{name}.arazzo.json": json.dumps(document(name, workflow, root_url), indent=2, ensure_ascii=False)
        + "\n"
        for name, workflow in workflows().items()
    }


def document(name: str, workflow: Workflow, root_url: str) -> Schema:
    """Returns the document of one workflow; raises `ValueError` for an unknown operation or name."""
    return {
        "arazzo": "1.0.1",
        "info": {
            "title": workflow.summary,
            "summary": workflow.summary,
            "version": VERSION,
            "description": workflow.description,
        },
        "sourceDescriptions": [{"name": SOURCE, "url": f"{root_url}/openapi.json", "type": "openapi"}],
        "workflows": [_Drawn(workflow).workflow(name)],
    }


class _Drawn:
    """A workflow while its document is generated: it knows what the steps so far have taken."""

    def __init__(self, workflow: Workflow) -> None:
        self._workflow = workflow
        self._names = {name: f"$inputs.{name}" for name in ("session", *workflow.inputs)}

    def workflow(self, name: str) -> Schema:
        workflow = self._workflow
        return {
            "workflowId": name,
            "summary": workflow.summary,
            "description": workflow.description,
            "inputs": _inputs(workflow.inputs),
            "steps": [self._step(step) for step in workflow.steps],
            "outputs": {output: self._value(f"${output}") for output in workflow.outputs},
        }

    def _step(self, step: Step) -> Schema:
        if (operation := operations().get(step.call)) is None:
            raise ValueError(f"There is no operation {step.call}.")
        drawn: Schema = {"stepId": step.name, "operationId": step.call, "description": f"{operation.summary}."}
        if parameters := self._parameters(step, operation):
            drawn["parameters"] = parameters
        if (payload := operation.example if step.body is None else self._value(step.body)) is not None:
            drawn["requestBody"] = {"contentType": "application/json", "payload": payload}
        drawn["successCriteria"] = self._criteria(step, operation)
        if step.wait:
            retry = {"name": "wait", "type": "retry", "retryAfter": _RETRY_SECONDS, "retryLimit": _RETRIES}
            drawn["onFailure"] = [retry]
        if step.take:
            drawn["outputs"] = {name: _at(pointer) for name, pointer in step.take.items()}
        self._names |= {name: f"$steps.{step.name}.outputs.{name}" for name in step.take}
        return drawn

    def _parameters(self, step: Step, operation: Operation) -> list[Schema]:
        in_path = {name: f"${name}" for name in _PATH_PARAMETER.findall(operation.path)}
        given = [
            {"name": name, "in": operation.parameters[name], "value": self._value(value)}
            for name, value in {**in_path, **step.with_}.items()
        ]
        authorization = {"name": "Authorization", "in": "header", "value": f"Bearer {{{self._value(step.bearer)}}}"}
        return given if operation.public else [authorization, *given]

    def _criteria(self, step: Step, operation: Operation) -> list[Schema]:
        said = [self._condition(_at(pointer), value) for pointer, value in {**step.expect, **step.wait}.items()]
        return [{"condition": condition} for condition in (f"$statusCode == {operation.status}", *said)]

    def _condition(self, place: str, value: Literal) -> str:
        """Returns a condition; `true`, `false` and `null` come first, where both runners know them."""
        if value == ANYTHING:
            return f"null != {place}"
        if isinstance(value, str):
            return f"{place} == {self._value(value) if value.startswith('$') else repr(value)}"
        return f"{json.dumps(value)} == {place}"

    def _value(self, value: Any) -> Any:
        """Returns a value with the expression that each name in it stands for."""
        if isinstance(value, dict):
            return {name: self._value(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self._value(part) for part in value]
        return _NAME.sub(self._expression, value) if isinstance(value, str) else value

    def _expression(self, found: re.Match[str]) -> str:
        """Returns the expression of a name. Raises `ValueError` for an unknown one, which a runner might misread."""
        if (name := found[1] or found[2]) not in self._names:
            raise ValueError(f"Neither a step before nor an input has {found[0]}.")
        return self._names[name] if found[1] else f"{{{self._names[name]}}}"


def _inputs(inputs: Mapping[str, Input]) -> Schema:
    session = {"type": "string", "format": "password", "description": "A session, which is sent as bearer credential."}
    own = {
        name: {"type": "string", "default": given.default, "description": given.description}
        for name, given in inputs.items()
    }
    return {"type": "object", "properties": {"session": session, **own}, "required": ["session"]}


def _at(pointer: str) -> str:
    return f"$response.body#{pointer}"


def _operations(described: Schema) -> Iterator[tuple[str, Operation]]:
    for path, item in described["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            given = [*item.get("parameters", []), *operation.get("parameters", [])]
            yield (
                operation["operationId"],
                Operation(
                    path=path,
                    summary=operation["summary"],
                    status=max(status for status in operation["responses"] if status.startswith("2")),
                    public=not operation["security"],
                    parameters=dict(_place(parameter, described) for parameter in given),
                    example=_example(operation),
                ),
            )


def _place(parameter: Schema, described: Schema) -> tuple[str, str]:
    if "$ref" in parameter:
        parameter = described["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]
    return parameter["name"], parameter["in"]


def _example(operation: Schema) -> Any:
    return operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
