"""Tickets of the live channel: a browser's connection cannot carry a credential (ADR live)."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from governance.instants import shift
from governance.limits import LIVE_TICKET_SECONDS
from governance.models.live.live import LiveTicket, StoredTicket
from governance.settings import settings
from governance.store.live import connections
from governance.usecases.context import Context, Outcome

_SCHEMES = {"https": "wss", "http": "ws"}


def create_live_ticket(context: Context) -> Outcome[LiveTicket]:
    """Creates a ticket for one connection, whose rights are those of the request's credential; shows it once."""
    principal, text = context.principal, secrets.token_urlsafe(32)
    expires_at = shift(context.now, seconds=LIVE_TICKET_SECONDS)
    ticket = StoredTicket(
        user_id=context.known_user_id,
        token_id=principal.token.id if principal.token else None,
        created_via=principal.created_via,
        ends_at=principal.ends_at,
        expires_at=expires_at,
    )
    shown = LiveTicket(ticket=text, url=channel_url(), expires_at=expires_at)
    writes = [connections.put_ticket(text, ticket)]
    return Outcome(shown, writes, replay=shown.model_copy(update={"ticket": None}))


def channel_url() -> str:
    """Returns the address of the channel, on the host of `root_url`."""
    root = urlsplit(settings().root_url)
    return f"{_SCHEMES[root.scheme]}://{root.netloc}/live"
