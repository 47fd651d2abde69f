"""A value that a caller puts into a header, query, path or body appears in no log, metric, error or avatar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from governance.settings import settings
from governance.store.account import avatars
from tests.harness import engine, sdk, stream
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Response
from tests.harness.outbox import Outbox
from tests.harness.sample_requests import ROUTE_NAMES, SampleRequest, sample_request
from tests.harness.store_calls import InlinePool

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

HEADER, QUERY, PATH, BODY = "canary-of-a-header", "canary-of-a-query", "canary-of-a-path", "canary of a body"
_HEADERS = ("user-agent", "referer", "cookie", "x-forwarded-for", "x-request-id", "x-amzn-trace-id", "idempotency-key")
_ENDING_ROUTES = {"POST /api/v1/boards/{boardId}/ownership-transfer", "DELETE /api/v1/boards/{boardId}"}

pytestmark = pytest.mark.slow


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:
    """A fresh table, and a service at its most verbose log level."""
    del pool
    with engine.fresh_table(
        POWERTOOLS_LOG_LEVEL="DEBUG", POWERTOOLS_METRICS_DISABLED="false", RATE_LIMIT_PRINCIPAL="1000000000"
    ) as name:
        yield name


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
    for route in (route for route in ROUTE_NAMES if route not in _ENDING_ROUTES):
        request = sample_request(route, scenario)
        responses.extend(
            client.call(sent.method, sent.path, sent.body, headers=headers) for sent in with_canaries(request)
        )
        responses.append(
            client.call(request.method, request.path, request.body, query={"canary": QUERY, "cursor": QUERY})
        )
    return responses


def everything_stored() -> str:
    pages = sdk.dynamodb().get_paginator("scan").paginate(TableName=settings().table_name)
    return " ".join(repr(page["Items"]) for page in pages)


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
