"""No web page reads or changes the data of the local engine."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import urllib3

from infra.local import engine
from infra.local.engine_clients import Message, PagesOfFiles, Receive, Send, WithoutPages

NO_FILES = PagesOfFiles()
OWN = {"host": "127.0.0.1:4566"}
LIST_TABLES = {"x-amz-target": "DynamoDB_20120810.ListTables", "content-type": "application/x-amz-json-1.0"}


async def _engine(_scope: Message, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def _receive() -> Message:
    return {"type": "http.request"}


def answer(
    headers: dict[str, str],
    method: str = "POST",
    query: str = "",
    kind: str = "http",
    path: str = "/",
    files: PagesOfFiles = NO_FILES,
) -> Any:
    """Returns the status of the answer to a request, or the type of a message that has none."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": method, "path": path, "headers": raw, "query_string": query.encode()}
    asyncio.run(WithoutPages(_engine, "127.0.0.1", files)(scope, _receive, send))
    return sent[0].get("status", sent[0]["type"])


@pytest.mark.parametrize("host", ["127.0.0.1:4566", "localhost:4566"])
def test_a_program_is_served(host: str) -> None:
    assert answer({"host": host}) == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:8000"])
@pytest.mark.parametrize("method", ["OPTIONS", "GET", "POST", "PUT"])
def test_a_page_of_any_origin_is_refused(origin: str, method: str) -> None:
    assert answer({**OWN, "origin": origin}, method) == 403


@pytest.mark.parametrize("host", ["evil.example:4566", "evil.example", "127.0.0.1.evil.example:4566", ""])
def test_a_page_whose_name_points_here_is_refused(host: str) -> None:
    assert answer({"host": host}, "GET") == 403


def test_a_page_shows_a_picture_but_starts_no_action() -> None:
    picture = {**OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert answer(picture, "GET", "X-Amz-Signature=1") == 200
    assert answer(picture, "GET", "Action=SendMessage&MessageBody=x") == 403
    assert answer(picture, "GET", "%41ction=SendMessage") == 403
    assert answer(picture, "POST") == 403


FILES = PagesOfFiles(("http://127.0.0.1:8000", "http://localhost:8000"), "papers")
FORM = {**OWN, "origin": "http://127.0.0.1:8000"}
OPENED = {**OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}


@pytest.mark.parametrize("method", ["OPTIONS", "POST"])
def test_the_services_own_pages_send_files_to_the_bucket_of_papers(method: str) -> None:
    assert answer(FORM, method, path="/papers", files=FILES) == 200
    assert answer({**FORM, "origin": "https://evil.example"}, method, path="/papers", files=FILES) == 403
    for path in ("/papers/papers/1", "/static", "/", "/papersx"):
        assert answer(FORM, method, path=path, files=FILES) == 403
    assert answer(FORM, method, path="/papers") == 403


def test_a_page_opens_a_file_by_a_signed_address_of_the_cdn_alone() -> None:
    assert answer(OPENED, "GET", "Key-Pair-Id=1", path="/papers/1", files=FILES) == 200
    assert answer(OPENED, "GET", path="/papers/1", files=FILES) == 403
    assert answer(OPENED, "GET", "X-Amz-Signature=1", path="/papers/papers/1", files=FILES) == 403
    assert answer({**OPENED, "sec-fetch-mode": "cors"}, "GET", "Key-Pair-Id=1", path="/papers/1", files=FILES) == 403
    assert answer({**OPENED, "host": "evil.example"}, "GET", "Key-Pair-Id=1", path="/papers/1", files=FILES) == 403


def test_a_link_and_a_websocket_of_a_page_are_refused() -> None:
    assert answer({**OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, "GET") == 403
    assert answer({**OWN, "origin": "https://evil.example"}, kind="websocket") == "websocket.close"


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    running = engine.start(engine.MINISTACK, Path(tmp_path_factory.mktemp("engine")))
    yield running.environment["AWS_ENDPOINT_URL"]
    running.stop()


@pytest.mark.slow
def test_the_engine_of_make_run_serves_programs_only(endpoint: str) -> None:
    def list_tables(**headers: str) -> urllib3.BaseHTTPResponse:
        return urllib3.request("POST", endpoint, body=b"{}", headers={**LIST_TABLES, **headers})

    assert list_tables().json() == {"TableNames": []}
    for refused in (list_tables(Origin="https://evil.example"), list_tables(Host="evil.example")):
        assert refused.status == 403
        assert "Access-Control-Allow-Origin" not in refused.headers
