"""The simulator of the mail service: its addresses bounce and complain, as Amazon SES's own do."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from governance.mail.feedback import parse
from infra.local.mail_reports import reports_of

BOARD, USER = "a" * 24, "b" * 24


def request_to(*addresses: str) -> dict[str, Any]:
    return {
        "Destination": {"ToAddresses": list(addresses)},
        "Content": {"Raw": {"Data": base64.b64encode(b"To: x\r\n\r\n").decode()}},
        "EmailTags": [{"Name": "boardId", "Value": BOARD}, {"Name": "userId", "Value": USER}],
    }


@pytest.mark.parametrize(
    ("address", "kind", "reason"),
    [
        ("bounce@simulator.amazonses.com", "bounce", "General"),
        ("Bounce+anna@Simulator.AmazonSES.com", "bounce", "General"),
        ("suppressionlist@simulator.amazonses.com", "bounce", "OnAccountSuppressionList"),
        ("complaint+x@simulator.amazonses.com", "complaint", "abuse"),
    ],
)
def test_the_function_reads_what_the_simulator_reports(address: str, kind: str, reason: str) -> None:
    (report,) = reports_of(request_to(address), "m-1")
    (failure,) = parse(json.dumps(report))
    assert (failure.kind, failure.email, failure.reason) == (kind, address.lower(), reason)
    assert (failure.board_id, failure.user_id) == (BOARD, USER)


@pytest.mark.parametrize(
    "address",
    ["success@simulator.amazonses.com", "ooto@simulator.amazonses.com", "bounce@example.com", "complaint@example.com"],
)
def test_all_other_addresses_take_their_mails(address: str) -> None:
    assert [*reports_of(request_to(address), "m-1")] == []
    assert [*reports_of({}, "m-1")] == []
