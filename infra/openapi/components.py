"""The schemas under `components`: those of the models with their descriptions, the envelopes around them, and the
types of fields that have a name."""

from __future__ import annotations

from collections.abc import Iterable

from governance.domain.notifications.notification_types import TYPES
from governance.http.route import Route
from governance.scopes import Scope
from infra.openapi import descriptions
from infra.openapi.envelopes import envelopes, errors
from infra.openapi.schemas import Member, Schema, Schemas, core_of, named, ref_to, without_unions

_CATEGORY, _TYPE = "NotificationCategory", "NotificationType"


class Components:
    """All schemas of the document, described, each with one name."""

    def __init__(self, routes: Iterable[Route], parameters: Iterable[Member], common: dict[str, str]) -> None:
        every = list(routes)
        bodies = dict.fromkeys(route.body for route in every if route.body is not None)
        models = Schemas(dict.fromkeys(route.response_model for route in every), bodies)
        scope: Schema = {"description": descriptions.of_model(Scope), "type": "string", "enum": [*Scope]}
        self._named: dict[str, Schema] = {"Scope": scope}
        self._name_types([*models.members(), *parameters])
        self._enums = {tuple(part["enum"]): name for name, part in self._named.items() if "enum" in part}
        self._drawn = {**models.described(common), **errors(), **envelopes(every)}

    def _name_types(self, members: Iterable[Member]) -> None:
        """Replaces what fields and parameters have inline by the name of its type, if the type is described."""
        for model, field, schema in members:
            part, type_ = core_of(schema), descriptions.described_type(model, field)
            if type_ is None or not ("enum" in part or part.get("type") == "object"):
                continue
            name, description = type_
            shape = {key: value for key, value in part.items() if key != "default"}
            self._named[name] = {"description": description, **shape}
            if "enum" not in part:  # those are replaced wherever they occur
                part.clear()
                part.update(ref_to(name))

    def tidy(self, schema: Schema) -> Schema:
        """Returns a schema with names for its enumerations, and types in place of unions with null."""
        tidied: Schema = without_unions(named(schema, self._enums))
        return tidied

    def schemas(self) -> dict[str, Schema]:
        """Returns every component, by its name."""
        components = {name: self._tidied(schema) for name, schema in {**self._drawn, **self._named}.items()}
        produced = {record.category for record in TYPES.values()}
        components[_CATEGORY]["x-produced"] = [name for name in components[_CATEGORY]["enum"] if name in produced]
        components[_TYPE]["x-links"] = {type_: [*record.links] for type_, record in sorted(TYPES.items())}
        return dict(sorted(components.items()))

    def _tidied(self, schema: Schema) -> Schema:
        return schema if "enum" in schema else self.tidy(schema)
