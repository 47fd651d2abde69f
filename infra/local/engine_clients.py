"""Keeps web pages from the local engine, which accepts any credentials and lets pages of every origin read its answers.

Only the service's own pages send documents' files to their bucket, by signed forms, and show them (ADR documents).

The engine listens on a port of this machine, which any page that is open in a browser here can try (ADR local). A
browser tells that a page asked: by `Origin`, by `Sec-Fetch-Site`, or by the page's own name in `Host` (DNS rebinding).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from infra.local.hosts import LOCALHOST

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_OWN_SITES = {"", "none", "same-origin"}
_READS = {"GET", "HEAD"}
_FORM = {"OPTIONS", "POST"}
_FORBIDDEN = 403


@dataclass(frozen=True)
class PagesOfFiles:
    """The origins of the pages that send documents' files, and the bucket of these."""

    origins: tuple[str, ...] = ()
    bucket: str = ""

    def serves(self, scope: Message, headers: Mapping[str, str]) -> bool:
        """Returns whether the service's own page sends a file, or a page opens one: no page can read what it opens."""
        if not self.bucket:
            return False
        if "origin" in headers:
            is_form = scope["path"].strip("/") == self.bucket and scope["method"] in _FORM
            return is_form and headers["origin"] in self.origins
        query = parse_qs(scope["query_string"].decode("latin-1"))
        return scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate" and "Key-Pair-Id" in query


class WithoutPages:
    """The engine's ASGI application, which answers 403 to what a page asks for, but for documents' files."""

    def __init__(self, app: App, address: str, files: PagesOfFiles = PagesOfFiles()) -> None:
        self._app = app
        self._hosts = {address, LOCALHOST}
        self._files = files

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Passes on a request of a program, or the server's start and stop."""
        if scope["type"] == "lifespan" or not self._is_of_page(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await _refuse(send)
        else:
            await send({"type": "websocket.close"})

    def _is_of_page(self, scope: Message) -> bool:
        headers = {name.lower().decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get("host", "").rpartition(":")[0] not in self._hosts:
            return True
        if self._files.serves(scope, headers):
            return False
        if "origin" in headers:
            return True
        return headers.get("sec-fetch-site", "") not in _OWN_SITES and not _is_picture(scope, headers)


def _is_picture(scope: Message, headers: Mapping[str, str]) -> bool:
    """Returns whether a page only shows an object of the bucket, such as an avatar, which it cannot read."""
    is_read = scope.get("method") in _READS and headers.get("sec-fetch-mode") == "no-cors"
    return is_read and "Action" not in parse_qs(scope["query_string"].decode("latin-1"))


async def _refuse(send: Send) -> None:
    body = json.dumps({"message": "The engine does not serve web pages."}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": _FORBIDDEN, "headers": headers})
    await send({"type": "http.response.body", "body": body})
