"""Paths and methods, the origin's secret, the order of the checks, request ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, session
from tests.harness.store_calls import InlinePool

pytestmark = pytest.mark.usefixtures("store")
UNKNOWN = (
    "/",
    "/api",
    "/api/v1",
    "/api/v1/",
    "/api/v1/nowhere",
    "/api/v2/me",
    "/api/v1/me/",
    "/api/v1//me",
    "//api/v1/me",
    "/api/v1/ME",
    "/api/v1/boards/../me",
    "/api/v1/./me",
    "/api/v1/boards/a%2fb",
    "/api/v1/boards/a\\b",
    "/api/v1/api/invite/sent",
    "/api/v1/action-items/my",
    "/api/me",
    "/API/v1/boards",
    "/api/v1/boards/%2F",
    "/api/notification//",
    "/api/v1/notification/",
)


@pytest.mark.parametrize("path", UNKNOWN)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_unknown_path_is_404_whoever_asks(path: str, method: str) -> None:
    for client in (Client(), Client(session("eve@example.com"))):
        assert client.call(method, path).failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "PUT", "BREW"])
@pytest.mark.parametrize("board", ["5f1d7a3c9b2e4d6081a7c3e1", "x", "no id", "é", "a$b"])
def test_another_method_of_a_known_path_is_405_whatever_stands_for_an_id(method: str, board: str) -> None:
    answer = Client().call(method, f"/api/v1/boards/{board}")
    assert answer.failure == (405, "METHOD_NOT_ALLOWED")
    assert answer.headers["Allow"] == "DELETE, GET, PATCH"


@pytest.mark.parametrize(
    ("path", "status"), [("/api/v1/me", 200), ("/api/notification/", 200), ("/api/v1/boards/x", 404), ("/nowhere", 404)]
)
def test_no_answer_may_be_kept_by_a_cache(path: str, status: int) -> None:
    for client, expected in (
        (Client(session("eve@example.com")), status),
        (Client(), 404 if path == "/nowhere" else 401),
    ):
        answer = client.get(path)
        assert (answer.status, answer.headers["cache-control"]) == (expected, "no-store")


def test_notifications_answer_with_and_without_their_slash() -> None:
    eve = Client(session("eve@example.com"))
    assert eve.get("/api/notification").text == eve.get("/api/notification/").text == "[]"


def test_the_checks_come_in_their_order(scenario: BoardScenario) -> None:
    """Each call has every fault of the steps below; the first one is answered."""
    gwen, robot = scenario.member("gwen", access_type="guest"), scenario.token("read_only")
    reader, outsider = scenario.personal_token(gwen, "read_only"), person("outsider").client
    body, meetings = {"title": 7}, f"{scenario.path}/meetings"
    nowhere = f"/api/v1/boards/{'f' * 24}/meetings"
    scenario.set_billing_state("CANCELLED")
    assert Client().put(meetings, body).failure == (405, "METHOD_NOT_ALLOWED")
    assert Client().post(nowhere, body).failure == (401, "UNAUTHENTICATED")
    assert robot.post(nowhere, body).failure == (404, "RESOURCE_NOT_FOUND")
    assert reader.post(nowhere, body).details == {"requiredScope": "meetings:write"}
    assert outsider.post(nowhere, body).failure == (404, "RESOURCE_NOT_FOUND")
    assert outsider.post(meetings, body).failure == (403, "FORBIDDEN")
    assert gwen.client.post(meetings, body).failure == (403, "FORBIDDEN")
    assert scenario.owner.client.post(meetings, body).failure == (403, "BILLING_RESTRICTED")
    scenario.set_billing_state("PAST_DUE_GRACE")
    assert scenario.owner.client.patch(f"{meetings}/x", body).failure == (400, "INVALID_REQUEST_BODY")
    assert scenario.owner.client.patch(f"{meetings}/x", {"title": "A"}).failure == (404, "RESOURCE_NOT_FOUND")


def test_every_answer_has_a_request_id_of_its_own() -> None:
    ids = {Client().get(path).headers["x-request-id"] for path in ("/", "/api/v1/me", "/api/v1/boards")}
    assert len(ids) == 3
    assert all(re.fullmatch(r"req_[0-9a-f]{16}", id_) for id_ in ids)


@pytest.fixture
def guarded(pool: InlinePool) -> Iterator[None]:
    """A service behind a CDN whose secret is just being changed."""
    del pool
    with engine.fresh_table(ORIGIN_SECRETS="old-secret, new-secret"):
        yield


@pytest.mark.usefixtures("guarded")
def test_only_the_cdn_is_served() -> None:
    eve = session("eve@example.com")
    for secret in ("old-secret", "new-secret"):
        assert Client(eve, headers={"x-origin-secret": secret}).get("/api/v1/me").status == 200
    for headers in ({}, {"x-origin-secret": ""}, {"x-origin-secret": "old"}, {"x-origin-secret": "é"}):
        for path in ("/api/v1/me", "/nowhere"):
            assert Client(eve, headers=headers).get(path).failure == (403, "FORBIDDEN")
