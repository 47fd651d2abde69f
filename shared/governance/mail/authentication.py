"""Reads whether SPF or DKIM passed, from the header that our mail service writes (RFC 8601, ADR 0111).

The header repeats words of the sender: the address in the envelope and the name of the sending host. They could be made
to look like results. So the whole header must be what Amazon SES writes, in which those words have no room for more.
What it says of SPF must be all that `Received-SPF` says, the service's other header, which ends with the host's name.
"""

from __future__ import annotations

import re

_DOMAIN = r"[a-z0-9._-]+"
_LOCAL = r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]+"
_RESULTS = re.compile(
    r"amazonses\.com;"
    r"(?: spf=(?P<statement>(?P<spf>[a-z]+) \(spfcheck: [^()\";=\\]*\) client-ip=[0-9a-f.:]+;"
    rf" envelope-from={_LOCAL}@(?P<envelope>{_DOMAIN}); helo=[a-z0-9.:\[\]_-]+;))?"
    rf"(?P<dkim>(?: dkim=[a-z]+(?: header\.i=@{_DOMAIN})?;)*)"
    rf"(?: dmarc=[a-z]+(?: header\.from={_DOMAIN})?;)?"
)
_DKIM = re.compile(rf"dkim=([a-z]+)(?: header\.i=@({_DOMAIN}))?;")


def is_verified(domain: str, results: str, received_spf: str | None) -> bool:
    """Returns whether SPF or DKIM passed for exactly this domain, by the two headers; never by those of another form.

    A DKIM result that did not pass voids the others. A mail may have no second header.
    """
    found = _RESULTS.fullmatch(_normal(results))
    if found is None or (received_spf is not None and found["statement"] not in {None, _normal(received_spf)}):
        return False
    dkim = _DKIM.findall(found["dkim"])
    by_dkim = all(outcome == "pass" for outcome, _ in dkim) and domain in {signer for _, signer in dkim}
    return by_dkim or (found["spf"] == "pass" and found["envelope"] == domain)


def _normal(header: str) -> str:
    return " ".join(header.lower().split()).removesuffix(";") + ";"
