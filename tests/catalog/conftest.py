"""Fixtures: the catalog as the objects of a bucket, and a site that answers like the CDN."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from infra.catalog import releases
from infra.catalog.reading import read
from infra.catalog.source import Source
from infra.cdn.headers import security_headers
from infra.local.catalog_responses import StoredObject, serve
from tests.harness.catalog import published


@pytest.fixture(scope="session")
def source() -> Source:
    return read()


@pytest.fixture(scope="session")
def released() -> list[releases.Release]:
    return releases.load()


@pytest.fixture(scope="session")
def bucket(released: list[releases.Release]) -> dict[str, StoredObject]:
    return published(released)


@pytest.fixture(scope="session")
def site(bucket: dict[str, StoredObject]) -> Iterator[str]:
    """Yields the address of a server that answers with `infra.local.catalog_responses` from the released objects."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            lower = {name.lower(): value for name, value in self.headers.items()}
            answer = serve("GET", self.path, lower, bucket.get)
            self.send_response(answer.status)
            for name, value in (answer.headers | security_headers(self.path)).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
            """Does nothing: requests are not logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
