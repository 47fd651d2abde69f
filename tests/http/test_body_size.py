"""A body may have exactly 256 KiB, as it is sent and after decoding."""

from __future__ import annotations

import base64

import pytest

from governance.http import validation
from governance.http.request import Request
from tests.domain.samples import refusal
from tests.harness.board_scenario import BoardScenario

FULL = 256 * 1024


def request(content: str | bytes) -> Request:
    coded = isinstance(content, bytes)
    text = base64.b64encode(content).decode() if isinstance(content, bytes) else content
    return Request("POST", "/", {}, "", "", {"body": text, "isBase64Encoded": coded})


@pytest.mark.parametrize("unit", ["x", "é", "🗓"])
@pytest.mark.parametrize("coded", [False, True])
def test_a_body_of_256_kib_is_taken_and_one_byte_more_is_413(unit: str, coded: bool) -> None:
    full = unit * (FULL // len(unit.encode()))
    validation.check_size(request(full.encode() if coded else full))
    more = full + "x"
    refused = refusal(validation.check_size, request(more.encode() if coded else more))
    assert refused == (413, "PAYLOAD_TOO_LARGE", None)


def test_a_full_body_is_read_by_a_route(scenario: BoardScenario) -> None:
    body = '{"title": "T"' + " " * (FULL - 14) + "}"
    client, path = scenario.owner.client, f"{scenario.path}/meetings"
    assert client.call("POST", path, raw=body).status == 201
    assert client.call("POST", path, raw=body + " ").failure == (413, "PAYLOAD_TOO_LARGE")
