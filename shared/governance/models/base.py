"""The base classes of all models: how fields are named, and how strict validation is.

A request (`Body`, `Query`) is strict and may have no unknown fields. A returned `Resource` ignores unknown fields, so
that it has exactly its own, whatever else is stored; a `Stored` one keeps them, so that a change does not lose what a
newer release has added (ADR compatibility). A model is built when it is first used: a function declares many more
models than one cold start needs (ADR build).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import core_schema

from governance.models.numbers import with_numbers

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_OF_THE_STORE = re.compile("[PS]K|L[1-4]|ttl")
"""The attributes of an item by which the store finds it (`store.schema.keys`); a stored model does not have them."""
SHAPE = "shape"
"""The field that numbers the shape of an item, if it is not the first shape."""
Upgrade = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Returns an item in the next shape."""
KNOWN_VALUES = "known_values"
"""The metadata in which the schema of an enumerated field keeps the schema of the values that this release knows."""


def _open_enumerations(schema: Any, handler: GetCoreSchemaHandler) -> None:
    """Lets every enumerated field of a schema take other text too: a newer release may have stored it."""
    for name, part in schema.items() if isinstance(schema, dict) else enumerate(schema):
        match part:
            case {"metadata": {"known_values": _}}:
                pass
            case {"type": "literal", "expected": [_, _, *_]}:
                schema[name] = core_schema.str_schema(metadata={KNOWN_VALUES: part})
            case {"type": "definition-ref"}:
                if handler.resolve_ref_schema(part)["type"] == "enum":
                    choices: list[Any] = [part, core_schema.str_schema()]
                    schema[name] = core_schema.union_schema(
                        choices, mode="left_to_right", metadata={KNOWN_VALUES: part}
                    )
            case dict() | list():
                _open_enumerations(part, handler)


class Resource(BaseModel):
    """Something that is stored or returned; its fields are in camel case in JSON and in the store.

    An enumerated field may have a value that this release does not know. It is returned as it is stored.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        frozen=True,
        defer_build=True,
    )

    omits_unset: ClassVar[bool] = False
    """Whether the JSON text leaves out fields that were not set, instead of giving them as null."""
    has_written_numbers: ClassVar[bool] = False
    """Whether the resource holds numbers that are kept as they were written (`models.numbers`)."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Returns the schema with open enumerations."""
        schema = handler(source)
        _open_enumerations(handler.resolve_ref_schema(schema), handler)
        return schema

    def to_json(self) -> str:
        """Returns the JSON text of the resource."""
        return self.written(self.model_dump_json(exclude_unset=self.omits_unset))

    @classmethod
    def written(cls, text: str) -> str:
        """Returns the JSON text of one or many of these resources as it is sent."""
        return with_numbers(text) if cls.has_written_numbers else text

    def item(self) -> dict[str, Any]:
        """Returns the members as they are stored."""
        return self.model_dump()


class Stored(Resource):
    """Something that is stored: it keeps the fields that it does not know, and writes them back (ADR compatibility).

    A new one is of the present shape: `item()` gives it its number.
    """

    model_config = ConfigDict(extra="allow")

    upgrades: ClassVar[tuple[Upgrade, ...]] = ()
    """Upgrades in order: the first converts shape 1 to 2. Fields that earlier releases read must keep their meaning."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Returns the schema, which upgrades an item before it is validated."""
        schema = super().__get_pydantic_core_schema__(source, handler)
        return core_schema.no_info_before_validator_function(cls.upgraded, schema) if cls.upgrades else schema

    @classmethod
    def upgraded(cls, item: Any) -> Any:
        """Returns an item in the present shape; an item of a later shape as it is."""
        if not isinstance(item, Mapping) or not cls.upgrades:
            return item
        for number in range(item.get(SHAPE, 1), len(cls.upgrades) + 1):
            item = {**cls.upgrades[number - 1](item), SHAPE: number + 1}
        return item

    def model_post_init(self, _context: Any) -> None:
        """Removes the attributes of the store from the fields that are not known."""
        extra = self.__pydantic_extra__
        if extra:
            for name in [name for name in extra if _OF_THE_STORE.fullmatch(name)]:
                del extra[name]

    def in_place_of(self, old: Self | None) -> Self:
        """Returns this item with the fields of an old one that this release does not know."""
        unknown = old.__pydantic_extra__ if old else None
        return self.model_copy(update=unknown) if unknown else self

    def item(self) -> dict[str, Any]:
        """Returns the fields as they are stored, with the number of their shape if it is not the first."""
        members = super().item()
        return {SHAPE: len(self.upgrades) + 1, **members} if self.upgrades else members


class ApiObject(Resource):
    """A resource whose JSON begins with the kind of the resource. A subclass states the one value of `object`."""

    object: str


R = TypeVar("R", bound=Resource)


@cache
def list_of(model: type[R]) -> TypeAdapter[list[R]]:
    """Returns the adapter for lists of a model; it validates and serializes a list in a third of the time."""
    from pydantic import TypeAdapter  # only lists need it: it would slow every cold start

    return TypeAdapter(list[model])  # type: ignore[valid-type]


def to_json_array(resources: Sequence[Resource]) -> str:
    """Returns the JSON array of resources, which must all be of one model."""
    if not resources:
        return "[]"
    kind = type(resources[0])
    return kind.written(list_of(kind).dump_json([*resources], exclude_unset=kind.omits_unset).decode())


class Input(BaseModel):
    """A part of a request: unknown fields are refused."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
        extra="forbid",
        frozen=True,
        defer_build=True,
    )


class Body(Input):
    """A request body, whose types are strict; an `optional` one may be left out."""

    model_config = ConfigDict(strict=True)
    optional: ClassVar[bool] = False
    null_is_absent: ClassVar[bool] = True
    """Whether null for an optional field is the same as leaving it out."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        """Leaves out the optional fields that are null, unless null has a meaning of its own."""
        if not cls.null_is_absent or not isinstance(value, dict) or None not in value.values():
            return value
        optional = {field.alias for field in cls.model_fields.values() if not field.is_required()}
        return {name: part for name, part in value.items() if part is not None or name not in optional}

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the errors between fields of the JSON object, by path, whatever else is wrong with it.

        Validators of a model or of a whole list do not run after an invalid field; this method does.
        """
        del value
        return {}


class Patch(Body):
    """A body that changes a resource: at least one field must be given, and what is left out stays the same."""

    null_is_absent = False

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must have at least one field")
        return self

    def changes(self) -> dict[str, Any]:
        """Returns the fields that were given, by their Python names; null is a change, too."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class Query(Input):
    """Query parameters, which are all text; unknown ones are refused."""


class LegacyQuery(Query):
    """Query parameters of the legacy endpoints: unknown ones are ignored, repeated ones are joined with commas."""

    model_config = ConfigDict(extra="ignore")


class LenientQuery(LegacyQuery):
    """Query parameters of an endpoint that has no error for them: invalid ones count as not given."""


class Deleted(Resource):
    """Confirms a deletion."""

    deleted: bool = True
    """Always true; errors have a body of their own."""
