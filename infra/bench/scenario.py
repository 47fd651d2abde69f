"""The data that all contestants serve, created through the service's own API, and the requests that they answer."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3

from governance.domain import tokens
from governance.ids import new_id
from governance.instants import Instant, now, shift
from governance.models.meeting import StoredMeeting
from governance.settings import settings
from governance.store import meetings, table
from governance.store.attributes import marshal
from governance.store.schema import USER_TOKEN
from governance.store.writes import Put
from infra.bench.issuer import Issuer
from infra.local.event import HttpRequest, to_event
from infra.local.gateway import Gateway
from infra.local.routing import select
from infra.stack.template import Template

GET, LIST, CREATE, VOTE, WHOAMI = "get-one", "list-25", "create", "vote", "whoami"
ROUTES = (GET, LIST, CREATE, VOTE, WHOAMI)
SESSION, TOKEN = "RS256 session", "svc_pat_ token"
CREDENTIALS = (SESSION, TOKEN)
_EMAIL = "bench@example.com"
_LISTED = 100
_NEW = {"title": "Budget 2027", "status": "scheduled", "startTime": "2027-03-01T10:00:00+01:00", "location": "Room 4"}
_BATCH = 25


def case(route: str, credential: str) -> str:
    """Returns the name under which a route is measured with a credential."""
    return f"{route}, {credential}"


CASES = tuple(case(route, credential) for route in ROUTES for credential in CREDENTIALS)


class Scenario:
    """A user with a session and a personal token, a board of a hundred meetings to read and another to write to."""

    def __init__(self, template: Template, issuer: Issuer) -> None:
        settings.cache_clear()
        table.client.cache_clear()
        self._template = template
        self._gateway = Gateway(template, origin_secret="".join(settings().origin_secrets[:1]))
        self._issuer = issuer
        self.credentials = {SESSION: issuer.session(_EMAIL)}
        self.user_id = self._call("GET", "/api/v1/me")["data"]["id"]
        self.credentials[TOKEN] = self._token()
        self.board = self._call("POST", "/api/v1/boards", {"name": "Read"})["data"]["id"]
        self.scratch = self._call("POST", "/api/v1/boards", {"name": "Written"})["data"]["id"]
        self._meetings = f"/api/v1/boards/{self.board}/meetings"
        created = [self._call("POST", self._meetings, _meeting(number)) for number in range(_LISTED)]
        self.meeting = created[_LISTED // 2]["data"]["id"]
        self.vote = f"{self._slot()}/vote"

    def requests(self) -> dict[str, tuple[str, str, Any]]:
        """Returns method, target and body of each route."""
        return {
            GET: ("GET", f"{self._meetings}/{self.meeting}", None),
            LIST: ("GET", f"{self._meetings}?limit=25", None),
            CREATE: ("POST", f"/api/v1/boards/{self.scratch}/meetings", _NEW),
            VOTE: ("PUT", self.vote, {"vote": "ok"}),
            WHOAMI: ("GET", "/api/v1/whoami", None),
        }

    def events(self) -> dict[str, dict[str, Any]]:
        """Returns an event for each route and credential, as API Gateway passes it to a function."""
        return {
            case(route, name): self.event(*request, credential=credential)
            for route, request in self.requests().items()
            for name, credential in self.credentials.items()
        }

    def rejected(self) -> dict[str, dict[str, Any]]:
        """Returns an event for each credential that must be answered with 401."""
        credentials = {
            "session with a bad signature": self._issuer.forged_session(_EMAIL),
            "expired session": self._issuer.session(_EMAIL, seconds=-3600),
            "session for another audience": self._issuer.session(_EMAIL, audience="another"),
            "unknown token": tokens.mint("personal", self.user_id),
            "token with a bad checksum": self.credentials[TOKEN][:-6] + "000000",
            "expired token": self._changed_token("expiresAt", shift(now(), days=-1)),
            "revoked token": self._changed_token("revokedAt", now()),
            "text that is no token": "secret",
        }
        request = self.requests()[GET]
        return {name: self.event(*request, credential=credential) for name, credential in credentials.items()}

    def event(self, method: str, target: str, body: Any = None, credential: str = "") -> dict[str, Any]:
        """Returns one request as an event of its function; without a credential it carries the session."""
        request = self._request(method, target, body, credential)
        match = select(self._template.routes(), method, request.path)
        if match is None:
            raise ValueError(target)
        return to_event(request, match)

    def grow(self, items: int) -> str:
        """Creates a board with so many meetings, straight in the table; returns its id."""
        board: str = self._call("POST", "/api/v1/boards", {"name": f"With {items}"})["data"]["id"]
        moment = now()
        numbers = [range(start, min(start + _BATCH, items)) for start in range(0, items, _BATCH)]
        client = boto3.client("dynamodb")

        def write(batch: Sequence[int]) -> None:
            puts = [_stored(board, self.user_id, number, moment) for number in batch]
            left: Any = {os.environ["TABLE_NAME"]: [{"PutRequest": {"Item": marshal(put.item)}} for put in puts]}
            while left:
                left = client.batch_write_item(RequestItems=left)["UnprocessedItems"]

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, numbers))
        return board

    def _token(self) -> str:
        body = {"name": "Bench", "preset": "full_access", "expiresInDays": 30}
        secret: str = self._call("POST", "/api/v1/me/tokens", body)["data"]["secret"]
        return secret

    def _changed_token(self, attribute: str, value: str) -> str:
        """Creates a token and sets one attribute of its stored item."""
        token = self._token()
        key = USER_TOKEN.key_for(userId=self.user_id, tokenId=tokens.token_id(token))
        boto3.client("dynamodb").update_item(
            TableName=os.environ["TABLE_NAME"],
            Key=marshal(key.attributes),
            UpdateExpression="SET #a = :v",
            ExpressionAttributeNames={"#a": attribute},
            ExpressionAttributeValues={":v": {"S": value}},
        )
        return token

    def _slot(self) -> str:
        meetings_path = f"/api/v1/boards/{self.scratch}/meetings"
        slots = f"{meetings_path}/{self._call('POST', meetings_path, _NEW)['data']['id']}/slots"
        slot = {"startTime": shift(now(), days=30), "timezone": "Europe/Paris", "durationInMinutes": 60}
        return f"{slots}/{self._call('POST', slots, slot)['data']['id']}"

    def _request(self, method: str, target: str, body: Any, credential: str = "") -> HttpRequest:
        bearer = f"Bearer {credential or self.credentials[SESSION]}"
        headers = [("host", "bench.example.com"), ("authorization", bearer), ("accept", "application/json")]
        headers += [("user-agent", "bench/1"), ("x-viewer-address", "203.0.113.7")]
        headers += [("x-origin-secret", secret) for secret in settings().origin_secrets[:1]]
        if body is not None:
            headers.append(("content-type", "application/json"))
        return HttpRequest(method, target, headers, b"" if body is None else json.dumps(body).encode())

    def _call(self, method: str, target: str, body: Any = None) -> Any:
        response = self._gateway.handle(self._request(method, target, body))
        if response.status not in {200, 201}:
            raise RuntimeError(f"{method} {target}: {response.status} {response.body!r}")
        return json.loads(response.body)


def _meeting(number: int) -> dict[str, Any]:
    """Returns one of a series, a day apart: every third is a draft, so that both ranges fill a page."""
    start = shift(Instant("2027-01-01T09:00:00.000Z"), days=number)
    status = "draft" if number % 3 == 0 else "scheduled"
    return {"title": f"Meeting {number}", "status": status, "startTime": start, "locationType": "virtual"}


def _stored(board: str, user: str, number: int, moment: str) -> Put:
    members = {"id": new_id(), "boardId": board, "creatorId": user, "createdByUserId": user}
    members |= {"createdAt": moment, "updatedAt": moment} | _meeting(number % 30_000)
    created = meetings.create(StoredMeeting.model_validate(members))
    if not isinstance(created, Put):
        raise TypeError("a new meeting is one item")
    return created
