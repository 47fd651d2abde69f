"""The schemas of the document, from the models that check requests and serialize responses.

What repeats is a component with a name: generated clients make a module of every schema that is written inline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType, UnionType
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from governance.models.access import access
from governance.models.account import token
from governance.models.base import KNOWN_VALUES, Body, Input, Patch, Query, Resource
from infra.openapi import descriptions

Schema = dict[str, Any]
Member = tuple[type[BaseModel], str, Schema]
"""A model, one of its fields, and the schema of the field."""
Answer = type[Resource] | UnionType
Mode = Literal["validation", "serialization"]
REF = "#/components/schemas/{model}"
_INSTANT_SUFFIXES = ("At", "Time", "Until", "startAfter", "startBefore")
NULL = {"type": "null"}
_UNIONS: dict[UnionType, tuple[ModuleType, str]] = {
    access.AccessAnswer: (access, "AccessAnswer"),
    token.Whoami: (token, "Whoami"),
}
"""Responses that are one of several models: where they are declared, and their name."""


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
        if issubclass(schema["cls"], Body) and schema["cls"].null_is_absent:
            for name in drawn.get("properties", {}).keys() - drawn.get("required", ()):
                drawn["properties"][name] = _or_null(drawn["properties"][name])
        for field in drawn.get("properties", {}).values():
            if issubclass(schema["cls"], Resource | Patch) or field.get("default", 0) is None:
                field.pop("default", None)
        if issubclass(schema["cls"], Resource) and schema["cls"].omits_unset:
            drawn["required"] = _always_sent(schema["cls"])
        _mark_instants(drawn.get("properties", {}))
        return drawn


def _or_null(field: Schema) -> Schema:
    """Returns the schema of an optional field that may be null, too; one whose default is null has it already."""
    if field.get("default", 0) is None:
        return field
    kept = {key: value for key, value in field.items() if key == "default"}
    return {"anyOf": [{key: value for key, value in field.items() if key not in kept}, NULL], **kept}


def _always_sent(model: type[Resource]) -> list[str]:
    """Returns the fields that a response always has, though it omits others that are unset."""
    return [json_name(model, name) for name, field in model.model_fields.items() if field.is_required()]


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
        known = models()
        self._drawn: dict[str, Schema] = dict(rest.get("$defs", {}))
        self._models = {name: known[name] for name in self._drawn if name in known}
        for module, name in (union for union in _UNIONS.values() if (union[1], "serialization") in drawn):
            variants = drawn[(name, "serialization")]["anyOf"]
            self._drawn[name] = {"description": descriptions.of_type(module, name), "oneOf": variants}
        for schema in self._drawn.values():
            schema.pop("title", None)
        self._drawn["JsonValue"] = {"description": "Any JSON value."}

    def members(self) -> Iterator[Member]:
        """Yields the fields of all models with their schemas; a model that is drawn in its own way may have none."""
        for name, model in self._models.items():
            properties = self._drawn[name].get("properties", {})
            named = {field: json_name(model, field) for field in model.model_fields}
            yield from ((model, field, properties[name]) for field, name in named.items() if name in properties)

    def described(self, common: Mapping[str, str]) -> dict[str, Schema]:
        """Returns the schemas by name, with descriptions; `common` are those of fields of which no model says more."""
        for name, model in self._models.items():
            self._drawn[name]["description"] = descriptions.of_model(model)
        for model, field, schema in self.members():
            schema["description"] = descriptions.of_field(model, field) or common.get(json_name(model, field), "")
        return self._drawn


def models() -> dict[str, type[BaseModel]]:
    """Returns every model of a response or a request that was imported, by its name."""
    return {model.__name__: model for model in _below(Resource, Input)}


def _below(*bases: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for model in bases:
        yield from _below(*model.__subclasses__())
        yield model


def json_name(model: type[BaseModel], field: str) -> str:
    """Returns the name of a field in JSON."""
    return model.model_fields[field].alias or to_camel(field)


def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def name_of(model: Answer | type[Body]) -> str:
    """Returns the name of a model's schema."""
    return model.__name__ if isinstance(model, type) else _UNIONS[model][1]


def description_of(model: Answer) -> str:
    """Returns the description of the schema of a response."""
    return descriptions.of_model(model) if isinstance(model, type) else descriptions.of_type(*_UNIONS[model])


def ref_to(name: str) -> Schema:
    """Returns a reference to a schema of the components."""
    return {"$ref": REF.format(model=name)}


def query_fields(model: type[Query]) -> tuple[dict[str, Schema], set[str]]:
    """Returns the parameters of a query with their schemas, and the names of the required ones; none is ever null."""
    drawn = TypeAdapter(model).json_schema(ref_template=REF, schema_generator=_Generator)
    fields = {name: _without_null(field) for name, field in drawn.get("properties", {}).items()}
    return fields, set(drawn.get("required", ()))


def _without_null(field: Schema) -> Schema:
    variants = [variant for variant in field.get("anyOf", ()) if variant != NULL]
    rest = {key: value for key, value in field.items() if key not in {"anyOf", "description"}}
    if len(variants) == 1:
        return {**variants[0], **rest}
    return {**rest, "anyOf": variants} if variants else rest


def core_of(schema: Schema) -> Schema:
    """Returns what a field holds: without its null, and of an array what its items are."""
    variants = [variant for variant in schema.get("anyOf", ()) if variant != NULL]
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
    match [variant for variant in variants if variant != NULL]:
        case [{"type": str(kind)} as only] if "const" not in only:
            types = [kind, "null"] if NULL in variants else kind
            return {**only, "type": types, **rest}
    return part


def _mapped(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """Returns a schema with a change made to each of its parts, the inner ones first."""
    if isinstance(schema, list):
        return [_mapped(part, change) for part in schema]
    if isinstance(schema, dict):
        return change({key: _mapped(part, change) for key, part in schema.items()})
    return schema
