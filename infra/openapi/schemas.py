"""The schemas of the document, from the models that check requests and serialize responses.

What repeats is a component with a name: generated clients make a module of every schema that is written inline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import UnionType
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from governance.models.access import AccessAnswer
from governance.models.account.token import Whoami
from governance.models.base import KNOWN_VALUES, Body, Patch, Query, Resource

Schema = dict[str, Any]
Answer = type[Resource] | UnionType
Mode = Literal["validation", "serialization"]
REF = "#/components/schemas/{model}"
_INSTANT_SUFFIXES = ("At", "Time", "startAfter", "startBefore")
_NULL = {"type": "null"}
_UNIONS: dict[UnionType, str] = {AccessAnswer: "AccessAnswer", Whoami: "Whoami"}


class _Generator(GenerateJsonSchema):
    """Draws JSON Schema for clients: without titles, and with every field that is always sent as required."""

    def field_title_should_be_set(self, _: Any) -> bool:
        """Returns False: a title that repeats the field's name says nothing."""
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Returns whether a field is always there: in a response, unless it is excluded at times."""
        if self.mode == "serialization" and field["type"] == "model-field":
            return not field.get("serialization_exclude_if")
        return super().field_is_required(field, total)

    def str_schema(self, schema: core_schema.StringSchema) -> Schema:
        """Returns the schema of text; of an enumerated member, that of its known values."""
        known = schema.get("metadata", {}).get(KNOWN_VALUES)
        return self.generate_inner(known) if known else super().str_schema(schema)

    def union_schema(self, schema: core_schema.UnionSchema) -> Schema:
        """Returns the schema of alternatives; of an enumerated member, that of its known values."""
        known = schema.get("metadata", {}).get(KNOWN_VALUES)
        return self.generate_inner(known) if known else super().union_schema(schema)

    def model_schema(self, schema: core_schema.ModelSchema) -> Schema:
        """Returns a model's schema: a response has no further fields, and only a creation has defaults."""
        drawn = super().model_schema(schema)
        drawn.pop("title", None)
        if issubclass(schema["cls"], Resource):
            drawn["additionalProperties"] = False
        if issubclass(schema["cls"], Patch):
            drawn["minProperties"] = 1
        for field in drawn.get("properties", {}).values():
            if issubclass(schema["cls"], Resource | Patch) or field.get("default", 0) is None:
                field.pop("default", None)
        if issubclass(schema["cls"], Resource) and schema["cls"].omits_unset:
            drawn["required"] = _always_sent(schema["cls"])
        _mark_instants(drawn.get("properties", {}))
        return drawn


def _always_sent(model: type[Resource]) -> list[str]:
    """Returns the fields that a response always has, though it omits others that are unset."""
    return [field.alias or name for name, field in model.model_fields.items() if field.is_required()]


def _mark_instants(fields: dict[str, Schema]) -> None:
    """Marks the fields whose name says that they hold an instant as date-times."""
    for name, field in fields.items():
        if name.endswith(_INSTANT_SUFFIXES):
            for variant in field.get("anyOf", [field]):
                if variant.get("type") == "string" and "const" not in variant:
                    variant["format"] = "date-time"


class Schemas:
    """The schemas of all models of the routes, drawn together so that each has one name."""

    def __init__(self, answers: Iterable[Answer], bodies: Iterable[type[Body]]) -> None:
        wanted: list[tuple[str, Mode, TypeAdapter[Any]]] = [
            *((name_of(model), "serialization", _adapter(model)) for model in answers),
            *((name_of(model), "validation", TypeAdapter(model)) for model in bodies),
        ]
        drawn, rest = TypeAdapter.json_schemas(wanted, ref_template=REF, schema_generator=_Generator)
        unions = {name: drawn[(name, "serialization")] for name in _UNIONS.values()}
        self.components: dict[str, Schema] = dict(rest.get("$defs", {})) | {
            name: _discriminated(union["anyOf"]) for name, union in unions.items()
        }
        for component in self.components.values():
            component.pop("title", None)
            component.pop("description", None)


def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _discriminated(variants: list[Schema]) -> Schema:
    return {"oneOf": variants}


def name_of(model: Answer | type[Body]) -> str:
    """Returns the name of a model's schema."""
    return model.__name__ if isinstance(model, type) else _UNIONS[model]


def ref_to(name: str) -> Schema:
    """Returns a reference to a schema of the components."""
    return {"$ref": REF.format(model=name)}


def query_fields(model: type[Query]) -> tuple[dict[str, Schema], set[str]]:
    """Returns the parameters of a query with their schemas, and the names of the required ones; none is ever null."""
    drawn = TypeAdapter(model).json_schema(ref_template=REF, schema_generator=_Generator)
    fields = {name: _without_null(field) for name, field in drawn.get("properties", {}).items()}
    return fields, set(drawn.get("required", ()))


def _without_null(field: Schema) -> Schema:
    variants = [variant for variant in field.get("anyOf", ()) if variant != _NULL]
    rest = {key: value for key, value in field.items() if key not in {"anyOf", "description"}}
    if len(variants) == 1:
        return {**variants[0], **rest}
    return {**rest, "anyOf": variants} if variants else rest


def core_of(schema: Schema) -> Schema:
    """Returns what a field holds: without its null, and of an array what its items are."""
    variants = [variant for variant in schema.get("anyOf", ()) if variant != _NULL]
    inner = variants[0] if len(variants) == 1 else schema
    return core_of(inner["items"]) if inner.get("type") == "array" else inner


def named(schema: Any, enums: Mapping[tuple[Any, ...], str]) -> Any:
    """Returns a schema in which every enumeration is a reference to the component of its values."""

    def replaced(part: Schema) -> Schema:
        name = enums.get(tuple(part.get("enum", ())))
        if name is None:
            return part
        rest = {key: value for key, value in part.items() if key not in {"enum", "type"}}
        return {**ref_to(name), **rest}

    return _mapped(schema, replaced)


def without_unions(schema: Any) -> Any:
    """Returns a schema that spells "or null" and "integer or number" as types where it can."""
    return _mapped(schema, _flattened)


def _flattened(part: Schema) -> Schema:
    variants = [variant for variant in part.get("anyOf", ()) if variant != {"type": "integer"}]
    if {"type": "number"} not in variants:
        variants = part.get("anyOf", [])
    rest = {key: value for key, value in part.items() if key != "anyOf"}
    match [variant for variant in variants if variant != _NULL]:
        case [{"type": str(kind)} as only] if "const" not in only:
            types = [kind, "null"] if _NULL in variants else kind
            return {**only, "type": types, **rest}
    return part


def _mapped(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """Returns a schema with a change made to each of its parts, the inner ones first."""
    if isinstance(schema, list):
        return [_mapped(part, change) for part in schema]
    if isinstance(schema, dict):
        return change({key: _mapped(part, change) for key, part in schema.items()})
    return schema
