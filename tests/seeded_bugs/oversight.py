"""Bugs in what admins, owners and guests do being seen, and in who may still act."""

from __future__ import annotations

from governance.domain.invites import invite
from governance.domain.meetings import slot
from governance.domain.members import committee
from governance.domain.notifications import notifications
from governance.store import revocations
from governance.store.account import users
from governance.usecases.meetings import guests
from governance.usecases.notifications import notification_references
from governance.usecases.operator import operator
from infra.operator import replay
from tests.seeded_bugs.bug import Bug

_ANNOUNCED = "tests/deliveries/test_announcements.py"
_RIGHTS = "tests/model/test_rights.py"
_GUESTS = "tests/functions/guests"
_REPLAY = "tests/operator/test_replay.py"
_MEMBERS = "tests/functions/boards/test_members.py"

BUGS = (
    Bug(
        "an invite outlives the right of those who made it",
        invite.by_right_of,
        "best is None or best < Tier.COLLABORATOR",
        "False",
        _RIGHTS,
    ),
    Bug(
        "a restore brings back invites that were retracted",
        revocations._kind,
        'new.get("status") == "retracted"',
        "False",
        _REPLAY,
    ),
    Bug(
        "a restore brings back guest links that were replaced",
        revocations._kind,
        'name in {"REMOVE", "MODIFY"} and',
        'name == "REMOVE" and',
        _REPLAY,
    ),
    Bug(
        "an invite outlives in a restore the member who made it",
        replay.replay,
        "        _end_invites(board_id)\n",
        "",
        f"{_REPLAY}::test_an_invite_in_a_restored_table_ends_with_its_maker",
    ),
    Bug(
        "a guest link outlives the board token that made it",
        guests._has_lost_maker,
        "token is None or token.revoked_at is not None",
        "token is None",
        f"{_GUESTS}/test_guests.py::test_a_link_ends_with_the_board_token_that_made_it",
    ),
    Bug(
        "one who left a board sees its later names",
        invite.board_as_left,
        '"name": former.name if former else "", ',
        "",
        "tests/functions/invites/test_lists.py::test_one_who_left_sees_what_they_knew_then",
    ),
    Bug(
        "an admin takes a seat among the documents of others",
        committee.check_seats,
        "if caller in after and committee.member_ids",
        "if False and committee.member_ids",
        "tests/functions/committees/test_committees.py::test_nobody_seats_themself_among_the_documents_of_others",
    ),
    Bug(
        "an account that closes during a transfer becomes the owner",
        users.check_active,
        'equals(status="active")',
        "equals(id=user_id)",
        _MEMBERS,
    ),
    Bug(
        "an owner can be purged",
        operator.check_owns_none,
        "    if owned:",
        "    if owned == own_boards:",
        "tests/operator/test_purge_commands.py",
    ),
    Bug(
        "a demoted admin leaves tokens behind without a hint",
        notifications.ends_administration,
        'return bool(event.delivery_data.get("demoted"))',
        "return False",
        _ANNOUNCED,
    ),
    Bug(
        "a notification names a meeting that is a draft again",
        notification_references._links_to_hidden,
        "or not can_see_meeting(",
        "or can_see_meeting(",
        _ANNOUNCED,
    ),
    Bug(
        "a former member sees a person's new name",
        notifications.has_kept_name,
        "return actor.updated_at <= notification.created_at",
        "return True",
        _ANNOUNCED,
    ),
    Bug(
        "a slow earlier request moves the mark of read notifications back",
        notifications.all_read,
        "until = max(mark.until, shift(now, minutes=-DELIVERY_MINUTES))",
        "until = shift(now, minutes=-DELIVERY_MINUTES)",
        "tests/domain/test_notifications.py",
    ),
    Bug(
        "discarded votes of guests go on counting",
        slot.is_discarded,
        "return vote.email is not None and discarded_at is not None",
        "return vote.email is None and discarded_at is not None",
        _GUESTS,
    ),
    Bug(
        "a guest's new vote is deleted with the discarded one",
        guests.vote_as_guest,
        "earlier = None if stored is None or rules.is_discarded(stored, meeting.guest_votes_discarded_at) else stored",
        "earlier = stored",
        _GUESTS,
    ),
)
