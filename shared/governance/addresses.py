"""Network addresses: which belong to the public internet, so that a URL of a client may lead there (ADR webhooks)."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NEVER = tuple(
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # shared between a provider and its customers; a cloud's metadata, too
        "168.63.129.16/32",  # a cloud's own services, under an address that looks public
        "192.0.0.0/24",
        "192.88.99.0/24",  # relays of 6to4
        "198.18.0.0/15",
        "224.0.0.0/3",  # multicast, reserved, broadcast
        "2001::/23",  # assigned to protocols, such as Teredo, which hides an IPv4 address
        "2001:db8::/32",
        "2002::/16",  # 6to4, which hides an IPv4 address
        "3fff::/20",
    )
)
"""Ranges that are always refused: the result of `is_global` differs between versions of Python."""


def parse(text: str) -> Address:
    """Returns the address in its usual spelling. Raises `ValueError` for any other text, and for a scoped address."""
    if "%" in text:
        raise ValueError("must not have a scope")
    return ipaddress.ip_address(text)


def is_public(address: Address) -> bool:
    """Returns whether an address belongs to the public internet.

    An IPv4 address inside an IPv6 address is checked by itself. Private, loopback, link-local, multicast, reserved and
    documentation addresses are not public, nor are those under which clouds serve metadata.
    """
    if isinstance(address, IPv6Address):
        inner = embedded(address)
        if inner is not None:
            return is_public(inner)
        if address not in _GLOBAL_UNICAST:
            return False
    if any(address.version == network.version and address in network for network in _NEVER):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_private)


def is_loopback(address: Address) -> bool:
    """Returns whether an address is this machine's own."""
    inner = embedded(address) if isinstance(address, IPv6Address) else None
    return (inner or address).is_loopback


def embedded(address: IPv6Address) -> IPv4Address | None:
    """Returns the IPv4 address that a mapped or translated (NAT64) IPv6 address leads to; None for any other."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
