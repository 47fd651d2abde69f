"""The bases of all models: how names are spelled, and how strict each direction is.

What comes in (`Body`, `Query`) is strict and refuses what it does not know; what is stored and goes out (`Resource`)
ignores what it does not list, so that a resource has exactly its own members whatever else the store keeps with it.
A model is built when it is first used: a function declares many more than one cold start needs (ADR 0082).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class Resource(BaseModel):
    """Something stored or answered; members are spelled in camel case outside of Python."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        frozen=True,
        defer_build=True,
    )

    omits_unset: ClassVar[bool] = False
    """Whether members that were not given are absent from the JSON text, in place of null."""

    def to_json(self) -> str:
        """The JSON text of the resource."""
        return self.model_dump_json(exclude_unset=self.omits_unset)

    def item(self) -> dict[str, Any]:
        """The members as the store keeps them."""
        return self.model_dump()


R = TypeVar("R", bound=Resource)


@cache
def list_of(model: type[R]) -> TypeAdapter[list[R]]:
    """Reads many resources of a kind at once, or writes them: a third of the time that they take one by one."""
    from pydantic import TypeAdapter  # no start of a function waits for what only lists need

    return TypeAdapter(list[model])  # type: ignore[valid-type]


def to_json_array(resources: Sequence[Resource]) -> str:
    """The JSON array of resources, all of one kind."""
    if not resources:
        return "[]"
    kind = type(resources[0])
    return list_of(kind).dump_json([*resources], exclude_unset=kind.omits_unset).decode()


class Body(BaseModel):
    """A request body: strict types, no unknown members."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
        strict=True,
        extra="forbid",
        frozen=True,
        defer_build=True,
    )


class Patch(Body):
    """A body of which at least one member must be given; what is left out stays as it is."""

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must name at least one member")
        return self

    def changes(self) -> dict[str, Any]:
        """The members that were given, by their Python names; an explicit null is a change."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class Query(BaseModel):
    """Query parameters: all of them text, none unknown."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
        extra="forbid",
        frozen=True,
        defer_build=True,
    )


class LegacyQuery(Query):
    """Parameters of the legacy surface: unknown ones are ignored, repeated ones are one with commas."""

    model_config = ConfigDict(extra="ignore")


class LenientQuery(LegacyQuery):
    """Parameters of a route that has no error for them: of what cannot be read, nothing was given."""


class Deleted(Resource):
    """What a deletion answers."""

    deleted: bool = True
