"""The service that is verified, as its checks call it; how a check is declared, and what it expects."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

CATALOG = "/api/ontology"
LASTING = 31_536_000
"""Seconds for which a file that never changes may be kept."""
_SECONDS = 35
"""Longer than the API's longest answer may take."""


class Failed(Exception):
    """The service does something else than the sentence says. The message says what."""


class Skipped(Exception):
    """The check makes no sense here. The message says why."""


@dataclass(frozen=True)
class Answer:
    """An answer: status, headers by their names in lower case, and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Returns the body as JSON. Raises `Failed`."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise Failed(f"the body is not JSON: {self.body[:80]!r}") from None


class Site:
    """The service at a URL, called as `token`'s user or as nobody. It keeps what checks share."""

    def __init__(self, url: str, token: str = "") -> None:
        parts = urlsplit(url)
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.is_secure = parts.scheme == "https"
        self.host = parts.netloc
        self.board = ""
        self.failures: list[tuple[str, Answer]] = []
        self._token = token

    def call(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
        """Returns the answer to a request without a credential. A `_` in the name of a header stands for `-`."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if content:
            named = {"content-type": "application/json", **named}
        kind = http.client.HTTPSConnection if self.is_secure else http.client.HTTPConnection
        connection = kind(self.host, timeout=_SECONDS)
        try:
            connection.request(method, path, content or None, named)
            response = connection.getresponse()
            response_headers = {name.lower(): value for name, value in response.getheaders()}
            answer = Answer(response.status, response_headers, response.read())
        except (OSError, http.client.HTTPException) as error:
            raise Failed(f"{self.url} does not answer: {type(error).__name__} {str(error).strip()}") from None
        finally:
            connection.close()
        if answer.status >= 500:
            self.failures.append((path, answer))
        return answer

    def as_user(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
        """Returns the answer to a request with the token. Raises `Skipped` without one."""
        if not self._token:
            raise Skipped("needs TOKEN")
        return self.call(path, method, body, authorization=f"Bearer {self._token}", **headers)

    def board_path(self) -> str:
        """Returns the path of the board that an earlier check created. Raises `Skipped` if there is none."""
        if not self.board:
            raise Skipped("needs TOKEN" if not self._token else "needs the board of an earlier check")
        return f"/api/v1/boards/{self.board}"


Check = Callable[[Site], None]
"""Raises `Failed` or `Skipped`."""


class Checks(dict[str, Check]):
    """Checks in the order in which they run, by the sentences that they print."""

    def named(self, sentence: str) -> Callable[[Check], Check]:
        """Returns a decorator that keeps a check under its sentence."""

        def keep(check: Check) -> Check:
            self[sentence] = check
            return check

        return keep


def expect(what: str, value: object, *allowed: object) -> None:
    """Raises `Failed` if a value is none of those allowed."""
    if value not in allowed:
        raise Failed(f"{what} is {value!r} instead of {' or '.join(map(repr, allowed))}")


def expect_part(what: str, part: str, whole: str) -> None:
    """Raises `Failed` if a text does not contain another."""
    if part not in whole:
        raise Failed(f"{what} is {whole[:120]!r} and does not contain {part!r}")


def expect_error(answer: Answer, status: int, code: str) -> None:
    """Raises `Failed` unless the answer is this error, in the envelope."""
    expect("the status", answer.status, status)
    expect("the error's code", answer.json().get("error", {}).get("code"), code)


def max_age(answer: Answer) -> int:
    """Returns the seconds for which a browser may keep an answer; 0 if it says nothing."""
    match = re.search(r"(?<!s-)max-?age=(\d+)", answer.headers.get("cache-control", ""))
    return int(match[1]) if match else 0
