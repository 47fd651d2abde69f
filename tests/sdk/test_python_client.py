"""The runtime of the Python client: calls, pages, repeats, errors, and where the token appears."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import pytest

URL = "https://board.example"
TOKEN = "svc_pat_secret"
BOARD = {"object": "board", "id": "b", "name": "New", "later": 1}
Reply = httpx.Response | Exception


class Service:
    """A service that answers by a script, and the requests and waits of its client."""

    def __init__(self, sdk: Any, *replies: Reply) -> None:
        self.replies = list(replies)
        self.requests: list[httpx.Request] = []
        self.client = sdk.Client(URL, TOKEN, transport=httpx.MockTransport(self))

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


def data(value: Any, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"data": value}, headers=headers)


def page(*items: Any, cursor: str | None = None) -> httpx.Response:
    return httpx.Response(200, json={"data": items, "meta": {"nextCursor": cursor, "hasMore": cursor is not None}})


def refusal(status: int, code: str = "CONFLICT", **more: Any) -> httpx.Response:
    error = {"code": code, "message": "No.", "status": status, "requestId": "req_1", "details": None, **more}
    return httpx.Response(status, json={"error": error})


@pytest.fixture
def waits(sdk: Any, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr(f"{sdk.__name__}.called_client.time.sleep", waited.append)
    return waited


def raised(sdk: Any, call: Callable[[], Any]) -> Any:
    with pytest.raises(sdk.ApiError) as caught:
        call()
    assert TOKEN not in f"{caught.value!s}{caught.value!r}{caught.value.__dict__}"
    assert caught.value.__context__ is None
    return caught.value


def test_a_call_sends_path_query_and_body_and_returns_the_data_with_its_tag(sdk: Any) -> None:
    service = Service(sdk, data(BOARD, ETag='"1"'))
    board = service.client.boards.update_board("b/1", name="New", description=None, if_match='"0"')
    (request,) = service.requests
    assert (request.method, request.url.raw_path) == ("PATCH", b"/api/v1/boards/b%2F1")
    assert json.loads(request.content) == {"name": "New", "description": None}
    assert (request.headers["If-Match"], request.headers["Authorization"]) == ('"0"', f"Bearer {TOKEN}")
    assert (board, sdk.etag(board)) == (BOARD, '"1"')


def test_a_query_parameter_is_named_as_the_api_names_it_and_repeated_for_a_list(sdk: Any) -> None:
    service = Service(sdk, httpx.Response(200, json={"actionItems": [1], "totalCount": 1}))
    given = {"include_completed": True, "status": ["in_progress", "completed"], "limit": None}
    assert list(service.client.action_items.list_my_action_items(**given)) == [1]
    assert service.requests[0].url.query == b"includeCompleted=true&status=in_progress&status=completed"


def test_what_no_request_can_carry_is_refused_before_it_is_sent(sdk: Any) -> None:
    service = Service(sdk, data(BOARD))
    for board_id in ("", "..", None):
        with pytest.raises(ValueError, match="parameter of the path"):
            service.client.boards.get_board(board_id)
    with pytest.raises(TypeError, match="nam"):
        service.client.boards.create_board(nam="New")
    assert service.requests == []


def test_a_post_carries_a_key_that_its_repeats_keep(sdk: Any, waits: list[float]) -> None:
    service = Service(sdk, httpx.ReadError("lost"), data(BOARD, 201))
    assert service.client.boards.create_board(name="New") == BOARD
    keys = {request.headers["Idempotency-Key"] for request in service.requests}
    assert (len(service.requests), len(keys), len(waits)) == (2, 1, 1)
    Service(sdk, data(BOARD)).client.boards.create_board(name="New", idempotency_key="mine")


def test_a_key_of_the_caller_is_sent(sdk: Any) -> None:
    service = Service(sdk, data(BOARD, 201))
    service.client.boards.create_board(name="New", idempotency_key="mine")
    assert service.requests[0].headers["Idempotency-Key"] == "mine"


def test_a_lost_change_without_a_key_is_not_repeated(sdk: Any, waits: list[float]) -> None:
    service = Service(sdk, httpx.ReadError("lost"))
    error = raised(sdk, lambda: service.client.boards.update_board("b", name="New"))
    assert (error.status, error.code, len(service.requests), waits) == (0, "NO_RESPONSE", 1, [])


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_after_the_seconds_that_it_says(
    sdk: Any, waits: list[float], status: int
) -> None:
    service = Service(sdk, httpx.Response(status, headers={"Retry-After": "7"}), data(BOARD))
    assert service.client.boards.update_board("b", name="New") == BOARD
    assert waits == [7.0]


def test_a_retry_after_may_be_a_date(sdk: Any, waits: list[float]) -> None:
    past = httpx.Response(503, headers={"Retry-After": "Wed, 01 Jan 2020 00:00:00 GMT"})
    far = httpx.Response(503, headers={"Retry-After": "Wed, 01 Jan 2098 00:00:00 GMT"})
    assert Service(sdk, past, data(BOARD)).client.boards.get_board("b") == BOARD
    assert raised(sdk, lambda: Service(sdk, far).client.boards.get_board("b")).status == 503
    assert waits == [0.0]


def test_it_gives_up_after_five_tries(sdk: Any, waits: list[float]) -> None:
    service = Service(sdk, refusal(503, "SERVICE_UNAVAILABLE"))
    error = raised(sdk, lambda: service.client.boards.get_board("b"))
    assert (error.code, len(service.requests)) == ("SERVICE_UNAVAILABLE", 5)
    assert len(waits) == 4
    assert waits == sorted(waits)


def test_it_does_not_wait_longer_than_thirty_seconds(sdk: Any, waits: list[float]) -> None:
    service = Service(sdk, httpx.Response(429, headers={"Retry-After": "31"}))
    assert raised(sdk, lambda: service.client.boards.get_board("b")).status == 429
    assert (len(service.requests), waits) == (1, [])


def test_other_errors_are_not_repeated_and_say_everything(sdk: Any, waits: list[float]) -> None:
    details = {"reason": "LIMIT_REACHED"}
    service = Service(sdk, refusal(409, details=details))
    error = raised(sdk, lambda: service.client.boards.create_board(name="New"))
    said = (error.status, error.code, error.message, error.request_id, error.details)
    assert said == (409, "CONFLICT", "No.", "req_1", details)
    assert str(error) == "409 CONFLICT: No. (req_1)"
    assert (len(service.requests), waits) == (1, [])


def test_an_error_without_an_envelope_is_read_too(sdk: Any) -> None:
    service = Service(sdk, httpx.Response(404, json={"message": "Unknown.", "code": "INVALID_INVITE_CODE"}))
    assert raised(sdk, lambda: service.client.invites.join_board("code")).code == "INVALID_INVITE_CODE"


@pytest.mark.parametrize("status", [200, 302, 404, 500])
@pytest.mark.parametrize(
    "body", [b"<html>Welcome</html>", b'{"data": {"id"', b"[]", b'"text"', b"", b"\xff", b"[" * 9999]
)
def test_whatever_else_answers_is_one_error(sdk: Any, status: int, body: bytes) -> None:
    for call in ("get_board", "update_board"):
        service = Service(sdk, httpx.Response(status, content=body))
        error = raised(sdk, partial(getattr(service.client.boards, call), "b"))
        assert (error.status, error.code) == (status, "UNREADABLE_RESPONSE")
    service = Service(sdk, httpx.Response(status, content=body))
    assert raised(sdk, lambda: list(service.client.boards.list_boards())).code == "UNREADABLE_RESPONSE"


def test_a_service_that_repeats_the_token_does_not_bring_it_into_the_error(sdk: Any) -> None:
    service = Service(sdk, refusal(400, message=f"Bearer {TOKEN}?", details={"fields": {"x": TOKEN}}))
    assert raised(sdk, lambda: service.client.boards.get_board("b")).message == "Bearer ***?"


def test_a_list_is_read_page_after_page_and_a_page_alone(sdk: Any) -> None:
    service = Service(sdk, page(1, 2, cursor="c"), page(3))
    assert list(service.client.boards.list_boards(limit=2)) == [1, 2, 3]
    assert [request.url.query for request in service.requests] == [b"limit=2", b"limit=2&cursor=c"]
    found = Service(sdk, page(1, cursor="c")).client.boards.list_boards.page(limit=1)
    assert (found.data, found.next_cursor) == ([1], "c")


def test_a_list_of_the_legacy_surface_follows_its_links(sdk: Any) -> None:
    link = {"Link": f'<{URL}/api/invite/all-boards?cursor=c%2B1&limit=1>; rel="next"'}
    more = httpx.Response(200, json={"b": [{"id": 1}, {"id": 2}]}, headers=link)
    service = Service(sdk, more, httpx.Response(200, json={"c": [{"id": 3}]}))
    assert [invite["id"] for invite in service.client.invites.list_pending_invites_by_board()] == [1, 2, 3]
    assert service.requests[1].url.params["cursor"] == "c+1"


@pytest.mark.parametrize(
    "url",
    ["", "board.example", "ftp://board.example", "https://", "https://u:hidden@board.example", "https://b?hidden=1",
     "https://b:0", "https://b:x", f"https://{'a' * 70}.example", "https://\x00", "http://[::1"],
)  # fmt: skip
def test_an_address_that_cannot_work_is_refused_at_once(sdk: Any, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.delenv("BOARD_GOVERNANCE_URL", raising=False)
    for kind in (sdk.Client, sdk.AsyncClient):
        with pytest.raises(sdk.ConfigurationError) as caught:
            kind(url, TOKEN)
        assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("token", ["secret\n", "two words", "schlüssel", "\x00"])
def test_a_token_that_no_header_carries_is_refused_without_being_said(sdk: Any, token: str) -> None:
    with pytest.raises(sdk.ConfigurationError) as caught:
        sdk.Client(URL, token)
    assert token.strip() not in str(caught.value)


def test_a_proxy_that_cannot_work_is_refused_without_its_password(sdk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "gopher://user:hidden@proxy.example")
    with pytest.raises(sdk.ConfigurationError) as caught:
        sdk.Client(URL, TOKEN)
    assert "hidden" not in str(caught.value)
    assert caught.value.__context__ is None


def test_the_environment_gives_what_is_not_given(sdk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARD_GOVERNANCE_URL", f"{URL}/")
    monkeypatch.setenv("BOARD_GOVERNANCE_TOKEN", "svc_pat_other")
    seen: list[httpx.Request] = []

    def service(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return data(BOARD)

    with sdk.Client(transport=httpx.MockTransport(service)) as client:
        client.boards.get_board("b")
    assert (str(seen[0].url), seen[0].headers["Authorization"]) == (f"{URL}/api/v1/boards/b", "Bearer svc_pat_other")


def test_neither_the_token_nor_that_of_a_link_is_shown(sdk: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    service = Service(sdk, data({"object": "guest_meeting"}))
    service.client.guests.get_guest_meeting("link-secret")
    assert service.requests[0].url.raw_path == b"/api/v1/guest/link-secret"
    client = service.client
    shown = f"{caplog.text}{client!r}{client.guests!r}{client._target!r}{service.requests!r}"
    assert "guest/***" in caplog.text
    assert TOKEN not in shown
    assert "link-secret" not in shown


def test_the_asynchronous_client_does_the_same(sdk: Any) -> None:
    replies = [page(1, cursor="c"), page(2), data(BOARD), httpx.Response(500)]

    async def run() -> None:
        transport = httpx.MockTransport(lambda _: replies.pop(0))
        async with sdk.AsyncClient(URL, TOKEN, transport=transport) as client:
            assert [item async for item in client.boards.list_boards()] == [1, 2]
            assert await client.boards.get_board("b") == BOARD
            with pytest.raises(sdk.ApiError):
                await client.boards.list_boards.page()

    asyncio.run(run())


def test_every_operation_of_the_document_is_a_method_of_both_clients(sdk: Any) -> None:
    from infra.sdk import contract

    operations = contract.operations(contract.document())
    for client in (sdk.Client(URL), sdk.AsyncClient(URL)):
        assert [one.name for one in operations if not hasattr(getattr(client, one.tag), one.name)] == []
