"""The OpenAPI document: drawn from the routes, committed as drawn, and true of what is answered."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest

from governance.domain.notifications.notification_types import TYPES
from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Route
from governance.scopes import Scope
from governance.usecases.documents import documents
from infra.local.event import HttpRequest, HttpResponse
from infra.local.service import published, service
from infra.openapi.document import FILE, document, text
from infra.openapi.site import site
from tests.harness.actors import new_actors
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Response
from tests.harness.outbox import Outbox
from tests.harness.path_resources import PathResources
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request

DOCUMENT: dict[str, Any] = document()
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
SERVED = service(lambda _: HttpResponse(404, []), published(site()))


def operations() -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, item in DOCUMENT["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }


def violations(name: str, answer: Response) -> list[str]:
    """In what the answer differs from what the document says of this status of this route."""
    responses = operations()[name]["responses"]
    assert str(answer.status) in responses, f"{name} may not answer {answer.status}: {answer.text}"
    response = responses[str(answer.status)]
    if "$ref" in response:
        response = DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]]
    schema = response["content"]["application/json"]["schema"]
    whole = {**schema, "components": DOCUMENT["components"]}
    return [error.message for error in jsonschema_rs.Draft202012Validator(whole).iter_errors(answer.json)]


def test_the_committed_document_is_the_one_that_the_routes_draw() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run `make openapi`"


def test_the_document_has_every_route_and_error_code_and_no_other() -> None:
    assert sorted(operations()) == ROUTE_NAMES
    assert len({operation["operationId"] for operation in operations().values()}) == len(ROUTE_NAMES)
    assert SCHEMAS["ErrorCode"]["enum"] == [code.name for code in Code]


def links_of(name: str) -> dict[str, dict[str, str]]:
    """The operations that a route's answer links to, with what it gives them."""
    links_of_answers = [answer.get("links", {}) for answer in operations()[name]["responses"].values()]
    return {target: link["parameters"] for links in links_of_answers for target, link in links.items()}


LINKING = [name for name in ROUTE_NAMES if links_of(name)]
BY_LIST = {"GET /api/v1/boards/{boardId}/audit/{entryId}/proof"}
"""What needs an id that only the audit log names."""
BY_CLIENT = {
    *(f"GET /api/v1/boards/{{boardId}}/{path}/{{year}}" for path in ("plan/years", "minute-book")),
    "POST /api/v1/boards/{boardId}/minute-book/{year}/document",
}
"""What needs a value that is no id."""
BY_MAIL = {
    "GET /api/v1/invite/preview/{inviteCode}",
    "GET /api/v1/invite/status/{inviteCode}",
    "GET /api/v1/paper/{paperToken}",
    "POST /api/v1/paper/{paperToken}/versions",
    *(f"{method} /api/v1/unsubscribe/{{unsubscribeToken}}" for method in ("GET", "POST")),
}
"""What needs the token of a mail besides what answers name."""


def test_whatever_has_an_id_is_linked_to_by_what_gives_it() -> None:
    followed = {target for name in LINKING for target in links_of(name)}
    with_ids = {name for name in ROUTE_NAMES if "{" in name}
    assert {
        name for name in with_ids if operations()[name]["operationId"] not in followed
    } == BY_MAIL | BY_LIST | BY_CLIENT


@pytest.mark.parametrize("name", LINKING)
def test_links_lead_to_what_the_answer_names(name: str, scenario: BoardScenario, outbox: Outbox) -> None:
    del outbox
    routes = {operation["operationId"]: route for route, operation in operations().items()}
    for target, parameters in links_of(name).items():
        if target == "dismissUnregisteredUserBounceFlag":
            continue  # a new person has no flag to lift
        if target == "getMeetingSeries":
            continue  # a meeting is rarely one of a series
        resources = PathResources(scenario, scenario.owner, name)
        of_few = (
            "webhookId",
            "documentId",
            "dashboardId",
            "resolutionId",
            "seriesId",
            "paperRequestId",
            "paperToken",
        )  # a board has ten webhooks
        few = [made for made in of_few if f"{{{made}}}" in name]
        few += ["flagId"] if name.endswith("/flags") else []
        few += ["itemId"] if name.endswith("/agenda") else []
        for made in ("notificationId", "slotId", "token", "reportId", "boardId", *few):
            resources[made]
        named = dict(resources)
        answer = sample_request(name, scenario, None, **named).by(scenario.owner.client)
        values = {parameter: followed(text, named, answer) for parameter, text in parameters.items()}
        assert sample_request(routes[target], scenario, None, **values).by(scenario.owner.client).status not in {
            404,
            405,
        }, target


def followed(expression: str, named: dict[str, str], answer: Response) -> str:
    """The value of a link's parameter."""
    source, _, place = expression.partition("#")
    value: Any = named[source.rpartition(".")[2]] if source.startswith("$request.path.") else answer.json
    for step in place.split("/")[1:]:
        value = value[int(step) if isinstance(value, list) else step]
    return str(value)


def test_the_paging_of_the_audit_log_is_marked_as_an_extension() -> None:
    operation = DOCUMENT["paths"]["/api/auditlog/{boardId}"]["get"]
    assert {query["name"] for query in operation["parameters"] if query.get("x-extension")} == {"limit", "cursor"}
    assert "x-extension" not in operation


def test_an_operation_says_what_its_route_needs() -> None:
    silent = {name: what_is_missing(ROUTES_BY_NAME[name], operations()[name]) for name in ROUTE_NAMES}
    assert {name: missing for name, missing in silent.items() if missing} == {}


def what_is_missing(route: Route, operation: dict[str, Any]) -> list[str]:
    """What an operation does not say of its route."""
    public, scope = route.admission.is_public, route.admission.scope
    parameters = [parameter.get("$ref", "") for parameter in operation.get("parameters", ())]
    said = {
        "security": operation["security"] == ([] if public else [{"bearer": []}]),
        "scope": operation.get("x-required-scope") == (scope.value if isinstance(scope, Scope) else None),
        "responses": public or {"401", "403", "429", "503"} <= operation["responses"].keys(),
        "extension": operation.get("x-extension", False) is route.extension,
        "idempotency": any("IdempotencyKey" in reference for reference in parameters) is route.idempotent,
    }
    return [part for part, is_said in said.items() if not is_said]


@pytest.mark.parametrize("name", ROUTE_NAMES)
def test_an_answer_is_what_the_document_says(name: str, scenario: BoardScenario, outbox: Outbox) -> None:
    del outbox
    for_invitees = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
    caller = person("outsider") if name.endswith(for_invitees) else scenario.owner
    assert violations(name, sample_request(name, scenario, caller).by(caller.client)) == []


@pytest.mark.usefixtures("store")
def test_refusals_are_what_the_document_says() -> None:
    actors = new_actors()
    for name in ("GET /api/v1/me", "PATCH /api/v1/boards/{boardId}", "POST /api/v1/boards/{boardId}/meetings"):
        request = actors.request(name, "owner")
        for client in actors.clients.values():
            assert violations(name, request.by(client)) == []
    posting = "POST /api/v1/boards/{boardId}/meetings"
    request, owner = actors.request(posting, "owner"), actors.clients["owner"]
    for body, headers in (("{", {}), ("{}", {"content-type": "text/plain"}), ("x" * 300_000, {})):
        assert violations(posting, owner.call("POST", request.path, raw=body, headers=headers)) == []
    listing = "GET /api/v1/boards/{boardId}/meetings"
    assert violations(listing, owner.get(request.path, limit=0)) == []


def test_whoami_is_one_of_three(scenario: BoardScenario) -> None:
    for client in (scenario.owner.client, scenario.personal_token(scenario.owner), scenario.token()):
        assert violations("GET /api/v1/whoami", client.get("/api/v1/whoami")) == []
    assert len(SCHEMAS["Whoami"]["oneOf"]) == 3


def test_a_route_that_names_no_scope_cannot_be_declared() -> None:
    for scope in (None, "boards:read", True):
        with pytest.raises(TypeError, match="names no scope"):
            Api().get("/api/v1/x", documents.list_documents, scope=scope)
    with pytest.raises(TypeError, match="names no scope"):
        Api().group(extension=True).get("/api/v1/x", documents.list_documents)


@pytest.mark.parametrize(
    ("path", "kind", "part"),
    [
        ("/openapi.json", "application/json", '"openapi": "3.1.0"'),
        ("/docs", "text/html", "/docs/swagger-ui-bundle.js"),
        ("/docs/", "text/html", "/docs/swagger-ui-bundle.js"),
        ("/docs/docs.js", "text/javascript", "/openapi.json"),
        ("/docs/swagger-ui.css", "text/css", ".swagger-ui"),
        ("/docs/swagger-ui-bundle.js", "text/javascript", "SwaggerUIBundle"),
    ],
)
def test_the_page_is_served_whole_and_from_here(path: str, kind: str, part: str) -> None:
    answer = SERVED(HttpRequest("GET", path, []))
    assert dict(answer.headers)["content-type"].startswith(kind)
    assert part in answer.body.decode()
    if path in {"/docs", "/docs/docs.js"}:
        assert "http" not in answer.body.decode().replace("http-equiv", "")


def test_the_page_answers_for_nothing_else() -> None:
    for method, path in (("GET", "/docs/nothing.js"), ("POST", "/docs"), ("GET", "/api/v1/me"), ("GET", "/docs/../x")):
        assert SERVED(HttpRequest(method, path, [])).status == 404


def test_the_pages_offer_the_categories_that_something_is_told_in_and_no_others() -> None:
    produced = DOCUMENT["components"]["schemas"]["NotificationCategory"]["x-produced"]
    topics = (FILE.parent / "infra/pages/app/web/lib/mail-topics.js").read_text(encoding="utf-8")
    (offered,) = re.findall(r"export const CATEGORIES = \[(.*)\];", topics)
    assert sorted(re.findall(r"'(\w+)'", offered)) == sorted(produced)
    assert set(produced) == {record.category for record in TYPES.values() if record.category}
