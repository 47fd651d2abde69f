"""The types of the Python client: what the kept generator makes TypedDicts of, and how it is called."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from infra.openapi import asyncapi
from infra.sdk.contract import Operation, Schema
from infra.stack.template import ROOT

GENERATOR = ROOT / ".venv-sdk/bin/datamodel-codegen"
_OPTIONS = (
    *("--input-file-type", "jsonschema", "--output-model-type", "typing.TypedDict"),
    *("--target-python-version", "3.11", "--enum-field-as-literal", "all", "--formatters", "builtin"),
    *("--use-schema-description", "--use-field-description", "--disable-timestamp"),
)
_BOUNDS = {
    *("additionalProperties", "default", "format", "pattern", "example", "examples", "minProperties", "uniqueItems"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"),
}
"""What no type says: the service judges it. `additionalProperties` stays where it is a schema."""


def write(document: Schema, operations: Iterable[Operation], file: Path) -> None:
    """Writes the module of all types. Raises CalledProcessError if the generator fails."""
    source = file.with_suffix(".json")
    source.write_text(json.dumps(schemas(document, operations)), encoding="utf-8")
    subprocess.run([GENERATOR, "--input", source, "--output", file, *_OPTIONS], check=True)  # noqa: S603 - our own
    source.unlink()


def schemas(document: Schema, operations: Iterable[Operation]) -> Schema:
    """Returns one JSON Schema with a definition for each type: resources, arguments, events and rings."""
    definitions = {
        **document["components"]["schemas"],
        **{f"{operation.type_name}Arguments": _arguments(operation) for operation in operations},
        **_events(document),
        "Ring": asyncapi.document("https://board.example")["components"]["schemas"]["Ring"],
    }
    bare: Schema = _bare({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions})
    return bare


def _arguments(operation: Operation) -> Schema:
    return {
        "description": f"What `{operation.name}` takes by keyword.",
        "type": "object",
        "properties": {argument.keyword: argument.schema for argument in operation.arguments},
        "required": [argument.keyword for argument in operation.arguments if argument.required],
    }


def _events(document: Schema) -> Schema:
    """Returns a type for each event that a webhook is sent, one for its ids, and the union of all."""
    found: Schema = {}
    for item in document["webhooks"].values():
        name = item["post"]["operationId"].removeprefix("on") + "Event"
        body = item["post"]["requestBody"]["content"]["application/json"]["schema"]
        ids = {"description": "Identifiers of what the event is about.", **body["properties"]["data"]}
        found[f"{name}Data"] = ids
        data = {"$ref": f"#/components/schemas/{name}Data"}
        summary = f"{item['post']['summary']}."
        found[name] = {"description": summary, **body, "properties": {**body["properties"], "data": data}}
    union = [{"$ref": f"#/components/schemas/{name}"} for name in found if name.endswith("Event")]
    return {**found, "WebhookEvent": {"description": "An event that a webhook is sent.", "oneOf": union}}


def _bare(node: Any, is_named: bool = False) -> Any:
    """Returns a schema without bounds; `is_named` where the keys are names of members or definitions."""
    if isinstance(node, list):
        return [_bare(part) for part in node]
    if not isinstance(node, dict):
        return node.replace("#/components/schemas/", "#/$defs/") if isinstance(node, str) else node
    return {
        key: _bare(value, not is_named and key in ("properties", "$defs"))
        for key, value in node.items()
        if is_named or key not in _BOUNDS or (key == "additionalProperties" and isinstance(value, dict))
    }
