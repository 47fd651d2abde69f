"""The OpenAPI 3.1 document, generated from the declarations that serve the requests, the docstrings of the
models, and the words about operations in `reference/`."""

from __future__ import annotations

import importlib
import json
from functools import cache
from pathlib import Path

from governance.http.api import Api
from governance.http.route import Access, Audience, Route
from governance.models.base import Body
from governance.scopes import Scope, Tier
from infra.openapi import operations, tools, webhooks
from infra.openapi.components import Components
from infra.openapi.examples import Examples
from infra.openapi.links import links, operation_id
from infra.openapi.parameters import Parameters, members, queries
from infra.openapi.responses import errors, headers, responses
from infra.openapi.schemas import Schema, name_of, ref_to
from infra.openapi.texts import Reference, reference
from infra.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "openapi.json"


def apis() -> dict[str, Api]:
    """Returns the API of each function that serves routes, by its group."""
    groups = sorted(file.parent.name for file in (ROOT / "functions").glob("*/handler.py"))
    modules = {group: importlib.import_module(f"functions.{group}.handler") for group in groups}
    return {group: module.api for group, module in modules.items() if hasattr(module, "api")}


@cache
def document() -> Schema:
    """Returns the whole document, which is drawn once."""
    return _Document(reference()).drawn()


def text() -> str:
    """Returns the document as it is committed and served."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


class _Document:
    """The document while it is generated."""

    def __init__(self, words: Reference) -> None:
        self._words = words
        self._routes = [(group, route) for group, api in apis().items() for route in api.routes]
        every = [route for _, route in self._routes]
        taken = queries(every)
        components = Components(every, members(taken), words.shared["fields"])
        self._schemas = components.schemas()
        self._examples = Examples(words, self._schemas)
        self._parameters = Parameters(every, taken, components.tidy, words.shared["parameters"])

    def drawn(self) -> Schema:
        every = [route for _, route in self._routes]
        return {
            "openapi": "3.1.0",
            "info": {"title": "Board Governance Service", "version": VERSION, **self._info()},
            "servers": [{"url": "/", "description": "The service that serves this document."}],
            "tags": self._tags(),
            "paths": self._paths(),
            "webhooks": webhooks.webhooks(self._words),
            "components": {
                "schemas": self._schemas,
                "parameters": {**self._parameters.shared, **webhooks.headers(self._words)},
                "responses": errors(every),
                "headers": headers(self._words),
                "securitySchemes": {"bearer": self._security_scheme()},
            },
        }

    def _info(self) -> Schema:
        return {"description": self._words.overview(), **self._words.shared["info"]}

    def _tags(self) -> list[Schema]:
        groups = dict.fromkeys(group for group, _ in self._routes)
        return [{"name": group, "description": self._words.tags[group]["description"]} for group in groups]

    def _paths(self) -> Schema:
        paths: dict[str, Schema] = {}
        for group, route in self._routes:
            item = paths.setdefault(route.path, self._parameters.of_path(route.path))
            operation = item[route.method.lower()] = self._operation(group, route)
            if followed := links(route, [other for _, other in self._routes]):
                operation["responses"][str(route.status)]["links"] = followed
        return dict(sorted(paths.items()))

    def _operation(self, group: str, route: Route) -> Schema:
        name = operation_id(route)
        words = self._words.operations.get(name, {})
        operation: Schema = {
            "operationId": name,
            "summary": words.get("summary", ""),
            "description": f"{words.get('description', '')}\n\n{_access(route)}",
            "tags": [group],
            "security": [] if route.admission.is_public else [{"bearer": []}],
        }
        if parameters := self._parameters.of(route):
            operation["parameters"] = parameters
        if route.body is not None:
            operation["requestBody"] = self._body(route.body, name)
        operation["responses"] = responses(route, name, self._words, self._examples)
        return {**operation, **_marks(route)}

    def _body(self, body: type[Body], name: str) -> Schema:
        content: Schema = {"schema": ref_to(name_of(body))}
        if (example := self._examples.request(name)) is not None:
            content["example"] = example
        return {"required": not body.optional, "content": {"application/json": content}}

    def _security_scheme(self) -> Schema:
        return {"type": "http", "scheme": "bearer", "description": self._words.shared["credentials"]}


def _marks(route: Route) -> Schema:
    """Returns what the document says of a route in members of its own: its scope, and whether it is an extension."""
    scope = {"x-required-scope": route.admission.scope.value} if isinstance(route.admission.scope, Scope) else {}
    return {**scope, "x-extension": True} if route.extension else scope


def _access(route: Route) -> str:
    """Returns who may call a route, as its declaration has it."""
    notes = ["Extends the published specification."] if route.extension else []
    if route.admission.is_public:
        return " ".join(["No credential is needed.", *notes])
    audience, scope, tier = route.admission.audience, route.admission.scope, route.admission.tier
    who = Audience.USER if audience is Audience.ANYONE and not _takes_board_tokens(route) else audience
    said = [f"Scope: `{scope.value}`." if isinstance(scope, Scope) else "No scope is needed."]
    said.append(f"Callers: {who.value}.")
    if tier is not None and tier is not Tier.GUEST:
        said.append(f"Minimum access on the board: {tier.name.lower()}.")
    if route.admission.billing:
        said.append("Fails with `BILLING_RESTRICTED` while billing restricts the board.")
    return " ".join([*said, *notes])


def _takes_board_tokens(route: Route) -> bool:
    return route.admission.board_scoped or route.admission.scope is Access.AUTHENTICATED


def main() -> None:
    """Writes the document, and what is generated with it, to where they are committed."""
    operations.FILE.write_text(operations.text(apis()), encoding="utf-8")
    tools.FILE.write_text(tools.text(apis(), document()), encoding="utf-8")
    FILE.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
