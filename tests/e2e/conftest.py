"""One running service for all end-to-end tests, and a client that knows only HTTP.

E2E_STATE names the folder of a running service. Without it, the module that E2E_RUN names is started.
"""

import json
import lzma
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from infra.openapi.compatibility import RELEASED
from infra.stack import env_file
from tests.harness import local_run


@dataclass(frozen=True)
class Response:
    """Status, headers and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)

    @property
    def data(self) -> Any:
        """The `data` of a successful response of the versioned API."""
        assert self.status < 300, self.body
        return self.json["data"]

    @property
    def error(self) -> dict[str, Any]:
        """The error without its request id."""
        error: dict[str, Any] = self.json["error"]
        return {name: value for name, value in error.items() if name != "requestId"}


@dataclass(frozen=True)
class Service:
    """A running service: its URL, its data folder and its demo data."""

    url: str
    state: Path
    demo: dict[str, Any] = field(default_factory=dict)

    def call(self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str) -> Response:
        """Sends one request. `headers` are written with underscores instead of hyphens."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            given["Authorization"] = f"Bearer {token}"
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            given["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, content, given, method=method)  # noqa: S310 - our own address
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own address
                return Response(response.status, dict(response.headers), response.read())
        except urllib.error.HTTPError as error:
            with error:
                return Response(error.code, dict(error.headers), error.read())

    def session(self, name: str) -> str:
        """Returns the session of a demo user, found by the local part of the e-mail address."""
        (session,) = [user["session"] for user in self.demo["users"] if user["email"].startswith(f"{name}@")]
        assert isinstance(session, str)
        return session


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The running service."""
    if given := os.environ.get("E2E_STATE"):
        yield _service(Path(given))
        return
    module = os.environ.get("E2E_RUN", "infra.local.run")
    limits = dict.fromkeys(("RATE_LIMIT_ADDRESS", "RATE_LIMIT_FLOOD", "RATE_LIMIT_PRINCIPAL"), "100000")
    run = local_run.start_seeded(tmp_path_factory, module, **limits)
    yield _service(run.state)
    run.end()  # so that the functions of `infra.local.run_lambda` end, too


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The API document of the last release."""
    file = tmp_path_factory.mktemp("released") / "openapi.json"
    file.write_bytes(lzma.decompress(RELEASED.read_bytes()))
    return file


@pytest.fixture(params=["place", "place_of_a_released_client"])
def any_place(request: pytest.FixtureRequest) -> Any:
    """The place with today's client, and the one with the client that the last release's document makes."""
    return request.getfixturevalue(request.param)


def _service(state: Path) -> Service:
    root = env_file.read(state / "env")["ROOT_URL"]
    return Service(root, state, json.loads((state / "demo.json").read_text()))
