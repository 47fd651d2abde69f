"""The URL of a webhook: which ones are accepted, and where they lead (ADR webhooks).

The same parser serves the validation of a body and the delivery, so that both see one host and one port.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address
from urllib.parse import urlsplit

from governance import addresses
from governance.addresses import Address
from governance.settings import settings

_PRINTABLE = re.compile(r"[!-~]+", re.ASCII)
_UNSAFE = frozenset('"<>\\^`{|}')
_LABEL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?", re.ASCII)
_BRACKETED = re.compile(r"\[[^]]*\](:[0-9]+)?", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*", re.ASCII)
_LOCAL_DOMAINS = frozenset({"localhost", "local", "internal"})
_HOST_LENGTH = 253
_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True)
class WebhookTarget:
    """The target of a URL: a name or an address, a port, and the path with its query."""

    host: str
    port: int
    path: str
    secure: bool

    @property
    def address(self) -> Address | None:
        """The address, if the URL names one instead of a host."""
        return _address_or_none(self.host)


def parse_url(url: str) -> WebhookTarget:
    """Returns the target of a URL. Raises `ValueError`, with what it must be, for one that is not accepted."""
    if not _PRINTABLE.fullmatch(url) or _UNSAFE & {*url}:
        raise ValueError("must be a URL of printable ASCII characters; write an international domain in punycode")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("must be a URL with a valid host and port") from None
    if parts.scheme not in _PORTS:
        raise ValueError("must be an https URL")
    if "@" in parts.netloc:
        raise ValueError("must not contain a user name or a password")
    if parts.fragment or url.endswith("#"):
        raise ValueError("must not have a fragment")
    if port == 0 or parts.netloc.endswith(":"):
        raise ValueError("must be a URL with a valid host and port")
    if "[" in parts.netloc:
        _check_brackets(parts.netloc, host)
    _check_host(host, parts.scheme)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return WebhookTarget(host, port or _PORTS[parts.scheme], path, parts.scheme == "https")


def _check_brackets(netloc: str, host: str) -> None:
    """Raises `ValueError` unless the brackets hold an IPv6 address, with nothing beside them but a port."""
    if not _BRACKETED.fullmatch(netloc) or not isinstance(_address_or_none(host), IPv6Address):
        raise ValueError("must have brackets around an IPv6 address only")


def _check_host(host: str, scheme: str) -> None:
    address = _address_or_none(host)
    if address is None:
        _check_name(host)
    elif is_allowed(address) and (scheme == "https" or addresses.is_loopback(address)):
        return
    elif not is_allowed(address):
        raise ValueError("must lead to a public address")
    if scheme != "https":
        raise ValueError("must be an https URL")


def _check_name(host: str) -> None:
    """Raises `ValueError` for a name that is malformed, names a local host, or spells an address in an unusual way."""
    labels = host.split(".")
    if (
        len(host) > _HOST_LENGTH
        or not all(_LABEL.fullmatch(label) for label in labels)
        or _NUMBER.fullmatch(labels[-1])
    ):
        raise ValueError("must name a host such as hooks.example.com")
    if len(labels) < 2 or labels[-1] in _LOCAL_DOMAINS:
        raise ValueError("must name a public host such as hooks.example.com")


def _address_or_none(host: str) -> Address | None:
    try:
        return addresses.parse(host)
    except ValueError:
        return None


def is_allowed(address: Address) -> bool:
    """Returns whether a delivery may be sent to an address: a public one; on a developer's machine its own, too."""
    if settings().webhook_allow_loopback and addresses.is_loopback(address):
        return True
    return addresses.is_public(address)
