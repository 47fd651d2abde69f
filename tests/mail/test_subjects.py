"""A subject has no text that a mail client turns into a link; other text stays as it is."""

from __future__ import annotations

import pytest

from governance.mail.rendering import without_links


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/a?b=c#d",
        "HTTP://EVIL.EXAMPLE",
        "ftp://10.0.0.1",
        "app://open",
        "www.evil.example",
        "evil.example",
        "evil.example/login",
        "(evil.example)",
        "evil.example:8443",
        "user@evil.example",
        "10.0.0.1/login",
        "mailto:ann",
        "bücher.example",
        "пример.рф",
        "xn--e1afmkfd.xn--p1ai",
        "evil\u3002example",
        "evil\uff0eexample",
        "\uff45vil.example",
        "evil\u200b.example",
        "evil.\u00adexample",
    ],
)
def test_what_could_become_a_link_is_left_out(link: str) -> None:
    assert without_links(f"Ann invites you to {link} today") == "Ann invites you to … today"
    assert without_links(f"the report “{link}”.") == "the report “…”."


@pytest.mark.parametrize(
    "text",
    [
        "Q3 report: 3.14 up, 1.5 % down",
        "A. B. Tester and Co. Ltd.",
        "e.g. this/that",
        "9:00-10:30",
        "Räte & Co",
        "…",
        "",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert without_links(text) == text
