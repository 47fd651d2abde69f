"""`make run` answers only to its own names, so that a rebound name of the web does not reach it."""

import pytest

from infra.local.event import HttpRequest, HttpResponse
from infra.local.hosts import only_for

SERVED = {
    "127.0.0.1": ("127.0.0.1:8000", "localhost:8000", "LocalHost", "localhost:9000"),
    "::1": ("[::1]:8000", "[0:0:0:0:0:0:0:1]"),
    "board.example.com": ("Board.example.com:8000",),
    "0.0.0.0": ("192.0.2.7:8000",),  # noqa: S104
    "::": ("[2001:db8::7]:8000",),
}
MISDIRECTED = {
    "127.0.0.1": ("rebound.example.com:8000", "127.0.0.1.example.com", "localhost.example.com", "192.0.2.7:8000", ""),
    "0.0.0.0": ("rebound.example.com:8000",),  # noqa: S104
}


def status(served: str, *hosts: str) -> int:
    """Returns the status of a request with these `Host` headers to a service that listens at `served`."""
    handle = only_for(served, lambda _: HttpResponse(200, []))
    return handle(HttpRequest("GET", "/", [("Host", host) for host in hosts])).status


@pytest.mark.parametrize(("served", "host"), [(served, host) for served, hosts in SERVED.items() for host in hosts])
def test_a_request_for_the_served_address_is_passed_on(served: str, host: str) -> None:
    assert status(served, host) == 200


@pytest.mark.parametrize(("served", "host"), [(name, host) for name, hosts in MISDIRECTED.items() for host in hosts])
def test_a_request_for_another_host_is_misdirected(served: str, host: str) -> None:
    assert status(served, host) == 421


def test_a_request_without_a_host_or_with_two_is_misdirected() -> None:
    assert status("127.0.0.1") == status("127.0.0.1", "localhost", "rebound.example.com") == 421
