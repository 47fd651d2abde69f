"""What the invites of a board offer: access and positions, beyond the specified lists of invites."""

from __future__ import annotations

from governance.instants import Instant
from governance.models.invites.invite import InviteName, SentInvite, SentInvitesQuery, StoredInvite
from governance.models.page import OrderedQuery, Page
from governance.store.invites import invite_links, invites
from governance.usecases.context import Context, RequestInfo
from governance.usecases.declarations import prefetch


def _page_of_board(info: RequestInfo) -> Page[StoredInvite]:
    query = info.query_as(SentInvitesQuery)
    return Page(*invites.page_of_board(info.board_id, info.window(query), query.status))


@prefetch(_page_of_board)
def list_board_sent_invites(_context: Context, page: Page[StoredInvite], _query: SentInvitesQuery) -> Page[SentInvite]:
    """Returns a page of the board's invites, or of those of one status, by creation, with what they offer."""
    last_sent = invite_links.read_last_sent(invite.id for invite in page.data)
    return Page([_to_resource(invite, last_sent.get(invite.id)) for invite in page.data], page.next_position)


def _pending_page(info: RequestInfo) -> Page[StoredInvite]:
    return Page(*invites.pending_page(info.board_id, info.window(info.query_as(OrderedQuery))))


@prefetch(_pending_page)
def list_invite_names(_context: Context, page: Page[StoredInvite], _query: OrderedQuery) -> Page[InviteName]:
    """Returns a page of the board's pending invites, by creation, with the names that they give."""
    names = [
        InviteName(invite_id=invite.id, first_name=invite.invitee_first_name, last_name=invite.invitee_last_name)
        for invite in page.data
    ]
    return Page(names, page.next_position)


def _to_resource(invite: StoredInvite, last_sent_at: Instant | None) -> SentInvite:
    return SentInvite(
        invite_id=invite.id,
        invitee_email=invite.invitee_email,
        access_type=invite.access_type,
        board_positions=invite.board_positions,
        status=invite.status,
        inviter_id=invite.inviter_id,
        last_sent_at=last_sent_at,
        created_at=invite.created_at,
    )
