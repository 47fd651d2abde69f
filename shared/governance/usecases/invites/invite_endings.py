"""Ends invites when those who made them lose the right to invite (ADR invites).

The invites of a member who leaves or is demoted are changed in the transaction of that change. It notices an invite
made meanwhile by the counter of the board's pending invites, and a co-inviter who leaves at the same time by their
membership. If a member has many invites, most are retracted first, a few in each transaction. A crash in between leaves
the member with fewer invites.
"""

from __future__ import annotations

from governance.domain.access.access import member_tier
from governance.domain.invites import invite as invite_rules
from governance.models.boards.board import Membership
from governance.scopes import Tier
from governance.store.boards import boards
from governance.store.invites import invites
from governance.store.invites.invites import InviteChange
from governance.store.schema.entities import PENDING_INVITE_COUNT
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write
from governance.usecases.context import Context

AT_ONCE = 12
"""Invites that end in one transaction."""


def end_invites(context: Context, member: Membership, tier: Tier | None) -> tuple[list[Write], int]:
    """Returns the writes that retract the member's invites, or lower their access to what co-inviters may give.

    `tier` is that of the member after the change, None for one who leaves. Also returns how many of the member's
    invites stay pending. The use case loads `PENDING_INVITE_COUNT`.
    """
    pending = invites.read_pending(context.board.id, context.item(PENDING_INVITE_COUNT))
    made = [invite for invite in pending.invites if member.user_id in invite.senders]
    others = {
        other.user_id: other
        for other in boards.members_among(context.board.id, {id_ for invite in made for id_ in invite.senders})
        if other.user_id != member.user_id
    }
    tiers = {user_id: member_tier(other) for user_id, other in others.items()}
    tiers |= {} if tier is None else {member.user_id: tier}
    changes = [InviteChange(old, invite_rules.by_right_of(old, tiers, context.now)) for old in made]
    code = context.board.invite_code
    ended = [change for change in changes if change.new is not change.old]
    if len(ended) > AT_ONCE:
        for start in range(0, len(ended) - AT_ONCE, AT_ONCE):
            some = ended[start : start + AT_ONCE]
            transact([boards.check_unchanged_member(member), *invites.end(some, code)])
        raise StaleRead  # decide again about the rest
    kept = {invite_rules.strongest(change.old, tiers) for change in changes if change.new.status == "pending"}
    unchecked = {member.user_id, context.user_id}
    checks = [boards.check_unchanged_member(others[user_id]) for user_id in kept - unchecked if user_id]
    left = sum(change.new.status == "pending" for change in changes)
    return [*invites.end(ended, code, pending), *checks], left


def loses_rights(old: Membership, new: Membership) -> bool:
    """Returns whether a changed membership may no longer make the invites that the old one could make."""
    before, after = member_tier(old), member_tier(new)
    return any(after < needed <= before for needed in (Tier.COLLABORATOR, Tier.ADMIN))
