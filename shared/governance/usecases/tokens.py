"""What personal and board tokens have in common: minting, listing, the mark of last use (ADR 0003)."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from governance.domain import tokens as rules
from governance.instants import shift
from governance.limits import PAGE_DEFAULT
from governance.models.page import Page, PageQuery
from governance.models.token import AccessToken, MintedToken, StoredToken
from governance.scopes import Scope
from governance.store import boards, tokens
from governance.store.paging import Window
from governance.store.table import run_async
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo

_NOTED_SECONDS = 60
_REMEMBERED = 10_000


@dataclass(frozen=True)
class TokenPage:
    """A page of tokens as read, and where the next begins."""

    tokens: Sequence[StoredToken]
    position: str | None


def read_page(partition: str, ask: RequestInfo) -> TokenPage:
    """The page of an owner's tokens that the request asks for, newest first."""
    limit = ask.query.limit if isinstance(ask.query, PageQuery) else PAGE_DEFAULT
    found, position = tokens.list_of_owner(partition, Window(limit, descending=True, after=ask.after))
    return TokenPage(found, position)


def list_page(page: TokenPage, now: str) -> Page[AccessToken]:
    """The page as its owner sees it, with when each token was last used."""
    used = tokens.last_uses([token.id for token in page.tokens])
    return Page([_shown(token, used.get(token.id), now) for token in page.tokens], page.position)


def _shown(token: StoredToken, last_used_at: str | None, now: str) -> AccessToken:
    status = rules.status(token.expires_at, token.revoked_at, now)
    return AccessToken.model_validate({**token.item(), "lastUsedAt": last_used_at, "status": status})


def mint_token(
    context: Context, kind: rules.Kind, owner_id: str, name: str, preset: str, scopes: Sequence[Scope], days: int | None
) -> Outcome[MintedToken]:
    """A new token of a user or a board; a repeat of the request is told everything but the secret."""
    secret = rules.mint(kind, owner_id)
    token = StoredToken(
        id=rules.token_id(secret),
        kind=kind,
        board_id=owner_id if kind == "board" else None,
        name=name,
        preset=preset,
        scopes=tuple(scopes),
        digest=rules.digest(secret),
        created_by_user_id=context.principal.named_user_id,
        created_at=context.now,
        expires_at=None if days is None else shift(context.now, days=days),
    )
    shown = _shown(token, None, context.now).item()
    writes: list[Write] = [boards.check_exists(owner_id)] if kind == "board" else []
    writes += tokens.create(token)
    return Outcome(
        MintedToken.model_validate({**shown, "secret": secret}),
        writes,
        replay=MintedToken.model_validate({**shown, "secret": None}),
    )


_noted: dict[str, float] = {}
_noted_lock = threading.Lock()


def record_use(token: StoredToken | None, now: str) -> None:
    """Mark a token as used, at most once a minute, beside the request: never does it delay or fail one."""
    if token is None:
        return
    with _noted_lock:
        if time.monotonic() - _noted.get(token.id, -_NOTED_SECONDS) < _NOTED_SECONDS:
            return
        if len(_noted) > _REMEMBERED:
            _noted.clear()
        _noted[token.id] = time.monotonic()
    run_async(lambda: tokens.set_last_used(token.id, now))
