"""Calls every route, then looks for secrets in the store, logs, e-mails, errors and headers."""

from __future__ import annotations

import base64
import json
import quopri
from collections.abc import Iterator
from typing import Any

import pytest

from governance.settings import settings
from tests.harness import engine, sdk, stream
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client, Response
from tests.harness.outbox import Outbox
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request
from tests.harness.store_calls import InlinePool

SHOWN_ONCE = ("secret", "token", "ticket", "url")
NO_SECRET_URLS = ("webhook", "live_ticket")
"""The client's own URL, and the address of the live channel, which is everyone's."""


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:
    """A fresh table, and a service at its most verbose log level."""
    del pool
    with engine.fresh_table(POWERTOOLS_LOG_LEVEL="DEBUG", POWERTOOLS_METRICS_DISABLED="false") as name:
        yield name


@pytest.fixture
def observed(monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], list[Response]]:
    """The secrets that callers sent or received, and all responses."""
    secrets: set[str] = set()
    responses: list[Response] = []
    call = Client.call

    def record(self: Client, *args: Any, **options: Any) -> Response:
        response = call(self, *args, **options)
        responses.append(response)
        secrets.update([self.bearer] if self.bearer else [])
        data = response.json.get("data") if isinstance(response.json, dict) else None
        if isinstance(data, dict):
            names = {*SHOWN_ONCE} - ({"url"} if data.get("object") in NO_SECRET_URLS else set())
            secrets.update(str(data[name]) for name in names if data.get(name))
        return response

    monkeypatch.setattr(Client, "call", record)
    return secrets, responses


def everything_stored() -> str:
    page = sdk.dynamodb().scan(TableName=settings().table_name)
    assert "LastEvaluatedKey" not in page
    return repr(page["Items"])


ENDING_ROUTES = ("POST /api/v1/boards/{boardId}/ownership-transfer", "DELETE /api/v1/boards/{boardId}")


def call_every_route(scenario: BoardScenario) -> None:
    """Calls each route as the owner with an idempotency key, and with invalid credentials.

    The routes that delete or transfer the board come last.
    """
    for route in [*(name for name in ROUTE_NAMES if name not in ENDING_ROUTES), *ENDING_ROUTES]:
        request = sample_request(route, scenario)
        scenario.owner.client.call(request.method, request.path, request.body, headers={"idempotency-key": "k"})
        for bearer in ("svc_pat_" + "A" * 53, "not.a.session"):
            Client(bearer).call(request.method, request.path, request.body)


def test_no_secret_is_stored_logged_mailed_or_returned_again(
    observed: tuple[set[str], list[Response]], store: str, outbox: Outbox, capfd: pytest.CaptureFixture[str]
) -> None:
    del store
    scenario = new_board_scenario()
    personal_token, board_token = scenario.personal_token(scenario.owner), scenario.token()
    for client in (personal_token, board_token):
        client.get(f"{scenario.path}/meetings")
        client.post(f"{scenario.path}/meetings", {"title": 1})
    call_every_route(scenario)
    stream.process_records(stream.event_records(scenario.board_id))
    secrets, responses = observed
    assert len(secrets) >= 6
    written = capfd.readouterr()
    mails = " ".join(_decoded(raw) for raw in outbox.raw)
    outputs = {
        "store": everything_stored(),
        "logs": written.out + written.err,
        "mails": mails,
        "errors": " ".join(response.text for response in responses if response.status >= 400),
        "headers": " ".join(repr(response.headers) for response in responses),
        "replays": " ".join(response.text for response in responses if "Idempotent-Replayed" in response.headers),
    }
    assert all(f'"{ROUTES_BY_NAME[route].path}"' in outputs["logs"] for route in ROUTE_NAMES)
    assert {(output, secret[:12]) for output, text in outputs.items() for secret in secrets if secret in text} == set()


def _decoded(raw: bytes) -> str:
    """Returns an e-mail as sent, and with its parts decoded."""
    return raw.decode() + quopri.decodestring(raw).decode("utf-8", "replace")


def test_the_token_of_an_invite_link_is_only_in_its_email(
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
    for output in (everything_stored(), written.out + written.err, response.text, lists):
        assert token not in output


def test_the_idempotency_record_of_a_new_token_holds_no_secret(store: str) -> None:
    del store
    scenario = new_board_scenario()
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    created = scenario.owner.client.post(f"{scenario.path}/tokens", body, idempotency_key="k")
    assert created.data["secret"].startswith("svc_bat_")
    stored = everything_stored()
    assert created.data["secret"] not in stored
    assert base64.b64encode(created.data["secret"].encode()).decode() not in stored
    assert (
        json.loads(scenario.owner.client.post(f"{scenario.path}/tokens", body, idempotency_key="k").text)["data"][
            "secret"
        ]
        is None
    )
