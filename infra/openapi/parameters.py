"""The parameters of the operations; those that are described once are components."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from governance.domain.entity_tags import PATTERN
from governance.http import preconditions
from governance.http.route import Route
from governance.limits import IDEMPOTENCY_KEY
from governance.models.base import Query
from governance.models.page import PageQuery
from infra.openapi import descriptions
from infra.openapi.schemas import Member, Schema, json_name, query_fields

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
Queries = dict[type[Query], tuple[dict[str, Schema], set[str]]]
"""The schemas of the parameters of each query, by name, and the names of the required ones."""


def queries(routes: Iterable[Route]) -> Queries:
    """Returns the queries of some routes."""
    return {route.query: query_fields(route.query) for route in routes if route.query is not None}


def members(queries: Queries) -> Iterator[Member]:
    """Yields the fields of queries with their schemas."""
    for model, (schemas, _) in queries.items():
        yield from ((model, field, schemas[json_name(model, field)]) for field in model.model_fields)


class Parameters:
    """All parameters of some routes, as they are drawn and described; what several routes share is a component."""

    def __init__(self, routes: Iterable[Route], queries: Queries, tidy: Tidy, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._query = {model: self._of_query(model, *drawn, tidy) for model, drawn in queries.items()}
        self.shared = dict(sorted(self._shared(list(routes)).items()))

    def of_path(self, path: str) -> Schema:
        """Returns a path item with the parameters of its path."""
        names = _IN_PATH.findall(path)
        return {"parameters": [_ref(name) for name in names]} if names else {}

    def of(self, route: Route) -> list[Schema]:
        """Returns the query and header parameters of a route."""
        query = self._query[route.query] if route.query is not None else {}
        parameters = [
            _ref(name) if self.shared.get(name) == parameter else parameter
            for name, parameter in _marked(route, query).items()
        ]
        changes = route.current is not None
        taken = {_KEY_COMPONENT: route.idempotent, "IfMatch": changes, "IfNoneMatch": changes or route.tagged}
        return [*parameters, *(_ref(name) for name, is_taken in taken.items() if is_taken)]

    def _of_query(
        self, model: type[Query], schemas: dict[str, Schema], required: set[str], tidy: Tidy
    ) -> dict[str, Schema]:
        said = {json_name(model, field): descriptions.of_field(model, field) or "" for field in model.model_fields}
        return {
            name: _parameter("query", name, said[name], tidy(schema), required=name in required)
            for name, schema in schemas.items()
        }

    def _shared(self, routes: list[Route]) -> dict[str, Schema]:
        """Returns the parameters of paths and headers, and those of queries as most routes have them."""
        paths = dict.fromkeys(name for route in routes for name in _IN_PATH.findall(route.path))
        parameters = {name: _parameter("path", name, self._texts[name], _OUR_ID, required=True) for name in paths}
        of_routes = [self._query[route.query] for route in routes if route.query is not None]
        uses = Counter(json.dumps(part) for query in of_routes for part in query.values())
        for text, number in reversed(uses.most_common()):
            if number > 1:
                parameter = json.loads(text)
                parameters[parameter["name"]] = parameter
        for component, (name, schema) in _HEADERS.items():
            parameters[component] = _parameter("header", name, self._texts[name], schema, required=False)
        return parameters


def _parameter(place: str, name: str, about: str, schema: Schema, *, required: bool) -> Schema:
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
