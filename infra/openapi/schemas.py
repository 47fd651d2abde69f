"""The schemas of the document, from the models that check what comes in and spell what goes out."""

from __future__ import annotations

from collections.abc import Iterable
from types import UnionType
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from governance.models.base import Body, Patch, Query, Resource

Schema = dict[str, Any]
Answer = type[Resource] | UnionType
Mode = Literal["validation", "serialization"]
REF = "#/components/schemas/{model}"
_INSTANT_SUFFIXES = ("At", "Time", "startAfter", "startBefore")


class _Generator(GenerateJsonSchema):
    """JSON Schema as clients want it: no titles, and every member that is always sent is required."""

    def field_title_should_be_set(self, _: Any) -> bool:
        """A title that repeats the member's name says nothing."""
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        """An answer has all its members, null or not, but for those that are left out at times."""
        if self.mode == "serialization" and field["type"] == "model-field":
            return not field.get("serialization_exclude_if")
        return super().field_is_required(field, total)

    def model_schema(self, schema: core_schema.ModelSchema) -> Schema:
        """An answer has no members beside; nor has it defaults, or a patch: what is left out there stays as it is."""
        drawn = super().model_schema(schema)
        drawn.pop("title", None)
        if issubclass(schema["cls"], Resource):
            drawn["additionalProperties"] = False
        if issubclass(schema["cls"], Patch):
            drawn["minProperties"] = 1
        if issubclass(schema["cls"], Resource | Patch):
            for member in drawn.get("properties", {}).values():
                member.pop("default", None)
        if issubclass(schema["cls"], Resource) and schema["cls"].omits_unset:
            drawn["required"] = _always_sent(schema["cls"])
        _mark_instants(drawn.get("properties", {}))
        return drawn


def _always_sent(model: type[Resource]) -> list[str]:
    """The members of an answer that leaves out what it does not carry."""
    return [field.alias or name for name, field in model.model_fields.items() if field.is_required()]


def _mark_instants(members: dict[str, Schema]) -> None:
    """Members that hold an instant, told by their names, are date-times."""
    for name, member in members.items():
        if name.endswith(_INSTANT_SUFFIXES):
            for variant in member.get("anyOf", [member]):
                if variant.get("type") == "string" and "const" not in variant:
                    variant["format"] = "date-time"


class Schemas:
    """The schemas of all models of the routes, drawn together so that each has one name."""

    def __init__(self, answers: Iterable[Answer], bodies: Iterable[type[Body]]) -> None:
        wanted: list[tuple[str, Mode, TypeAdapter[Any]]] = [
            *((_name(model), "serialization", _adapter(model)) for model in answers),
            *((_name(model), "validation", TypeAdapter(model)) for model in bodies),
        ]
        drawn, rest = TypeAdapter.json_schemas(wanted, ref_template=REF, schema_generator=_Generator)
        self._drawn = dict(drawn)
        self.components: dict[str, Schema] = dict(sorted(rest.get("$defs", {}).items()))

    def answer(self, model: Answer) -> Schema:
        """The schema of what a route answers."""
        drawn = self._drawn[(_name(model), "serialization")]
        return {"oneOf": drawn["anyOf"]} if "anyOf" in drawn else drawn

    def body(self, model: type[Body]) -> Schema:
        """The schema of what a route takes."""
        return self._drawn[(_name(model), "validation")]


def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _name(model: Answer | type[Body]) -> str:
    return model.__name__ if isinstance(model, type) else str(model)


def query_members(model: type[Query]) -> tuple[dict[str, Schema], set[str]]:
    """The parameters of a query, each with its schema, and which are required; none of them is ever null."""
    drawn = TypeAdapter(model).json_schema(ref_template=REF, schema_generator=_Generator)
    members = {name: _without_null(member) for name, member in drawn.get("properties", {}).items()}
    return members, set(drawn.get("required", ()))


def _without_null(member: Schema) -> Schema:
    variants = [variant for variant in member.get("anyOf", ()) if variant != {"type": "null"}]
    rest = {key: value for key, value in member.items() if key != "anyOf" and (key, value) != ("default", None)}
    if len(variants) == 1:
        return {**variants[0], **rest}
    return {**rest, "anyOf": variants} if variants else rest
