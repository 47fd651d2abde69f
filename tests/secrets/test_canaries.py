"""Every route is called; then no secret is where it does not belong: store, logs, mails, errors."""

from __future__ import annotations

import base64
import json
import quopri
from collections.abc import Iterator
from typing import Any

import pytest

from governance.settings import settings
from governance.store import table
from tests.harness import engine, stream
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client, Response
from tests.harness.outbox import Outbox, outbox
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request
from tests.harness.store_calls import InlinePool

__all__ = ["outbox"]
SHOWN_ONCE = ("secret", "token", "url")


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:
    """A fresh table of a service that writes all it would ever write."""
    del pool
    with engine.fresh_table(POWERTOOLS_LOG_LEVEL="DEBUG") as name:
        yield name


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], list[Response]]:
    """The secrets that callers sent or were shown, and all answers."""
    secrets: set[str] = set()
    responses: list[Response] = []
    call = Client.call

    def listening(self: Client, *args: Any, **options: Any) -> Response:
        response = call(self, *args, **options)
        responses.append(response)
        secrets.update([self.bearer] if self.bearer else [])
        data = response.json.get("data") if isinstance(response.json, dict) else None
        if isinstance(data, dict):
            secrets.update(str(data[name]) for name in SHOWN_ONCE if data.get(name))
        return response

    monkeypatch.setattr(Client, "call", listening)
    return secrets, responses


def everything_stored() -> str:
    found = table.client().scan(TableName=settings().table_name)
    assert "LastEvaluatedKey" not in found
    return repr(found["Items"])


LAST = ("POST /api/v1/boards/{boardId}/ownership-transfer", "DELETE /api/v1/boards/{boardId}")


def call_every_route(scenario: BoardScenario) -> None:
    """By the owner under an idempotency key, and with credentials that do not hold; what ends his reign comes last."""
    for route in [*(name for name in ROUTE_NAMES if name not in LAST), *LAST]:
        request = sample_request(route, scenario)
        scenario.owner.client.call(request.method, request.path, request.body, headers={"idempotency-key": "k"})
        for bearer in ("svc_pat_" + "A" * 53, "not.a.session"):
            Client(bearer).call(request.method, request.path, request.body)


def test_no_secret_is_kept_written_mailed_or_answered_again(
    heard: tuple[set[str], list[Response]], store: str, outbox: Outbox, capfd: pytest.CaptureFixture[str]
) -> None:
    del store
    scenario = new_board_scenario()
    personal, of_board = scenario.personal_token(scenario.owner), scenario.token()
    for client in (personal, of_board):
        client.get(f"{scenario.path}/meetings")
        client.post(f"{scenario.path}/meetings", {"title": 1})
    call_every_route(scenario)
    stream.feed(stream.events_of(scenario.board_id))
    secrets, responses = heard
    assert len(secrets) >= 6
    written = capfd.readouterr()
    mails = " ".join(_decoded(raw) for raw in outbox.raw)
    places = {
        "store": everything_stored(),
        "logs": written.out + written.err,
        "mails": mails,
        "errors": " ".join(response.text for response in responses if response.status >= 400),
        "headers": " ".join(repr(response.headers) for response in responses),
        "replays": " ".join(response.text for response in responses if "Idempotent-Replayed" in response.headers),
    }
    assert all(f'"{ROUTES_BY_NAME[route].path}"' in places["logs"] for route in ROUTE_NAMES)
    assert {(place, secret[:12]) for place, text in places.items() for secret in secrets if secret in text} == set()


def _decoded(raw: bytes) -> str:
    """A mail as it is, and with its parts decoded."""
    return raw.decode() + quopri.decodestring(raw).decode("utf-8", "replace")


def test_the_token_of_a_mailed_link_is_in_that_mail_alone(
    store: str, outbox: Outbox, capfd: pytest.CaptureFixture[str]
) -> None:
    del store
    scenario = new_board_scenario()
    invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "ivy@example.com"}).json
    response = scenario.owner.client.post(f"/api/invite/{invite['inviteId']}/send-email")
    code, token = outbox.link()
    assert Client().get(f"/api/v1/invite/status/{code}", i=token).json == {"pending": True}
    written = capfd.readouterr()
    lists = scenario.owner.client.get(f"/api/invite/{scenario.board_id}/invites").text
    for place in (everything_stored(), written.out + written.err, response.text, lists):
        assert token not in place


def test_a_repeat_of_a_minting_holds_no_secret_in_the_store_either(store: str) -> None:
    del store
    scenario = new_board_scenario()
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    minted = scenario.owner.client.post(f"{scenario.path}/tokens", body, idempotency_key="k")
    assert minted.data["secret"].startswith("svc_bat_")
    kept = everything_stored()
    assert minted.data["secret"] not in kept
    assert base64.b64encode(minted.data["secret"].encode()).decode() not in kept
    assert (
        json.loads(scenario.owner.client.post(f"{scenario.path}/tokens", body, idempotency_key="k").text)["data"][
            "secret"
        ]
        is None
    )
