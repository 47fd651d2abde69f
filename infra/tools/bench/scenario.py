"""The data that all contestants serve, created through the service's own API, and the requests that they answer."""

from __future__ import annotations

import json
from typing import Any

from governance.ids import UserId
from governance.instants import Instant, shift
from governance.settings import settings
from governance.store import dynamodb
from infra.local.event import HttpRequest, to_event
from infra.local.gateway import Gateway
from infra.local.routing import select
from infra.local.service import published, service
from infra.stack.template import Template
from infra.tools.bench.issuer import Issuer
from infra.tools.scale.main import sender
from infra.tools.scale.world import Caller, Send, World

GET, LIST, CREATE, VOTE = "get-one", "list-25", "create", "vote"
ROUTES = (GET, LIST, CREATE, VOTE)
SESSION, TOKEN = "RS256 session", "svc_pat_ token"
CREDENTIALS = (SESSION, TOKEN)
_EMAIL = "bench@example.com"
_LISTED = 100
_NEW = {"title": "Budget 2027", "status": "scheduled", "startTime": "2027-03-01T10:00:00+01:00", "location": "Room 4"}


def case(route: str, credential: str) -> str:
    """Returns the name under which a route is measured with a credential."""
    return f"{route}, {credential}"


class Scenario:
    """A user with a session and a personal token, a board of a hundred meetings to read and another to write to."""

    def __init__(self, issuer: Issuer) -> None:
        settings.cache_clear()
        dynamodb.client.cache_clear()
        self._template = Template()
        secret = "".join(settings().origin_secrets[:1])
        self._service = service(Gateway(self._template).handle, published({}), origin_secret=secret)
        self._issuer = issuer
        self._world = World(self._sign_in)
        self.credentials = {SESSION: issuer.session(_EMAIL)}
        send = self._sign_in(_EMAIL)
        self._caller = Caller(UserId(json.loads(send("GET", "/api/v1/me", None))["data"]["id"]), send)
        personal = {"name": "Bench", "preset": "full_access", "expiresInDays": 30}
        self.credentials[TOKEN] = self._caller.data("POST", "/api/v1/me/tokens", personal)["secret"]
        read, written = (self._world.board(self._caller) for _ in range(2))
        self._read, self._written = (f"/api/v1/boards/{board.id}/meetings" for board in (read, written))
        created = [self._caller.data("POST", self._read, _meeting(number)) for number in range(_LISTED)]
        self._meeting = created[_LISTED // 2]["id"]
        self._slot = self._world.slot(self._caller, self._world.meeting(self._caller, written))

    def requests(self) -> dict[str, tuple[str, str, Any]]:
        """Returns method, target and body of each route."""
        return {
            GET: ("GET", f"{self._read}/{self._meeting}", None),
            LIST: ("GET", f"{self._read}?limit=25", None),
            CREATE: ("POST", self._written, _NEW),
            VOTE: ("PUT", f"{self._slot}/vote", {"vote": "ok"}),
        }

    def events(self) -> dict[str, dict[str, Any]]:
        """Returns an event for each route and credential, as API Gateway passes it to a function."""
        return {
            case(route, name): self._event(*request, credential)
            for route, request in self.requests().items()
            for name, credential in self.credentials.items()
        }

    def _event(self, method: str, target: str, body: Any, credential: str) -> dict[str, Any]:
        request = _request(method, target, body, credential)
        match = select(self._template.routes(), method, request.path)
        if match is None:
            raise ValueError(target)
        return to_event(request, match)

    def _sign_in(self, email: str) -> Send:
        return sender(self._service, self._issuer.session(email))


def _request(method: str, target: str, body: Any, credential: str) -> HttpRequest:
    headers = [("host", "bench.example.com"), ("authorization", f"Bearer {credential}"), ("accept", "application/json")]
    headers += [("user-agent", "bench/1"), ("x-viewer-address", "203.0.113.7")]
    headers += [("x-origin-secret", secret) for secret in settings().origin_secrets[:1]]
    if body is not None:
        headers.append(("content-type", "application/json"))
    return HttpRequest(method, target, headers, b"" if body is None else json.dumps(body).encode())


def _meeting(number: int) -> dict[str, Any]:
    """Returns one of a series of meetings, a day apart: every third is a draft, so that both ranges fill a page."""
    start = shift(Instant("2027-01-01T09:00:00.000Z"), days=number)
    status = "draft" if number % 3 == 0 else "scheduled"
    return {"title": f"Meeting {number}", "status": status, "startTime": start, "locationType": "virtual"}
