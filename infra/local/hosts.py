"""Which host names `make run` answers to.

A page on the web can let its own name point to this machine (DNS rebinding) and then call the service as if it were of
the same origin. Its requests have that name in `Host`, so requests for other names than the service's own are refused.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from infra.local.event import HttpRequest, HttpResponse, error_response

LOCALHOST = "localhost"
_MISDIRECTED = 421
Handle = Callable[[HttpRequest], HttpResponse]


def is_loopback(host: str) -> bool:
    """Returns whether only this machine can reach a listener at `host`, an address or a name."""
    address = _address(host)
    return host == LOCALHOST if address is None else address.is_loopback


def only_for(host: str, handle: Handle) -> Handle:
    """Returns a handler that passes on requests for `host` or `localhost`, on any port, and answers 421 to others."""
    refuse = refusal_for(host)
    return lambda request: refuse(request) or handle(request)


def refusal_for(host: str) -> Callable[[HttpRequest], HttpResponse | None]:
    """Returns what answers 421 to requests for other names than `host` and `localhost`, and None to those.

    If `host` stands for every address of the machine, requests for any address are served: a name is not an address.
    """

    def refuse(request: HttpRequest) -> HttpResponse | None:
        named = [value for name, value in request.headers if name.lower() == "host"]
        if len(named) != 1 or not _is_served(_without_port(named[0]), host):
            return error_response(_MISDIRECTED, f"This service is not at that address; call {host} or {LOCALHOST}.")
        return None

    return refuse


def _is_served(named: str, host: str) -> bool:
    if named in {host.lower(), LOCALHOST}:
        return True
    asked, served = _address(named), _address(host)
    if asked is None or served is None:
        return False
    return asked == served or served.is_unspecified


def _without_port(named: str) -> str:
    """Returns the host of a `Host` header: `localhost`, `127.0.0.1` or, without its brackets, `::1`."""
    if named.startswith("["):
        return named[1:].partition("]")[0].lower()
    return named.rpartition(":")[0].lower() if ":" in named else named.lower()


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
