"""The data that all contestants serve, sown through the service's own API, and the requests that they answer."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import jwt

from governance.ids import new_id
from governance.instants import now, shift
from governance.models.meeting import StoredMeeting
from governance.settings import settings
from governance.store import meetings, table
from governance.store.attributes import marshal
from governance.store.writes import Put
from infra.local.event import HttpRequest, to_event
from infra.local.gateway import Gateway
from infra.local.routing import select
from infra.stack.template import Template

LISTED = 100
GET, LIST, CREATE, VOTE, WHOAMI = "get-one", "list-25", "create", "vote", "whoami"
ROUTES = (GET, LIST, CREATE, VOTE, WHOAMI)
_NEW = {"title": "Budget 2027", "status": "scheduled", "startTime": "2027-03-01T10:00:00+01:00", "location": "Room 4"}
_BATCH = 25


class Scenario:
    """A user with a session, a board of a hundred meetings to read, another to write on."""

    def __init__(self, template: Template) -> None:
        settings.cache_clear()
        table.client.cache_clear()
        self._template = template
        self._gateway = Gateway(template)
        claims = {name: os.environ[f"JWT_{name}"] for name in ("ISSUER", "AUDIENCE")}
        issued = int(time.time())
        session = {"iss": claims["ISSUER"], "aud": claims["AUDIENCE"], "sub": "bench", "iat": issued}
        session |= {"exp": issued + 7200, "email": "bench@example.com"}
        self.bearer = f"Bearer {jwt.encode(session, os.environ['JWT_SECRET'], 'HS256')}"
        self.user_id = self._call("GET", "/api/v1/me")["data"]["id"]
        self.board = self._call("POST", "/api/v1/boards", {"name": "Read"})["data"]["id"]
        self.scratch = self._call("POST", "/api/v1/boards", {"name": "Written"})["data"]["id"]
        self._meetings = f"/api/v1/boards/{self.board}/meetings"
        made = [self._call("POST", self._meetings, _meeting(number)) for number in range(LISTED)]
        self.meeting = made[LISTED // 2]["data"]["id"]
        slots = f"/api/v1/boards/{self.scratch}/meetings"
        proposed = self._call("POST", slots, _NEW)["data"]["id"]
        slots = f"{slots}/{proposed}/slots"
        slot = {"startTime": shift(now(), days=30), "timezone": "Europe/Paris", "durationInMinutes": 60}
        self.vote = f"{slots}/{self._call('POST', slots, slot)['data']['id']}/vote"

    def requests(self) -> dict[str, tuple[str, str, Any]]:
        """Method, target and body of each route."""
        return {
            GET: ("GET", f"{self._meetings}/{self.meeting}", None),
            LIST: ("GET", f"{self._meetings}?limit=25", None),
            CREATE: ("POST", f"/api/v1/boards/{self.scratch}/meetings", _NEW),
            VOTE: ("PUT", self.vote, {"vote": "ok"}),
            WHOAMI: ("GET", "/api/v1/whoami", None),
        }

    def events(self) -> dict[str, dict[str, Any]]:
        """The same as API Gateway hands them to a function."""
        return {name: self.event(*request) for name, request in self.requests().items()}

    def event(self, method: str, target: str, body: Any = None) -> dict[str, Any]:
        """One request as an event of its function."""
        request = self._request(method, target, body)
        match = select(self._template.routes(), method, request.path)
        if match is None:
            raise ValueError(target)
        return to_event(request, match)

    def grow(self, items: int) -> str:
        """Another board, with so many meetings on it."""
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

    def _request(self, method: str, target: str, body: Any) -> HttpRequest:
        headers = [("host", "bench.example.com"), ("authorization", self.bearer), ("accept", "application/json")]
        headers += [("user-agent", "bench/1"), ("cloudfront-viewer-address", "203.0.113.7:4711")]
        if body is not None:
            headers.append(("content-type", "application/json"))
        return HttpRequest(method, target, headers, b"" if body is None else json.dumps(body).encode())

    def _call(self, method: str, target: str, body: Any = None) -> Any:
        answer = self._gateway.handle(self._request(method, target, body))
        if answer.status not in {200, 201}:
            raise RuntimeError(f"{method} {target}: {answer.status} {answer.body!r}")
        return json.loads(answer.body)


def _meeting(number: int) -> dict[str, Any]:
    """Every third is a draft, so that both ranges fill a page; the others are scheduled; a day apart."""
    start = shift("2027-01-01T09:00:00.000Z", days=number)
    status = "draft" if number % 3 == 0 else "scheduled"
    return {"title": f"Meeting {number}", "status": status, "startTime": start, "locationType": "virtual"}


def _stored(board: str, user: str, number: int, moment: str) -> Put:
    members = {"id": new_id(), "boardId": board, "creatorId": user, "createdByUserId": user}
    members |= {"createdAt": moment, "updatedAt": moment} | _meeting(number % 30_000)
    made = meetings.create(StoredMeeting.model_validate(members))
    if not isinstance(made, Put):
        raise TypeError("a new meeting is an item")
    return made
