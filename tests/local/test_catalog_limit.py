"""The local limit of catalog requests: a sliding window per address, as the firewall has it."""

import json

from governance.errors import Code
from infra.local.catalog_limit import CatalogLimit
from infra.local.event import HttpRequest


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_an_address_waits_until_its_oldest_request_has_left_the_window() -> None:
    clock = Clock()
    limit = CatalogLimit(2, clock)
    assert limit.seconds_to_wait("192.0.2.1") == 0
    clock.time += 100
    assert limit.seconds_to_wait("192.0.2.1") == 0
    assert limit.seconds_to_wait("192.0.2.1") == 200
    clock.time += 200
    assert limit.seconds_to_wait("192.0.2.1") == 0
    assert limit.seconds_to_wait("192.0.2.1") == 100


def test_addresses_have_windows_of_their_own_and_an_ipv6_address_counts_as_its_64() -> None:
    limit = CatalogLimit(1, Clock())
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8:0:1::1", "2001:db8:0:2::1"):
        assert limit.seconds_to_wait(address) == 0
    assert limit.seconds_to_wait("2001:db8:0:1:ffff::2") == 300


def test_a_refusal_says_when_to_come_back_in_the_error_envelope() -> None:
    limit = CatalogLimit(1, Clock())
    asked = HttpRequest("GET", "/api/ontology/index.json", [])
    assert limit.respond(asked) is None
    response = limit.respond(asked)
    assert response is not None
    assert (response.status, dict(response.headers)["retry-after"]) == (429, "300")
    assert json.loads(response.body)["error"]["code"] == Code.RATE_LIMITED.name


def test_only_the_catalog_is_limited() -> None:
    limit = CatalogLimit(1, Clock())
    assert [limit.respond(HttpRequest("GET", path, [])) for path in ("/docs", "/docs", "/api/v1/me")] == [None] * 3
