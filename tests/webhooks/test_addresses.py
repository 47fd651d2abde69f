"""The client of webhooks connects to public addresses only."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance import addresses
from governance.models.webhooks.webhook_url import parse_url
from tests.webhooks.client_network import PUBLIC, network, post

pytestmark = pytest.mark.usefixtures("client_settings")

PUBLIC_IPV6 = "2606:4700:4700::1111"
PRIVATE_HOSTS = r"""
127.0.0.1 127.0.0.1:8443 127.255.255.254 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001
0 0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1
169.254.169.254/latest/meta-data 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192
100.64.0.1 198.18.0.1 192.0.2.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:169.254.169.254] [0:0:0:0:0:ffff:a00:1] [::7f00:1]
[64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [2002:7f00:1::] [2001:0:7f00:1::]
[fe80::1] [fe80::1%25eth0] [fc00::1] [fd00:ec2::254] [fec0::1] [ff02::1] [2001:db8::1]
localhost LOCALHOST localhost. printer.local metadata.google.internal metadata app.localhost
127.0.0.1@hooks.example.com hooks.example.com@127.0.0.1 hooks.example.com:443@127.0.0.1
127.0.0.1\@hooks.example.com 127。0。0。1 ①②⑦.⓪.⓪.①
"""
"""Spellings of this machine and its network, of metadata services, of what is reserved, of IPv4 in IPv6, and names."""
OTHER_SCHEMES = ["http://hooks.example.com/", "file:///etc/passwd", "gopher://127.0.0.1/"]
PRIVATE_TARGETS = [*(f"https://{host}/" for host in PRIVATE_HOSTS.split()), *OTHER_SCHEMES]


@pytest.mark.parametrize("url", PRIVATE_TARGETS)
def test_a_private_target_is_refused_in_every_spelling(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = network(monkeypatch, ["127.0.0.1"])
    with pytest.raises(ValueError, match="must"):
        parse_url(url)
    assert post(url).status_code is None
    assert resolver.connected == []


@pytest.mark.parametrize(
    "host",
    ["[v1.foo]", "[hooks.example.com]", f"[{PUBLIC}]", "[]", f"a[{PUBLIC_IPV6}]", f"[{PUBLIC_IPV6}]a", "[v1.foo]:8443"],
)
def test_brackets_hold_nothing_but_an_ipv6_address(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = network(monkeypatch, [PUBLIC])
    with pytest.raises(ValueError, match="must"):
        parse_url(f"https://{host}/")
    assert post(f"https://{host}/").status_code is None
    assert resolver.looked_up == []


def test_an_ipv6_address_in_brackets_is_accepted() -> None:
    for port in ("", ":8443"):
        assert str(parse_url(f"https://[{PUBLIC_IPV6}]{port}/").address) == PUBLIC_IPV6


@pytest.mark.parametrize(
    "addresses_of_name",
    [["10.0.0.7"], [PUBLIC, "10.0.0.7"], ["10.0.0.7", PUBLIC], ["::1"], ["::ffff:10.0.0.7"], ["fe80::1%eth0"], ["x"]],
)
def test_a_name_with_one_address_that_is_not_public_is_not_connected_to(
    addresses_of_name: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = network(monkeypatch, addresses_of_name)
    answer = post("https://hooks.example.com/")
    assert (answer.status_code, answer.error) == (None, "address_not_public")
    assert resolver.connected == []


def test_a_name_that_changes_between_look_up_and_connection_leads_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = network(monkeypatch, [PUBLIC], ["127.0.0.1"], ["169.254.169.254"])
    assert post("https://hooks.example.com/").error == "connection_failed"
    assert fake.looked_up == ["hooks.example.com"]
    assert fake.connected == [PUBLIC]


def test_every_public_address_of_a_name_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = network(monkeypatch, [PUBLIC, "1.1.1.1", PUBLIC])
    assert post("https://hooks.example.com/").error == "connection_failed"
    assert fake.connected == [PUBLIC, "1.1.1.1"]


ANY_ADDRESS = st.one_of(
    st.ip_addresses(v=4),
    st.ip_addresses(v=6),
    st.sampled_from(["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]).flatmap(
        lambda network: st.ip_addresses(v=4, network=network)
    ),
    st.sampled_from(["::ffff:0:0/96", "64:ff9b::/96", "2002::/16", "2001::/32", "fc00::/7", "fe80::/10"]).flatmap(
        lambda network: st.ip_addresses(v=6, network=network)
    ),
)
RESERVED = [
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4"),
        *("::/128", "::1/128", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "2001:db8::/32", "2002::/16"),
    )
]


def _is_reserved(text: str) -> bool:
    """Tells by plain lists, and by the last four bytes where an IPv6 address hides an IPv4 address."""
    address = ipaddress.ip_address(text)
    inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    hides = address.version == 6 and int(address) >> 32 in (0xFFFF, 0x0064FF9B << 64)
    checked = inner if hides else address
    return any(checked.version == reserved.version and checked in reserved for reserved in RESERVED)


@given(st.lists(ANY_ADDRESS, min_size=1, max_size=4))
def test_no_private_address_is_ever_connected_to(addresses_of_name: list[Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fake = network(patch, [str(address) for address in addresses_of_name])
        post("https://hooks.example.com/")
    assert not any(_is_reserved(text) for text in fake.connected)
    assert all(addresses.is_public(addresses.parse(text)) for text in fake.connected)


@pytest.mark.parametrize("text", [PUBLIC, "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_a_public_address_is_public(text: str) -> None:
    assert addresses.is_public(addresses.parse(text))
