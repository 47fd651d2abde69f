"""The base classes of all models: how members are named, and how strict validation is.

A request (`Body`, `Query`) is strict and may have no unknown members. A stored or returned `Resource` ignores unknown
members, so that it has exactly its own whatever else is stored with it. A model is built when it is first used: a
function declares many more models than one cold start needs (ADR 0082).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class Resource(BaseModel):
    """Something that is stored or returned; its members are in camel case in JSON and in the store."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        frozen=True,
        defer_build=True,
    )

    omits_unset: ClassVar[bool] = False
    """Whether the JSON text leaves out members that were not set, instead of giving them as null."""

    def to_json(self) -> str:
        """Returns the JSON text of the resource."""
        return self.model_dump_json(exclude_unset=self.omits_unset)

    def item(self) -> dict[str, Any]:
        """Returns the members as they are stored."""
        return self.model_dump()


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
    return list_of(kind).dump_json([*resources], exclude_unset=kind.omits_unset).decode()


class Body(BaseModel):
    """A request body: its types are strict, and unknown members are refused."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
        strict=True,
        extra="forbid",
        frozen=True,
        defer_build=True,
    )

    @classmethod
    def offences(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns what is wrong between members of the JSON object, by path, whatever else is wrong with it.

        Validators of a model or of a whole list do not run after an invalid member; this does.
        """
        del value
        return {}


class Patch(Body):
    """A body that changes a resource: at least one member must be given, and what is left out stays the same."""

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must have at least one field")
        return self

    def changes(self) -> dict[str, Any]:
        """Returns the members that were given, by their Python names; null is a change, too."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class Query(BaseModel):
    """Query parameters, which are all text; unknown ones are refused."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
        extra="forbid",
        frozen=True,
        defer_build=True,
    )


class LegacyQuery(Query):
    """Query parameters of the legacy endpoints: unknown ones are ignored, repeated ones are joined with commas."""

    model_config = ConfigDict(extra="ignore")


class LenientQuery(LegacyQuery):
    """Query parameters of an endpoint that has no error for them: invalid ones count as not given."""


class Deleted(Resource):
    """The response of a deletion."""

    deleted: bool = True
