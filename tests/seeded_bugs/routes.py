"""Bugs in what single routes accept, refuse and answer."""

from __future__ import annotations

from functions.boards import handler as boards_handler
from governance.domain import invite
from governance.models import committee, token
from governance.models import invite as invite_models
from governance.usecases import guests, invites
from infra.openapi import parameters
from tests.seeded_bugs.bug import Bug

_GUESTS = "tests/functions/guests/test_guests.py"

BUGS = (
    Bug(
        "a board token without a lifetime never expires",
        token.BoardTokenCreate,
        "    expires_in_days: Expiry\n",
        "    expires_in_days: Expiry = None\n",
        "tests/boundaries/test_bodies.py::test_an_invalid_field_is_refused_by_its_path",
    ),
    Bug(
        "discarding guests' votes keeps them",
        guests.close_link,
        'if query.votes == "discard":',
        'if query.votes == "keep":',
        "tests/functions/guests/test_guest_votes.py::test_guests_votes_are_discarded_on_request_and_only_theirs",
    ),
    Bug(
        "a guest does not see what was booked",
        guests.view_as_guest,
        '"board_name": context.board.name, "slots"',
        '"board_name": context.board.name, "booked_slot_id": None, "slots"',
        f"{_GUESTS}::test_a_guest_sees_what_was_booked",
    ),
    Bug(
        "an inviter who left the board cannot send the invite",
        invite.may_send,
        "return user_id in invite.senders or _is_admin(tier)",
        "return (user_id in invite.senders and tier is not None) or _is_admin(tier)",
        "tests/functions/invites/test_replies.py::test_an_inviter_who_left_the_board_may_still_send_and_retract",
    ),
    Bug(
        "an inviter sees only the pending ones of their sent invites",
        invites._sent_entries,
        "if invite and board else None",
        'if invite and board and invite.status == "pending" else None',
        "tests/functions/invites/test_lists.py::test_the_sent_list_has_every_invite_that_the_caller_sent",
    ),
    Bug(
        "a position may be named twice",
        invite_models.InviteCreate.offences,
        'return {"boardPositions": "must not name a position twice"} if repeated else {}',
        "return {}",
        "tests/functions/invites/test_create.py::test_an_invalid_body_is_refused_and_creates_nothing",
    ),
    Bug(
        "a transfer of ownership is a 201",
        boards_handler,
        "    tier=Tier.OWNER,\n    status=200,\n    body=OwnershipTransfer,",
        "    tier=Tier.OWNER,\n    body=OwnershipTransfer,",
        "tests/functions/boards/test_members.py::test_the_former_owner_stays_as_admin_and_cannot_transfer_again",
    ),
    Bug(
        "the paging of the audit log passes for a part of the specification",
        parameters._marked,
        "and not route.extension else set()",
        "and route.extension else set()",
        "tests/contract/test_openapi.py::test_the_paging_of_the_audit_log_is_marked_as_an_extension",
    ),
    Bug(
        "a committee has any number of members",
        committee,
        "Field(max_length=COMMITTEE_MEMBERS)",
        "Field(max_length=100 * COMMITTEE_MEMBERS)",
        "tests/functions/committees/test_committees.py::test_a_body_is_accepted_at_each_limit_and_refused_beyond",
    ),
)
