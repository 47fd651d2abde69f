"""Valid and invalid e-mail addresses of invitees."""

from __future__ import annotations

import pytest

from tests.functions.invites.conftest import InviteScenario

DOMAIN = ".".join(["d" * 60] * 3)
LONGEST = f"{'a' * 64}@{DOMAIN}.{'e' * 6}"

GOOD = {
    "ann+board@example.com": "ann+board@example.com",
    "ANN@EXAMPLE.COM": "ann@example.com",
    " ann@example.com\t": "ann@example.com",
    "o'hara@example.com": "o'hara@example.com",
    "a@xn--mnchen-3ya.example": "a@xn--mnchen-3ya.example",
    "!#$%&'*+-/=?^_`{|}~@example.com": "!#$%&'*+-/=?^_`{|}~@example.com",
    "=?utf-8?q?a?=@example.com": "=?utf-8?q?a?=@example.com",
    LONGEST: LONGEST,
}
BAD = {
    "no at": "ann.example.com",
    "two ats": "ann@bob@example.com",
    "nothing": "",
    "no local part": "@example.com",
    "no domain": "ann@",
    "no dot": "ann@localhost",
    "numeric end": "ann@127.0.0.1",
    "literal": "ann@[127.0.0.1]",
    "international domain, not punycode": "ann@münchen.example",
    "international local part": "änn@example.com",
    "dotless i": "ann@ex\u0131mple.com",
    "capital i with a dot": "\u0130nn@example.com",
    "sharp s": "ann@stra\u00dfe.example",
    "kelvin sign": "\u212aen@example.com",
    "full width": "ann\uff20example.com",
    "quoted": '"ann b"@example.com',
    "display name": "Ann <ann@example.com>",
    "comment": "ann(x)@example.com",
    "comma": "ann@example.com,bob@example.com",
    "space inside": "an n@example.com",
    "CR LF": "ann@example.com\r\nBcc: bob@example.com",
    "LF at the end": "ann@example.com\n",
    "NUL": "ann\0@example.com",
    "leading dot": ".ann@example.com",
    "doubled dot": "a..nn@example.com",
    "hyphen first": "ann@-example.com",
    "empty label": "ann@example..com",
    "trailing dot": "ann@example.com.",
    "local part of 65": f"{'a' * 65}@example.com",
    "255 characters": f"{'a' * 64}@{DOMAIN}.{'e' * 7}",
}


def test_the_longest_address_has_254_characters() -> None:
    assert len(LONGEST) == 254


@pytest.mark.parametrize("given", GOOD)
def test_a_valid_address_is_stored_trimmed_and_in_lower_case(invites: InviteScenario, given: str) -> None:
    invites.invite(given)
    assert invites.listed()[0]["inviteeEmail"] == GOOD[given]


@pytest.mark.parametrize("why", BAD)
def test_an_invalid_address_is_refused_and_creates_nothing(invites: InviteScenario, why: str) -> None:
    response = invites.post(BAD[why])
    assert response.failure == (400, "INVALID_REQUEST_BODY")
    assert response.fields.keys() == {"inviteeEmail"}
    assert invites.listed() == []
