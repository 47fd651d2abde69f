"""The OpenAPI 3.1 document, drawn from the declarations that serve the requests: there is no second copy of a route."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

from governance.http.api import Api
from governance.http.route import Access, Audience, Route
from governance.limits import IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY
from governance.scopes import Scope, Tier
from infra.openapi.links import links, operation_id
from infra.openapi.responses import ERROR, ERROR_DETAILS, HEADERS, PAGE_META, errors, responses
from infra.openapi.schemas import Schema, Schemas, query_members

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "openapi.json"
_PARAMETER = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ABOUT = """\
Boards, members, meetings, documents, reports, invitations, notifications and an audit trail.

Paths under `/api/v1` are the versioned surface: one resource comes as `{data}`, a list as `{data, meta}`. Other paths
under `/api` are the legacy surface, with bare bodies. Errors have one envelope on both. A path that does not exist is
404 `RESOURCE_NOT_FOUND`; a method that a path does not take is 405 `METHOD_NOT_ALLOWED` with `Allow`. What the network
before the service refuses (no HTTP, a body beyond 10 MB, an address that asks too often or past the CDN) is a 4xx that
may have another body.

Operations with `x-extension: true` extend the published specification.
"""


def apis() -> dict[str, Api]:
    """The API of each function that serves routes, by its group."""
    groups = sorted(file.parent.name for file in (ROOT / "functions").glob("*/handler.py"))
    modules = {group: importlib.import_module(f"functions.{group}.handler") for group in groups}
    return {group: module.api for group, module in modules.items() if hasattr(module, "api")}


def document() -> Schema:
    """The whole document."""
    routes = [(group, route) for group, api in apis().items() for route in api.routes]
    schemas = Schemas(
        dict.fromkeys(route.response_model for _, route in routes),
        dict.fromkeys(route.body for _, route in routes if route.body is not None),
    )
    paths: dict[str, Schema] = {}
    for group, route in routes:
        item = paths.setdefault(route.path, _path_item(route.path))
        operation = item[route.method.lower()] = _operation(group, route, schemas)
        if followed := links(route, [other for _, other in routes]):
            operation["responses"][str(route.status)]["links"] = followed
    return {
        "openapi": "3.1.0",
        "info": {"title": "Board Governance Service", "version": "1.0.0", "description": _ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": group} for group in dict.fromkeys(group for group, _ in routes)],
        "paths": dict(sorted(paths.items())),
        "components": {**_components(schemas), "responses": errors(route for _, route in routes)},
    }


def text() -> str:
    """The document as it is committed and served."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def _path_item(path: str) -> Schema:
    names = _PARAMETER.findall(path)
    parameters = [_parameter("path", name, {"type": "string"}, required=True) for name in names]
    return {"parameters": parameters} if parameters else {}


def _operation(group: str, route: Route, schemas: Schemas) -> Schema:
    operation: Schema = {
        "operationId": operation_id(route),
        "summary": route.summary,
        "description": _description(route),
        "tags": [group],
        "security": _security(route),
    }
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.body is not None:
        content = {"application/json": {"schema": schemas.body(route.body)}}
        operation["requestBody"] = {"required": True, "content": content}
    operation["responses"] = responses(route, schemas.answer(route.response_model))
    return {**operation, "x-extension": True} if route.extension else operation


def _security(route: Route) -> list[dict[str, list[str]]]:
    if route.scope is Access.PUBLIC:
        return []
    return [{"bearer": [route.scope.value] if isinstance(route.scope, Scope) else []}]


def _description(route: Route) -> str:
    """What the operation does, and who may ask for it."""
    if route.scope is Access.PUBLIC:
        return f"{_sentence(route)}\n\nNo credential is needed."
    needs = [f"Scope: `{route.scope.value}`." if isinstance(route.scope, Scope) else "Needs no scope."]
    who = Audience.USER if route.audience is Audience.ANYONE and not _takes_board_tokens(route) else route.audience
    needs.append(f"For {who.value}.")
    if route.tier is not None and route.tier is not Tier.GUEST:
        needs.append(f"Needs at least the role of {route.tier.name.lower()}.")
    if route.billing:
        needs.append("Refused while billing restricts the board.")
    return f"{_sentence(route)}\n\n{' '.join(needs)}"


def _takes_board_tokens(route: Route) -> bool:
    return route.board_scoped or route.scope is Access.AUTHENTICATED


def _sentence(route: Route) -> str:
    paragraph = (route.usecase.__doc__ or route.summary).strip().partition("\n\n")[0]
    return " ".join(paragraph.split())


def _parameters(route: Route) -> list[Schema]:
    found = []
    if route.query is not None:
        members, required = query_members(route.query)
        found = [_parameter("query", name, member, required=name in required) for name, member in members.items()]
    if route.idempotent:
        found.append({"$ref": "#/components/parameters/IdempotencyKey"})
    return found


def _parameter(place: str, name: str, schema: Schema, *, required: bool) -> Schema:
    about = schema.pop("description", None) or _WORD.sub(" ", name).capitalize()
    return {"name": name, "in": place, "required": required, "description": f"{about.rstrip('.')}.", "schema": schema}


def _components(schemas: Schemas) -> dict[str, Any]:
    bearer = {
        "type": "http",
        "scheme": "bearer",
        "description": "A personal token (`svc_pat_…`), a board token (`svc_bat_…`) or a session (JWT).",
    }
    about = f"A repeat under the same key gets the first answer again, for {IDEMPOTENCY_HOURS} hours"
    key = _parameter(
        "header",
        "Idempotency-Key",
        {"type": "string", "pattern": f"^[ -~]{{1,{IDEMPOTENCY_KEY}}}$", "description": about},
        required=False,
    )
    return {
        "schemas": {**schemas.components, "Error": ERROR, "ErrorDetails": ERROR_DETAILS, "PageMeta": PAGE_META},
        "parameters": {"IdempotencyKey": key},
        "headers": HEADERS,
        "securitySchemes": {"bearer": bearer},
    }


def main() -> None:
    """Write the document where it is committed."""
    FILE.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
