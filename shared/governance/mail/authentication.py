"""Reads whether SPF or DKIM passed, from the headers that our mail service writes (RFC 8601, ADR calendars).

The first header repeats words of the sender: the address in the envelope and the name of the sending host. They could
be made to look like results. So the header is split by the RFC's grammar, each of its statements must be one that
Amazon SES writes, and its statement about SPF must be the whole of `Received-SPF`: the service's other header ends with
the host's name, so it shows where that name ends.
"""

from __future__ import annotations

import re

_DOMAIN = r"[a-z0-9._-]+"
_LOCAL = r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]+"
_COMMENT = re.compile(r'\([^()";=\\]*\)')
_NOT_WRITTEN = re.compile(r'[()"\\]')
"""Characters that the mail service writes only within comments: quotes, backslashes and nested parentheses."""
_SPF = re.compile(
    r"spf=(?P<outcome>[a-z]+) client-ip=[0-9a-f.:]+"
    rf"; envelope-from={_LOCAL}@(?P<envelope>{_DOMAIN})"
    r"; helo=[a-z0-9.:\[\]_-]+"
)
_SPF_STATEMENTS = 3
_PROPERTIES = r"(?: [a-z]+\.[a-z-]+=\S+)*"
_DKIM = re.compile(rf"dkim=(?P<outcome>[a-z]+)(?: header\.i=@(?P<signer>{_DOMAIN}))?{_PROPERTIES}")
_DMARC = re.compile(rf"dmarc=[a-z]+{_PROPERTIES}")


def is_verified(domain: str, results: str, received_spf: str | None) -> bool:
    """Returns whether SPF or DKIM passed for exactly this domain, by the two headers; never by those of another form.

    A DKIM result that did not pass voids the others. Only results that say nothing of SPF need no second header.
    """
    server, *statements = _statements(results)
    if server != "amazonses.com":
        return False
    spf = None
    if any(statement.startswith("spf=") for statement in statements):
        stated, statements = statements[:_SPF_STATEMENTS], statements[_SPF_STATEMENTS:]
        spf = _SPF.fullmatch("; ".join(stated))
        if spf is None or stated != _statements(f"spf={received_spf}"):
            return False
    if statements and _DMARC.fullmatch(statements[-1]):
        statements.pop()
    dkim = [_DKIM.fullmatch(statement) for statement in statements]
    if None in dkim:
        return False
    signatures = [(signature["outcome"], signature["signer"]) for signature in dkim if signature]
    by_dkim = all(outcome == "pass" for outcome, _ in signatures) and domain in {signer for _, signer in signatures}
    return by_dkim or (spf is not None and spf["outcome"] == "pass" and spf["envelope"] == domain)


def _statements(header: str) -> list[str]:
    """Returns the texts between the semicolons of a header, without comments; one empty text for another form."""
    text = _COMMENT.sub(" ", header.lower()).strip().removesuffix(";")
    if _NOT_WRITTEN.search(text):
        return [""]
    return [" ".join(statement.split()) for statement in text.split(";")]
