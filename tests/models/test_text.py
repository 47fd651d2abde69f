"""Text values: which e-mail addresses, time zones, URLs and languages are accepted, and how they are stored."""

from __future__ import annotations

import pytest

from governance.models.account.user import https_url, language_code
from governance.models.meetings.meeting import joining_url
from governance.models.text import email, no_controls, not_blank
from governance.models.zones import check_timezone

LONG = "a" * 64 + "@" + ".".join(["d" * 60] * 3) + ".eeeeee"  # 254 characters
ADDRESSES = {
    "ann@example.com": "ann@example.com",
    "  Ann.B+tag@Sub.Example.COM\t": "ann.b+tag@sub.example.com",
    **{
        address: address
        for address in (
            *("a!#$%&'*+/=?^_`{|}~-b@x.io", "ann@xn--bcher-kva.example", "1@1.co", "=?utf-8?q?a?=@example.com"),
            *("a" * 64 + "@example.com", LONG),
        )
    },
}
NO_ADDRESSES = (
    *("", "ann", "@example.com", "ann@", "ann@example", "ann@@example.com", "a@b@example.com"),
    *(".ann@example.com", "ann.@example.com", "an..n@example.com", "ann@.example.com", "ann@example..com"),
    *("ann@example.com.", "ann@-example.com", "ann@example-.com", "ann@exam_ple.com"),
    *("ann@192.168.0.1", "ann@[192.168.0.1]", '"ann b"@example.com', "ann b@example.com"),
    *("ann@bücher.example", "änn@example.com", "ann@example.com\nBcc: eve@example.com", "ann@example.com\0"),
    *("a" * 65 + "@example.com", "ann@" + "a" * 64 + ".com", "ann@" + ".".join(["a" * 60] * 5) + ".com", LONG + "e"),
    # what lower case or a normal form would turn into letters
    *("ann@ex\u0131mple.com", "\u0130nn@example.com", "ann@stra\u00dfe.example", "\u212aen@example.com"),
    *("ann\uff20example.com", "Ann <ann@example.com>", "ann(x)@example.com", "ann@example.com,bob@example.com"),
)


@pytest.mark.parametrize("text", ADDRESSES)
def test_an_address_is_trimmed_and_in_lower_case(text: str) -> None:
    assert email(text) == ADDRESSES[text]


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_an_invalid_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be an e-mail address"):
        email(text)


@pytest.mark.parametrize("name", ["Europe/Paris", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "US/Eastern"])
def test_a_time_zone_is_accepted_by_its_exact_name(name: str) -> None:
    assert check_timezone(name) == name


@pytest.mark.parametrize(
    "name",
    [
        *("", "europe/paris", "Europe/Paris ", "Factory", "localtime"),
        *("posixrules", "posix/Europe/Paris", "right/UTC", "../UTC"),
    ],
)
def test_an_unknown_time_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="IANA"):
        check_timezone(name)


@pytest.mark.parametrize("url", ["https://example.com/a.png?x=1#y", "https://例え.jp/", "HTTPS://example.com"])
def test_an_avatar_is_an_https_url(url: str) -> None:
    assert https_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        *("", "http://example.com", "https://", "https:///x", "//example.com", "javascript:alert(1)"),
        *("https://a b.com", "https://example.com/\n", "https://[::1", 'https://example.com/">'),
    ],
)
def test_an_avatar_without_https_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="https"):
        https_url(url)


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:x", "JavaScript: x", "javascript:1/alert(1)", "  data:text/html,x", "\tdata: x", "vbscript: x"),
        *("file:///etc/passwd", "ftp://example.com", "mailto:ann@example.com", "blob:https://example.com/1"),
        *("view-source:https://example.com", "x.y:alert"),
    ],
)
def test_a_meetings_url_has_no_scheme_that_joins_no_meeting(url: str) -> None:
    with pytest.raises(ValueError, match="must have the scheme https"):
        joining_url(url)


@pytest.mark.parametrize(
    "text",
    [
        *("", "https://example.com", "HTTP://example.com", "tel:+49301234", "sip:board@example.com"),
        *("msteams:/l/meetup", "zoommtg://zoom.us/join", "example.com/room", "meet.example.com:8443/room"),
        *("10.0.0.5:8443", "Phone: 555", "see the data: sheet"),
    ],
)
def test_a_meetings_url_may_be_text(text: str) -> None:
    assert joining_url(text) == text


@pytest.mark.parametrize(("code", "sound"), [("en", True), ("fr", True), ("EN", False), ("eng", False), ("xx", False)])
def test_a_language_is_an_iso_639_1_code(code: str, sound: bool) -> None:
    if sound:
        assert language_code(code) == code
        return
    with pytest.raises(ValueError, match="639-1"):
        language_code(code)


@pytest.mark.parametrize("text", ["a\n", "\t", "\x7f", "a\x85b", "\x9f"])
def test_control_characters_are_refused_including_newline_and_tab(text: str) -> None:
    with pytest.raises(ValueError, match="control"):
        no_controls(text)


@pytest.mark.parametrize("text", [" ", "\t\n", "\u3000", "\u00a0"])
def test_white_space_alone_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="white space"):
        not_blank(text)
