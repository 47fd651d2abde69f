"""The configuration of the pages on this machine: its sign-in provider and its demo users."""

from __future__ import annotations

import os
from ipaddress import ip_address

from governance.settings import settings
from infra.local.event import HttpRequest, HttpResponse
from infra.pages.app.site import CONFIG, cache_control, config
from infra.stack import env_file
from infra.stack.sessions import renewed_session

_SHOWN = ("name", "email", "role")


def page(request: HttpRequest) -> HttpResponse | None:
    """Returns the configuration of the pages, or None for any other path.

    OIDC_ISSUER and OIDC_CLIENT_ID name a provider. This machine itself gets every demo user with a new session, so that
    one click signs in, and is as fresh as signing minutes needs it.
    """
    if request.path != CONFIG or request.method not in {"GET", "HEAD"}:
        return None
    file = config(_provider(), _demo_users() if ip_address(request.address).is_loopback else [])
    return HttpResponse(200, [("Content-Type", file.content_type), ("Cache-Control", cache_control(CONFIG))], file.body)


def _provider() -> dict[str, str] | None:
    issuer, client = os.environ.get("OIDC_ISSUER", ""), os.environ.get("OIDC_CLIENT_ID", "")
    return {"issuer": issuer, "clientId": client} if issuer and client else None


def _demo_users() -> list[dict[str, str]]:
    users = env_file.read_demo(env_file.STATE).get("users", [])
    return [
        {**{name: user[name] for name in _SHOWN}, "session": renewed_session(settings(), user["session"])}
        for user in users
    ]
