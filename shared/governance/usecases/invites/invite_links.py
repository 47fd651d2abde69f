"""Invite codes and links: the board's code, the status probe, the preview on a link's page (ADR invites)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.domain.invites.invite_link import with_code
from governance.errors import not_found
from governance.models.invites.invite import InviteCode, InvitePreview, InviteProbe, LinkQuery
from governance.store.boards import boards
from governance.store.invites import invite_links
from governance.store.invites.invite_links import LinkTarget
from governance.store.schema.keys import Key
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads


def get_invite_code(context: Context) -> Outcome[InviteCode]:
    """Returns the board's invite code; the first request creates it."""
    board = context.board
    if board.invite_code is not None:
        return Outcome(InviteCode(invite_code=board.invite_code), [])
    coded = with_code(board)
    return Outcome(InviteCode(invite_code=coded.invite_code or ""), boards.set_invite_code(board, coded))


def _link_keys(code: str, query: LinkQuery) -> tuple[Key, Key]:
    return invite_links.link_keys(code, query.i)


def _loaded_link(info: RequestInfo) -> Iterable[Key]:
    return _link_keys(info.params["inviteCode"], info.query_as(LinkQuery))


@loads(_loaded_link)
def get_invite_status(context: Context, query: LinkQuery) -> InviteProbe:
    """Returns whether the link's invite is pending; any other link gets the same response after the same reads."""
    return InviteProbe(pending=invite_links.is_open(_link_keys(context.params["inviteCode"], query), context.loaded))


def _target(context: Context) -> LinkTarget:
    """Returns the target of a link; raises 404 if it has no pending invite, as every link without a token."""
    keys = _link_keys(context.params["inviteCode"], context.query_as(LinkQuery))
    row = context.loaded.get(keys[1]) if invite_links.is_open(keys, context.loaded) else None
    target = invite_links.read_target(row)
    if target is None:
        raise not_found()
    return target


@loads(_loaded_link)
@finds(_target)
def preview_invite(_context: Context, target: LinkTarget, _query: LinkQuery) -> InvitePreview:
    """Returns the board and the inviter of a pending invite; raises 404 for any other link after the same reads."""
    name = target.inviter.full_name if target.inviter else ""
    return InvitePreview(
        invite_id=target.invite_id, board_id=target.board.id, board_name=target.board.name, inviter_name=name or None
    )
