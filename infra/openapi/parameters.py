"""The parameters of the operations; those that are described once are components."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from governance.domain.entity_tags import PATTERN
from governance.http import preconditions
from governance.http.route import Route
from governance.limits import IDEMPOTENCY_KEY
from governance.models.page import PageQuery
from infra.openapi.links import operation_id
from infra.openapi.schemas import Schema, query_fields
from infra.openapi.texts import Reference

_IN_PATH = re.compile(r"\{(\w+)\}")
_KEY = "Idempotency-Key"
_KEY_COMPONENT = "IdempotencyKey"
_KEY_SCHEMA: Schema = {"type": "string", "pattern": f"^[ -~]{{1,{IDEMPOTENCY_KEY}}}$"}
_TAGS_SCHEMA: Schema = {"type": "string", "pattern": PATTERN}
_HEADERS = {_KEY_COMPONENT: (_KEY, _KEY_SCHEMA)} | {
    "".join(name.split("-")): (name, _TAGS_SCHEMA) for name in preconditions.NAMES.values()
}
"""The header parameters: the name and the schema of each component."""
_OUR_ID: Schema = {"type": "string"}
Tidy = Callable[[Schema], Schema]


class Parameters:
    """All parameters of some routes, as they are drawn and described."""

    def __init__(self, routes: Iterable[Route], reference: Reference) -> None:
        self._reference = reference
        self._routes = list(routes)
        self._query: dict[str, tuple[dict[str, Schema], set[str]]] = {
            operation_id(route): query_fields(route.query) for route in self._routes if route.query is not None
        }

    def schemas(self) -> dict[str, Schema]:
        """Returns the schema of each query parameter, by `<operation>.<name>`."""
        return {
            f"{operation}.{name}": schema
            for operation, (fields, _) in self._query.items()
            for name, schema in fields.items()
        }

    def of_path(self, path: str) -> Schema:
        """Returns a path item with the parameters of its path."""
        names = _IN_PATH.findall(path)
        return {"parameters": [_ref(name) for name in names]} if names else {}

    def of(self, route: Route, tidy: Tidy) -> list[Schema]:
        """Returns the query and header parameters of a route."""
        operation = operation_id(route)
        common = self.shared(tidy)
        parameters = [
            _ref(name) if common.get(name) == parameter else parameter
            for name, parameter in _marked(route, self._of_query(operation, tidy)).items()
        ]
        changes = route.current is not None
        taken = {_KEY_COMPONENT: route.idempotent, "IfMatch": changes, "IfNoneMatch": changes or route.tagged}
        return [*parameters, *(_ref(name) for name, is_taken in taken.items() if is_taken)]

    def _of_query(self, operation: str, tidy: Tidy) -> dict[str, Schema]:
        fields, required = self._query.get(operation, ({}, set()))
        return {
            name: self._parameter(operation, "query", name, tidy(schema), required=name in required)
            for name, schema in fields.items()
        }

    def shared(self, tidy: Tidy) -> dict[str, Schema]:
        """Returns the parameters that are described for all operations alike, by name."""
        paths = dict.fromkeys(name for route in self._routes for name in _IN_PATH.findall(route.path))
        parameters = {name: self._parameter("", "path", name, _OUR_ID, required=True) for name in paths}
        for operation in self._query:
            for name, parameter in self._of_query(operation, tidy).items():
                if self._reference.is_shared(operation, name):
                    parameters.setdefault(name, parameter)
        for component, (name, schema) in _HEADERS.items():
            parameters[component] = self._parameter("", "header", name, schema, required=False)
        return dict(sorted(parameters.items()))

    def _parameter(self, operation: str, place: str, name: str, schema: Schema, *, required: bool) -> Schema:
        about = self._reference.parameter(operation, name) or ""
        return {"name": name, "in": place, "required": required, "description": about, "schema": schema}


def _marked(route: Route, parameters: dict[str, Schema]) -> dict[str, Schema]:
    """Marks the paging of a legacy list as an extension: the published specification has no parameter there."""
    is_legacy = not route.admission.versioned and not route.extension
    added = set(PageQuery.model_fields) if route.query and is_legacy else set()
    return {
        name: {**parameter, "x-extension": True} if name in added else parameter
        for name, parameter in parameters.items()
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/parameters/{name}"}
