"""The schemas under `components`: those of the models, the envelopes around them, and the names of what repeats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from governance.domain.notifications.notification_types import TYPES
from governance.errors import Code, Reason
from governance.http.route import Route
from governance.scopes import Scope
from infra.openapi.schemas import Schema, Schemas, core_of, name_of, named, ref_to, without_unions
from infra.openapi.texts import Reference

_SCOPE, _CATEGORY, _TYPE = "Scope", "NotificationCategory", "NotificationType"


class Components:
    """All schemas of the document, described, each with one name."""

    def __init__(self, routes: Iterable[Route], reference: Reference) -> None:
        self._routes = list(routes)
        self._reference = reference
        bodies = dict.fromkeys(route.body for route in self._routes if route.body is not None)
        drawn = Schemas(dict.fromkeys(route.response_model for route in self._routes), bodies).components
        drawn |= {_SCOPE: {"type": "string", "enum": [scope.value for scope in Scope]}}
        self._enums: dict[tuple[Any, ...], str] = {tuple(drawn[_SCOPE]["enum"]): _SCOPE}
        self._named: dict[str, Schema] = {}
        self._drawn = {**drawn, **_errors(), **self._envelopes()}

    def name(self, parameters: dict[str, Schema]) -> None:
        """Gives the schemas that fields and parameters have inline the names that the reference has for them."""
        for name, places in self._reference.named().items():
            schemas = [core_of(self._inline(place, parameters)) for place in places]
            if "enum" in schemas[0]:
                self._enums[tuple(schemas[0]["enum"])] = name
            self._named[name] = dict(schemas[0])
            for part in schemas:
                if "enum" not in part:
                    part.clear()
                    part.update(ref_to(name))

    def _inline(self, place: str, parameters: dict[str, Schema]) -> Schema:
        if place in parameters:
            return parameters[place]
        schema, _, field = place.partition(".")
        inline: Schema = self._drawn[schema]["properties"][field]
        return inline

    def tidy(self, schema: Schema) -> Schema:
        """Returns a schema with names for its enumerations, and types in place of unions with null."""
        tidied: Schema = without_unions(named(schema, self._enums))
        return tidied

    def schemas(self) -> dict[str, Schema]:
        """Returns every component, by its name."""
        components = {name: self._tidied(schema) for name, schema in {**self._drawn, **self._named}.items()}
        produced = {record.category for record in TYPES.values()}
        categories = [category for category in components[_CATEGORY]["enum"] if category in produced]
        components[_CATEGORY] = {**components[_CATEGORY], "x-produced": categories}
        links = {type_: [*record.links] for type_, record in sorted(TYPES.items())}
        components[_TYPE] = {**components[_TYPE], "x-links": links}
        return {name: self._described(name, components[name]) for name in sorted(components)}

    def _tidied(self, schema: Schema) -> Schema:
        return schema if "enum" in schema else self.tidy(schema)

    def _described(self, name: str, schema: Schema) -> Schema:
        text = self._reference.schemas.get(name, {})
        about = text.get("description") or schema.get("description", "")
        properties = {
            field: {**part, "description": self._reference.field(name, field) or part.get("description", "")}
            for field, part in schema.get("properties", {}).items()
        }
        described = {"description": about, **{key: value for key, value in schema.items() if key != "description"}}
        return {**described, "properties": properties} if properties else described

    def _envelopes(self) -> dict[str, Schema]:
        envelopes: dict[str, Schema] = {}
        for route in self._routes:
            name, resource = envelope(route), name_of(route.response_model)
            if route.shape == "data":
                envelopes[name] = _envelope(f"The envelope of one `{resource}`.", data=ref_to(resource))
                envelopes[name]["properties"]["data"]["description"] = "The resource itself."
            if route.shape == "collection":
                many = {"type": "array", "items": ref_to(resource)}
                envelopes[name] = _envelope(f"One page of `{resource}` resources.", data=many, meta=ref_to("PageMeta"))
                envelopes[name]["properties"]["data"]["description"] = (
                    "The resources of this page, in the list's order."
                )
                envelopes[name]["properties"]["meta"]["description"] = "Whether and where the list continues."
        return envelopes


def envelope(route: Route) -> str:
    """Returns the name of the schema of what a route answers, its envelope included."""
    suffix = {"data": "Response", "collection": "Page"}.get(route.shape, "")
    return f"{name_of(route.response_model)}{suffix}"


def answer_schema(route: Route) -> Schema:
    """Returns the schema of a route's successful response."""
    schema = ref_to(envelope(route))
    return {"type": "array", "items": schema} if route.shape == "array" else schema


def _envelope(about: str, **fields: Schema) -> Schema:
    return {"description": about, **_object(**fields)}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "required": list(fields), "additionalProperties": False, "properties": fields}


def _errors() -> dict[str, Schema]:
    """Returns the schemas of the error envelope, and of the page meta."""
    text: Schema = {"type": "string"}
    return {
        "Error": _object(error=ref_to("ErrorBody")),
        "ErrorBody": _object(
            code={"type": "string", "enum": [code.name for code in Code]},
            message=text,
            status={"type": "integer"},
            requestId=text,
            details={"anyOf": [ref_to("ErrorDetails"), {"type": "null"}]},
        ),
        "ErrorDetails": {
            "type": "object",
            "properties": {
                "fields": {"type": "object", "additionalProperties": text},
                "requiredScope": ref_to(_SCOPE),
                "reason": {"type": "string", "enum": [reason.value for reason in Reason]},
                "slotId": text,
                "sections": {"type": "array", "items": text},
            },
        },
        "BareError": _object(message=text, code={"type": "string", "const": Code.INVALID_INVITE_CODE.name}),
        "PageMeta": _object(nextCursor={"type": ["string", "null"]}, hasMore={"type": "boolean"}),
    }
