"""Invite codes and links: the board's code, the status probe, what a link's page shows (ADR 0040)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from governance.domain.invite_link import with_code
from governance.errors import not_found
from governance.models.invite import InviteCode, InvitePreview, InviteProbe, LinkQuery
from governance.store import boards, invite_links
from governance.store.schema import Key
from governance.usecases.context import Context, Outcome, RequestInfo, loads


def get_invite_code(context: Context) -> Outcome[InviteCode]:
    """The board's invite code; made when it is first asked for."""
    board = context.board
    if board.invite_code is not None:
        return Outcome(InviteCode(invite_code=board.invite_code), [])
    coded = with_code(board)
    return Outcome(InviteCode(invite_code=coded.invite_code or ""), boards.set_invite_code(board, coded))


def _link_keys(code: str, query: object) -> tuple[Key, Key]:
    return invite_links.link_keys(code, cast("LinkQuery", query).i)


def _link(ask: RequestInfo) -> Iterable[Key]:
    return _link_keys(ask.params["inviteCode"], ask.query)


@loads(_link)
def probe_invite(context: Context, query: LinkQuery) -> InviteProbe:
    """Whether the link's invite is pending; whatever is wrong with the link is the same answer after the same work."""
    return InviteProbe(pending=invite_links.is_open(_link_keys(context.params["inviteCode"], query), context.loaded))


@loads(_link)
def preview_invite(context: Context, query: LinkQuery) -> InvitePreview:
    """Who invites to what board, while the link's invite is pending; else a 404 after the same work."""
    keys = _link_keys(context.params["inviteCode"], query)
    row = context.loaded.get(keys[1]) if invite_links.is_open(keys, context.loaded) else None
    opened = invite_links.read_target(row)
    if opened is None:
        raise not_found()
    name = opened.inviter.full_name if opened.inviter else ""
    return InvitePreview(board_name=opened.board.name, inviter_name=name or None)
