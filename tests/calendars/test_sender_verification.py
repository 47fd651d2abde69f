"""Which headers of the mail service verify a sender: all that it writes, and none that a sender can shape."""

from __future__ import annotations

import re

import pytest

from governance.mail.authentication import is_verified
from tests.calendars.mails import received_spf, results

OWN = "example.com"
SPF = "spf=pass (spfCheck: domain of example.com designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1;"
NO_SPF = "spf=none (spfCheck: 192.0.2.1 is neither permitted nor denied by domain of evil.org) client-ip=192.0.2.1;"
OWN_DKIM = "dkim=pass header.i=@example.com;"
FROM_EVIL = f"amazonses.com; {NO_SPF} envelope-from=a@evil.org;"


@pytest.mark.parametrize(
    "header",
    [
        results(OWN),
        f"amazonses.com; dkim=pass (2048-bit key) header.i=@example.com header.s=k1 header.b=a/b=; {OWN_DKIM}",
        results(OWN).removesuffix(";"),
        results(OWN).replace("; ", ";\r\n "),
        f"amazonses.com; {NO_SPF} envelope-from=a@evil.org; helo=mail-1.evil.org; dkim=pass header.i=@example.com;",
        f"amazonses.com; {NO_SPF} envelope-from=p@h.org; helo=h.org; {OWN_DKIM} dkim=pass header.i=@h.org; dmarc=none;",
        f"amazonses.com; {SPF} envelope-from=b+b=x.org@example.com; helo=[192.0.2.1]; dkim=permerror header.i=@h.org;",
        "amazonses.com; dkim=pass header.i=@Example.com",
    ],
)
def test_what_the_mail_service_writes_of_a_sender_verifies_it(header: str) -> None:
    assert is_verified(OWN, header, received_spf(header))


@pytest.mark.parametrize(
    "header",
    [
        "",
        "mx.example.com; dkim=pass header.i=@example.com",
        "amazonses.com.evil.org; dkim=pass header.i=@example.com",
        "amazonses.com 1; dkim=pass header.i=@example.com",
        # another outcome or domain
        f"{FROM_EVIL} helo=h.org; dkim=none;",
        "amazonses.com; dkim=pass header.i=@evilexample.com",
        "amazonses.com; dkim=pass header.i=@mail.example.com",
        "amazonses.com; dkim=pass header.i=@example.com; dkim=fail header.i=@example.com;",
        f"amazonses.com; {SPF.replace('pass', 'softfail', 1)} envelope-from=b@example.com; helo=h.org;",
        f"amazonses.com; {SPF} envelope-from=b@example.com.evil.org; helo=h.org;",
        f"amazonses.com; {SPF} envelope-from=b@evilexample.com; helo=h.org;",
        f"amazonses.com; {SPF} envelope-from=b@mail.example.com; helo=h.org;",
        # the name of the sending host
        f"{FROM_EVIL} helo=x;dkim=pass/header.d=example.com; dmarc=none header.from=example.com;",
        f"{FROM_EVIL} helo=x; dkim=pass header.d=example.com; dkim=pass header.i=@evil.org;",
        f"{FROM_EVIL} helo=x;dkim=pass header.i=@example.com; dkim=pass header.i=@evil.org;",
        f"amazonses.com; {SPF} envelope-from=; helo=x;envelope-from=b@example.com; dmarc=fail;",
        f"amazonses.com; {SPF} envelope-from=; helo=example.com;",
        # the address in the envelope
        f"amazonses.com; {NO_SPF} envelope-from=x; dkim=pass header.i=@example.com; y@evil.org; helo=evil.org;",
        f'amazonses.com; {NO_SPF} envelope-from="; dkim=pass header.i=@example.com; "@evil.org; helo=evil.org;',
        f"amazonses.com; {SPF} envelope-from=a@evil.org@example.com; helo=evil.org;",
        f"amazonses.com; {SPF} envelope-from=a@example.com@evil.org; helo=evil.org;",
        # comments
        f"amazonses.com; spf=fail (spfCheck: ; {OWN_DKIM}) client-ip=1.2.3.4; envelope-from=x@evil.org; helo=evil.org;",
        f"amazonses.com; spf=fail (a (b); {OWN_DKIM} (c)) client-ip=1.2.3.4; envelope-from=x@evil.org; helo=evil.org;",
        # what it does not write
        f"amazonses.com; dkim=pass header.i=@example.com; {SPF} envelope-from=a@evil.org; helo=evil.org;",
        "amazonses.com; dkim=pass header.i=ben@example.com",
        "amazonses.com; dkim=pass header.d=example.com",
        "amazonses.com; dkim=pass header.i=@example.com; x=y",
    ],
)
def test_nothing_else_verifies_a_sender(header: str) -> None:
    """Neither without the other header nor with it, which ends where the words of the sending host do."""
    written = re.search(r"spf=(.*?)(?: dkim=(?:none|pass header\.i=@evil\.org);| dmarc=[^;]*;)?$", header)
    for other in (None, written and written[1]):
        assert not is_verified(OWN, header, other)


FORGED_HOST = "x; dkim=pass header.i=@example.com"
STATEMENT = "pass (spfCheck: domain of evil.org designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1;"


def spf_by(host: str) -> str:
    """Returns the other header of the mail service, for a host that calls itself so."""
    return f"{STATEMENT} envelope-from=a@evil.org; helo={host};"


@pytest.mark.parametrize(("host", "verified"), [("mail.evil.org", True), (FORGED_HOST, False)])
def test_a_result_in_the_name_of_the_sending_host_is_told_by_the_other_header(host: str, verified: bool) -> None:
    header = f"amazonses.com; spf={spf_by(host)} dkim=pass header.i=@evil.org; dmarc=fail header.from=example.com;"
    assert is_verified("evil.org", header, spf_by(host)) is verified
    assert not is_verified(OWN, header, spf_by(host))


@pytest.mark.parametrize("host", ["mail.evil.org", FORGED_HOST])
def test_results_that_state_spf_count_only_beside_the_other_header(host: str) -> None:
    header = f"amazonses.com; spf={spf_by(host)} dkim=pass header.i=@evil.org;"
    for domain in ("evil.org", OWN):
        assert not is_verified(domain, header, None)
        assert not is_verified(domain, header, "")


def test_a_header_that_says_nothing_of_spf_needs_no_other() -> None:
    assert is_verified(OWN, "amazonses.com; dkim=pass header.i=@example.com;", spf_by("mail.evil.org"))
    assert is_verified(OWN, "amazonses.com; dkim=pass header.i=@example.com;", None)
