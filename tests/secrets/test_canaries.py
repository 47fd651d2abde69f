"""Calls every route, then looks for secrets, and for what was planted into requests, wherever the service writes."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from governance.settings import settings
from governance.store.account import avatars
from tests.harness import engine, sdk, stream
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client, Response
from tests.harness.outbox import Outbox
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, SampleRequest, sample_request
from tests.harness.store_calls import InlinePool

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

SHOWN_ONCE = ("secret", "token", "ticket", "url")
NO_SECRET_URLS = ("webhook", "live_ticket")
"""The client's own URL, and the address of the live channel, which is everyone's."""


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:
    """A fresh table, and a service at its most verbose log level."""
    del pool
    with engine.fresh_table(
        POWERTOOLS_LOG_LEVEL="DEBUG", POWERTOOLS_METRICS_DISABLED="false", RATE_LIMIT_PRINCIPAL="1000000000"
    ) as name:
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
    pages = sdk.dynamodb().get_paginator("scan").paginate(TableName=settings().table_name)
    return " ".join(repr(page["Items"]) for page in pages)


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
    assert scenario.owner.client.post(f"{scenario.path}/tokens", body, idempotency_key="k").data["secret"] is None


# -- what a caller puts into a header, query, path or body is in no log, metric, error or avatar

HEADER, QUERY, PATH, BODY = "canary-of-a-header", "canary-of-a-query", "canary-of-a-path", "canary of a body"
_HEADERS = ("user-agent", "referer", "cookie", "x-forwarded-for", "x-request-id", "x-amzn-trace-id", "idempotency-key")


@pytest.fixture
def uploads() -> Iterator[list[str]]:
    """The objects that would be uploaded to the bucket."""
    requests: list[str] = []

    def record(params: dict[str, Any], **_: Any) -> None:
        requests.append(repr(params))

    events = avatars._client().meta.events
    engine.clear_avatar_cache()
    events.register_first("before-call.s3.PutObject", record)
    yield requests
    events.unregister("before-call.s3.PutObject", record)


def with_canaries(request: SampleRequest) -> Iterator[SampleRequest]:
    """Yields the request with a canary in each field of its body, in an extra field, and in its path."""
    body = request.body or {}
    yield from (SampleRequest(request.method, request.path, {**body, member: BODY}) for member in body)
    yield SampleRequest(request.method, request.path, {**body, "extra": BODY})
    yield SampleRequest(request.method, f"{request.path.rpartition('/')[0]}/{PATH}", request.body)


def plant_everywhere(scenario: BoardScenario) -> list[Response]:
    client = scenario.owner.client
    headers = dict.fromkeys(_HEADERS, HEADER)
    responses: list[Response] = []
    for route in (route for route in ROUTE_NAMES if route not in ENDING_ROUTES):
        request = sample_request(route, scenario)
        responses.extend(
            client.call(sent.method, sent.path, sent.body, headers=headers) for sent in with_canaries(request)
        )
        responses.append(
            client.call(request.method, request.path, request.body, query={"canary": QUERY, "cursor": QUERY})
        )
    return responses


@pytest.mark.slow
def test_a_planted_value_appears_only_where_it_belongs(
    store: str, bucket: S3Client, outbox: Outbox, uploads: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    del store, bucket
    scenario = new_board_scenario()
    scenario.member("maya")
    responses = plant_everywhere(scenario)
    assert stream.process_records(stream.event_records(scenario.board_id)) == []
    written, stored = capfd.readouterr(), everything_stored()
    outputs = {
        "logs": written.out + written.err,
        "errors": " ".join(response.text for response in responses if response.status >= 400),
        "headers": " ".join(repr(response.headers) for response in responses),
        "avatars": " ".join(uploads),
    }
    assert '"message":"request"' in outputs["logs"]
    assert uploads
    assert outbox.raw
    assert BODY in stored
    canaries = (HEADER, QUERY, PATH, BODY)
    assert {(output, canary) for output, text in outputs.items() for canary in canaries if canary in text} == set()
    assert [canary for canary in (HEADER, QUERY, PATH) if canary in stored] == []
