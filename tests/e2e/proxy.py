"""A proxy that adds a credential to every request, for a client that cannot send one, or that spoils answers."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_OWN = {"host", "connection", "content-length", "accept-encoding"}
Spoil = Callable[[str, str, bytes], bytes]
"""Takes the method, the path and the body of an answer, and returns the body that the client gets."""


@contextmanager
def proxy_of(url: str, *, credential: str = "", spoil: Spoil = lambda _method, _path, body: body) -> Iterator[str]:
    """Serves `url` on a port of its own, with the credential if one is given; yields the proxy's URL.

    Pages of the proxy count as pages of the service.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0)) or None
            headers = {name: value for name, value in self.headers.items() if name.lower() not in _OWN}
            if credential:
                headers = {name: value for name, value in headers.items() if name.lower() != "authorization"}
                headers["Authorization"] = f"Bearer {credential}"
            headers |= {"Origin": url} if headers.get("Origin") == own else {}
            request = urllib.request.Request(url + self.path, body, headers, method=self.command)  # noqa: S310 - ours
            try:
                answer: HTTPResponse | urllib.error.HTTPError = urllib.request.urlopen(request, timeout=30)  # noqa: S310
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                content = spoil(self.command, self.path, answer.read())
                self.send_response(answer.status or 500)
                for name, value in answer.headers.items():
                    if name.lower() not in {"content-length", "connection"}:
                        self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward  # noqa: N815 - the base class's names

        def log_message(self, *_: object) -> None:
            """Prints nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    own = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield own
    finally:
        server.shutdown()
        server.server_close()
