"""The `webhooks` of the document: what is delivered of each type of events, drawn from the records of the events."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic.alias_generators import to_camel

from governance.domain.events.kind import EventKind, Payload
from governance.domain.events.registry import KINDS
from infra.openapi.schemas import Schema
from infra.openapi.texts import Reference

_BOARD = "boardId"
_HEADERS: Mapping[str, Schema] = {
    "webhook-id": {"type": "string", "pattern": "^[0-9a-f]{24}$"},
    "webhook-timestamp": {"type": "string", "pattern": "^[0-9]+$"},
    "webhook-signature": {"type": "string", "pattern": "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$"},
}


def webhooks(words: Reference) -> Schema:
    """Returns an entry for each type of events that a webhook may be sent, by the type."""
    delivered = sorted((kind for kind in KINDS.values() if kind.is_delivered), key=lambda kind: kind.event_type)
    return {kind.event_type.value: {"post": _operation(kind, words)} for kind in delivered}


def headers(words: Reference) -> dict[str, Schema]:
    """Returns the headers of every delivery, for the parameters of the components."""
    texts = words.shared["parameters"]
    return {
        _component(name): {"name": name, "in": "header", "required": True, "description": texts[name], "schema": schema}
        for name, schema in _HEADERS.items()
    }


def _component(header: str) -> str:
    return "".join(part.capitalize() for part in header.split("-"))


def _operation(kind: EventKind[Payload], words: Reference) -> Schema:
    texts, type_ = words.shared["deliveries"], kind.event_type.value
    ids = {_BOARD: True, **kind.payload.recorded_ids()}
    return {
        "operationId": to_camel(f"on_{type_.replace('.', '_')}"),
        "summary": type_.replace(".", " ").replace("_", " ").capitalize(),
        "description": texts["description"],
        "tags": ["webhooks"],
        "security": [],
        "parameters": [{"$ref": f"#/components/parameters/{_component(name)}"} for name in _HEADERS],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _body(type_, ids), "example": _example(type_, ids, words)}},
        },
        "responses": {status: {"description": text} for status, text in texts["responses"].items()},
    }


def _body(type_: str, ids: Mapping[str, bool]) -> Schema:
    members = {
        "type": {"type": "string", "const": type_},
        "timestamp": {"type": "string", "format": "date-time"},
        "data": _object({name: {"type": "string", "pattern": "^[0-9a-f]{24}$"} for name in ids}, ids),
    }
    return _object(members, dict.fromkeys(members, True))


def _object(members: Schema, is_always_there: Mapping[str, bool]) -> Schema:
    required = [name for name in members if is_always_there[name]]
    return {"type": "object", "properties": members, "required": required, "additionalProperties": False}


def _example(type_: str, ids: Mapping[str, bool], words: Reference) -> Schema:
    """Returns a body with the ids that are always there, and the first of the others."""
    sometimes = [name for name, always in ids.items() if not always][:1]
    values, timestamp = words.shared["deliveries"]["ids"], words.shared["deliveries"]["timestamp"]
    shown = [name for name, always in ids.items() if always or name in sometimes]
    return {"type": type_, "timestamp": timestamp, "data": {name: values[name] for name in shown}}
