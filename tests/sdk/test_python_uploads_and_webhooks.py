"""The Python client's upload of a file, and what it says of a delivery."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

TOKEN = "svc_pat_secret"
CONTENT = b"%PDF-1.7\n"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"type": "meeting.created", "data": {"boardId": "b"}}'


class Service:
    """A service with its store of files, which answers an upload by these statuses in turn."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        if request.url.host == "files.example":
            return httpx.Response(self.statuses.pop(0))
        form = {"url": "https://files.example/", "fields": {"key": "uploads/1", "policy": "p"}}
        return httpx.Response(200, json={"data": {"object": "document_version", "id": "v", "upload": form}})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "Minutes.pdf"
    path.write_bytes(CONTENT)
    return path


def uploaded(sdk: Any, service: Service, file: Path) -> Any:
    client = sdk.Client("https://board.example", TOKEN, transport=httpx.MockTransport(service))
    return client.documents.upload("b", "d", file)


def test_an_upload_declares_sends_and_completes(sdk: Any, file: Path) -> None:
    service = Service(204)
    assert uploaded(sdk, service, file)["id"] == "v"
    declared, sent, completed = service.requests
    expected = {"fileName": "Minutes.pdf", "mimeType": "application/pdf", "size": len(CONTENT)}
    assert json.loads(declared.content) == expected | {"sha256": hashlib.sha256(CONTENT).hexdigest()}
    assert sent.content.index(b'name="policy"') < sent.content.index(b'name="file"; filename="Minutes.pdf"')
    assert CONTENT in sent.content
    assert "Authorization" not in sent.headers
    assert completed.url.path.endswith("/documents/d/versions/v/complete")


def test_an_upload_that_the_store_delays_is_sent_again_whole(
    sdk: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{sdk.__name__}.called_client.time.sleep", lambda _: None)
    service = Service(503, 204)
    uploaded(sdk, service, file)
    assert [CONTENT in request.content for request in service.requests] == [False, True, True, False]


def test_an_upload_that_the_store_refuses_is_not_completed(sdk: Any, file: Path) -> None:
    service = Service(403)
    with pytest.raises(sdk.ApiError) as caught:
        uploaded(sdk, service, file)
    assert (caught.value.status, caught.value.code, len(service.requests)) == (403, "UPLOAD_REFUSED", 2)


def headers(age: timedelta = timedelta(), body: bytes = BODY) -> dict[str, str]:
    at = datetime.now(UTC) - age
    signature = Webhook(SECRET).sign("m", at, body.decode())
    return {"Webhook-Id": "m", "Webhook-Timestamp": str(int(at.timestamp())), "webhook-signature": signature}


def test_a_delivery_of_the_service_is_its_event(sdk: Any) -> None:
    assert sdk.webhooks.verify(BODY, headers(timedelta(seconds=280)), SECRET)["data"] == {"boardId": "b"}


@pytest.mark.parametrize(
    "changed",
    [{"webhook-signature": "v1,c2lnbg=="}, {"webhook-signature": "v1,ü"}, {"webhook-signature": "v1"},
     {"Webhook-Id": "n"}, {"webhook-signature": ""}, {"Webhook-Timestamp": "now"},
     {"Webhook-Timestamp": "nan"}, {"webhook-signature": None}],
)  # fmt: skip
def test_a_delivery_with_another_header_is_refused(sdk: Any, changed: dict[str, Any]) -> None:
    with pytest.raises(sdk.webhooks.VerificationError):
        sdk.webhooks.verify(BODY, headers() | changed, SECRET)


@pytest.mark.parametrize("age", [timedelta(seconds=310), timedelta(seconds=-310)])
def test_a_delivery_of_more_than_five_minutes_ago_or_ahead_is_refused(sdk: Any, age: timedelta) -> None:
    with pytest.raises(sdk.webhooks.VerificationError):
        sdk.webhooks.verify(BODY, headers(age), SECRET)


@pytest.mark.parametrize("secret", ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx", "", "whsec_", "ü", None])
def test_another_secret_or_none_verifies_nothing(sdk: Any, secret: Any) -> None:
    with pytest.raises(sdk.webhooks.VerificationError):
        sdk.webhooks.verify(BODY, headers(), secret)


def test_a_body_that_was_changed_or_is_no_text_is_refused(sdk: Any) -> None:
    for body in (BODY + b" ", b"\xff"):
        with pytest.raises(sdk.webhooks.VerificationError):
            sdk.webhooks.verify(body, headers(), SECRET)
