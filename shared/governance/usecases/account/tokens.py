"""The common part of personal and board tokens: minting, listing, recording the last use (ADR identity)."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from governance.domain.account import tokens as tokens_rules
from governance.domain.events import account as events
from governance.domain.events.kind import EventKind
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.account.token import AccessToken, MintedToken, StoredToken
from governance.models.page import OrderedQuery, Page
from governance.scopes import Scope
from governance.store.account import tokens
from governance.store.dynamodb import run_async
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.event_writes import record_event

_USE_RECORD_SECONDS = 60
_MAX_RECORDED = 10_000


def read_page(partition: str, info: RequestInfo) -> Page[StoredToken]:
    """Reads the requested page of an owner's tokens, newest first."""
    return Page(*tokens.list_of_owner(partition, info.window(info.query_as(OrderedQuery))))


def list_page(page: Page[StoredToken], now: Instant) -> Page[AccessToken]:
    """Returns the page as its owner sees it, with the time of each token's last use."""
    used = tokens.last_uses([token.id for token in page.data])
    return Page([_to_resource(token, used.get(token.id), now) for token in page.data], page.next_position)


def _to_resource(token: StoredToken, last_used_at: Instant | None, now: Instant) -> AccessToken:
    status = tokens_rules.status(token.expires_at, token.revoked_at, now)
    return AccessToken.model_validate({**token.item(), "lastUsedAt": last_used_at, "status": status})


def mint_token(
    context: Context,
    kind: tokens_rules.TokenKind,
    owner_id: UserId | BoardId,
    name: str,
    preset: str,
    scopes: Sequence[Scope],
    days: int | None,
) -> Outcome[MintedToken]:
    """Mints a token of a user or a board; the replay of the request has everything but the secret.

    `days` is the token's lifetime, None for a token that does not expire.
    """
    secret = tokens_rules.mint(kind, owner_id)
    board_id = BoardId(owner_id) if kind == "board" else None
    token = StoredToken(
        id=tokens_rules.token_id(secret),
        kind=kind,
        board_id=board_id,
        name=name,
        preset=preset,
        scopes=tuple(scopes),
        digest=tokens_rules.digest(secret),
        created_by_user_id=context.principal.named_user_id,
        created_at=context.now,
        expires_at=None if days is None else shift(context.now, days=days),
    )
    resource = _to_resource(token, None, context.now).item()
    writes = tokens.create(token)
    if board_id is not None:
        writes += record_token_event(context, events.TOKEN_CREATED, token)
    return Outcome(
        MintedToken.model_validate({**resource, "secret": secret}),
        writes,
        replay=MintedToken.model_validate({**resource, "secret": None}),
    )


def record_token_event(context: Context, kind: EventKind[events.TokenNamed], token: StoredToken) -> list[Write]:
    """Returns the writes that record that a board token was created or revoked."""
    return record_event(context, kind, events.TokenNamed(token_id=token.id, id=token.id, title=token.name))


def token_revocation(context: Context, token: StoredToken) -> list[Write]:
    """Returns the writes that revoke a board token and record it; none for one that is revoked already."""
    if token.revoked_at is not None:
        return []
    event = record_token_event(context, events.TOKEN_REVOKED, token)
    return [*tokens.revoke(token, context.now), *event]


_recorded: dict[str, float] = {}
_recorded_lock = threading.Lock()


def record_use(token: StoredToken | None, now: Instant) -> None:
    """Records that a token was used, at most once a minute; runs in parallel, and never delays or fails the request."""
    if token is not None:
        record_use_of(token.id, now, _USE_RECORD_SECONDS)


def record_use_of(token_id: str, now: Instant, seconds: int) -> None:
    """Records that the secret with this id was used, at most once in `seconds` in each environment."""
    with _recorded_lock:
        if time.monotonic() - _recorded.get(token_id, -seconds) < seconds:
            return
        if len(_recorded) > _MAX_RECORDED:
            _recorded.clear()
        _recorded[token_id] = time.monotonic()
    run_async(lambda: tokens.set_last_used(token_id, now))
