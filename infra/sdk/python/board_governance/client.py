"""What a client does: it sends requests and waits, and its groups of operations call through it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import httpx

from . import requests
from .errors import ConfigurationError
from .requests import Answer, Call, Sending, Steps, Target
from .values import Page

if TYPE_CHECKING:
    from .types import Ring

T = TypeVar("T")
_CONNECT_SECONDS = 10.0


class AsyncBaseClient:
    """Talks to the service at `base_url` with `token`, by default BOARD_GOVERNANCE_URL and BOARD_GOVERNANCE_TOKEN.

    Raises ConfigurationError for values that cannot work, and, in every call, ApiError. `transport` is httpx's.
    """

    def __init__(
        self,
        base_url: str | None = None,
        token: str | None = None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        named = [os.environ.get(f"BOARD_GOVERNANCE_{name}") for name in ("URL", "TOKEN")]
        self._target = Target(base_url or named[0], token or named[1])
        self._http = _opened(transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._target.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    def live(self, board_id: str) -> AsyncIterator[Ring]:
        """Yields what changes on a board, as it changes. See `board_governance.live`."""
        from . import live

        return live.rings(self, board_id)

    async def call(self, *call: Any) -> Any:
        """Does a call (the members of `requests.Call`) and returns its value."""
        return await self.run(requests.value(self._target, Call(*call)))

    async def page(self, *call: Any) -> Page[Any]:
        """Fetches one page of a list."""
        return await self.run(requests.page(self._target, Call(*call)))

    async def items(self, *call: Any) -> AsyncIterator[Any]:
        """Iterates over all items of a list."""
        following = Call(*call)
        while True:
            page = await self.page(*following)
            for item in page.data:
                yield item
            if page.next_cursor is None:
                return
            following = following._replace(arguments={**following.arguments, "cursor": page.next_cursor})

    async def run(self, steps: Steps[T]) -> T:
        """Does what a call consists of, and returns its result."""
        answer: Answer | httpx.HTTPError | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as done:
                return cast("T", done.value)
            answer = None
            if isinstance(step, Sending):
                answer = await self._send(step)
            else:
                await asyncio.sleep(step)

    async def _send(self, sending: Sending) -> Answer | httpx.HTTPError:
        try:
            response = await self._http.send(_limited(sending), stream=True)
            try:
                body = b"".join([_in_time(chunk, sending) async for chunk in response.aiter_bytes()])
            finally:
                await response.aclose()
            return Answer(response.status_code, response.headers, body)
        except httpx.HTTPError as failed:
            return failed


class AsyncGroup:
    """Operations that go through a client."""

    def __init__(self, client: AsyncBaseClient) -> None:
        self._client = client


def _opened(transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    try:
        return httpx.AsyncClient(transport=transport)
    except Exception:  # noqa: BLE001 - whatever it says may repeat the address of a proxy with its password
        problem = "The proxy or the certificates that the environment names cannot be used."
    raise ConfigurationError(problem)


def _limited(sending: Sending) -> httpx.Request:
    left = max(0.1, sending.end - time.monotonic())
    limits = {"connect": min(left, _CONNECT_SECONDS), "pool": left, "read": left, "write": left}
    sending.request.extensions["timeout"] = limits
    return sending.request


def _in_time(chunk: bytes, sending: Sending) -> bytes:
    if time.monotonic() > sending.end:
        raise httpx.ReadTimeout("The answer takes too long.")
    return chunk
