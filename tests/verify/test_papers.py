"""The checks of files fail against a bucket that takes any file, and against one that gives another back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from infra.local.event import HttpRequest, HttpResponse
from infra.local.server import Server, bind
from infra.verify import papers
from infra.verify.site import Failed, Site, Skipped


class Service:
    """An API and a bucket that do what a test says. `refuses` judges the body of a form."""

    def __init__(
        self, refuses: Callable[[bytes], bool], status: str = "ready", content: bytes = papers._CONTENT
    ) -> None:
        self.url = ""
        self.sent: list[bytes] = []
        self._refuses = refuses
        self._status = status
        self._content = content

    def handle(self, request: HttpRequest) -> HttpResponse:
        """Answers as the API, or as the bucket where that is the path."""
        if request.path == "/bucket":
            return self._bucket(request)
        if request.path.endswith("/complete"):
            return self._completed()
        if request.path.endswith("/content"):
            return answer(200, url=f"{self.url}/bucket?signed=yes")
        return answer(201, id="1", upload={"url": f"{self.url}/bucket", "fields": {"key": "papers/1"}})

    def _bucket(self, request: HttpRequest) -> HttpResponse:
        if request.method == "GET":
            return HttpResponse(200, [], self._content)
        if self._refuses(request.body):
            return HttpResponse(403, [], b"")
        self.sent.append(request.body)
        return HttpResponse(204, [], b"")

    def _completed(self) -> HttpResponse:
        if self.sent:
            return answer(200, status=self._status)
        refused = {"error": {"details": {"reason": "UPLOAD_INCOMPLETE"}}}
        return HttpResponse(409, [], json.dumps(refused).encode())


def answer(code: int, **data: Any) -> HttpResponse:
    return HttpResponse(code, [], json.dumps({"data": data}).encode())


@contextmanager
def site_of(service: Service) -> Iterator[Site]:
    """Serves it, and yields it as a user's with a board."""
    with Server(bind("127.0.0.1", 0), service.handle) as server:
        service.url = f"http://127.0.0.1:{server.port}"
        site = Site(service.url, "token")
        site.board = "1"
        yield site


def not_the_declared_one(body: bytes) -> bool:
    return papers._CONTENT + b"\r\n--" not in body or b"text/html" in body


def test_a_bucket_that_takes_the_declared_file_alone_is_as_it_should_be() -> None:
    service = Service(not_the_declared_one)
    with site_of(service) as site:
        papers.others_are_refused(site)
        assert service.sent == []
        papers.file_arrives(site)


@pytest.mark.parametrize("what", sorted(papers._OTHERS))
def test_a_bucket_that_takes_another_file_is_found(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "_OTHERS", {what: papers._OTHERS[what]})
    with site_of(Service(lambda _: False)) as site, pytest.raises(Failed, match=what):
        papers.others_are_refused(site)


def test_a_file_that_comes_back_changed_is_found() -> None:
    with site_of(Service(lambda _: False, content=b"x")) as site, pytest.raises(Failed, match="downloaded"):
        papers.file_arrives(site)


def test_a_file_that_is_scanned_is_read_by_nobody_yet() -> None:
    with site_of(Service(lambda _: False, "scanning")) as site, pytest.raises(Skipped, match="scanned"):
        papers.file_arrives(site)
