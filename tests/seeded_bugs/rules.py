"""Bugs in the rules: visibility, access, quotas, tokens and values."""

from __future__ import annotations

from governance import scopes
from governance.domain import access, visibility
from governance.domain.invites import invite
from governance.usecases.members import members
from tests.seeded_bugs.bug import Bug

BUGS = (
    Bug(
        "a draft is shown to every member",
        visibility.can_see_meeting,
        'return meeting.status != "draft" or (user_id is not None and meeting.creator_id == user_id)',
        "return True",
        "tests/domain/test_visibility.py",
    ),
    Bug(
        "an admin sees every committee's documents",
        visibility.can_see_document,
        "return committee_id is None or committee_id in committee_ids",
        "return True",
        "tests/domain/test_document.py tests/functions/documents",
    ),
    Bug(
        "a read-only board token can write meetings",
        scopes,
        "    Scope.MEETINGS_READ,\n    Scope.DOCUMENTS_READ,",
        "    Scope.MEETINGS_READ,\n    Scope.MEETINGS_WRITE,\n    Scope.DOCUMENTS_READ,",
        "tests/contract/test_authorization.py",
    ),
    Bug(
        "a cancelled board counts as paid",
        access,
        '"PAST_DUE_GRACE")',
        '"PAST_DUE_GRACE", "CANCELLED")',
        "tests/contract/test_authorization.py::test_a_route_responds_as_in_the_table_in_every_state"
        "[PATCH /api/v1/boards/{boardId}]",
    ),
    Bug(
        "anyone with the link can accept an invite",
        invite.check_addressee,
        "if invite.invitee_email != email:",
        "if not email:",
        "tests/domain/test_invite.py",
    ),
    Bug(
        "every member removes any other",
        members.remove_member,
        "@authorized_by(_check_may_remove)\n",
        "",
        "tests/functions/boards/test_members.py",
    ),
)
