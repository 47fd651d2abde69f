"""Bugs in the rules: visibility, access, quotas, tokens and values."""

from __future__ import annotations

from governance import scopes
from governance.domain import access, billing, invite, quota, report, slot, tokens, visibility
from governance.models import catalog
from governance.models import meeting as models_meeting
from governance.models import slot as models_slot
from governance.usecases import boards, members
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
        "a list omits the caller's own drafts",
        visibility.meeting_buckets,
        "return (BOARD_MEETINGS,) if user_id is None else (BOARD_MEETINGS, _drafts(user_id))",
        "return (BOARD_MEETINGS,)",
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
        "an event of a draft is stored with the board's events",
        visibility.event_bucket,
        "if event.draft_of is not None:",
        "if event.draft_of == '':",
        "tests/domain/test_event_visibility.py",
    ),
    Bug(
        "a vote survives the end of the membership it was cast in",
        slot.feedbacks,
        "cast.get((member.user_id, member.join_id))",
        "next((vote for (user, _), vote in cast.items() if user == member.user_id), None)",
        "tests/domain/test_slot.py",
    ),
    Bug(
        "a token is valid for one millisecond too long",
        tokens.status,
        "now >= expires_at",
        "now > expires_at",
        "tests/domain/test_tokens.py",
    ),
    Bug(
        "a revoked token stays valid",
        tokens.status,
        "if revoked_at is not None:",
        "if revoked_at is not None and expires_at is not None:",
        "tests/http/test_credentials.py tests/domain/test_tokens.py",
    ),
    Bug(
        "only the length of a token's digest is compared",
        tokens.matches,
        "return hmac.compare_digest(stored_digest.encode(), presented_digest.encode())",
        "return len(stored_digest) == len(presented_digest)",
        "tests/http/test_credentials.py tests/domain/test_tokens.py",
    ),
    Bug(
        "a suspended account can still call",
        access.check_account,
        'if user.status == "suspended":',
        'if user.status == "gone":',
        "tests/contract/test_authorization.py",
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
        billing,
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
        "a quota has one use too many",
        quota.Quota,
        "for number in range(self.uses)]",
        "for number in range(self.uses + 1)]",
        "tests/domain/test_quota.py tests/functions/invites/test_emails.py",
    ),
    Bug(
        "any member can retract an invite",
        invite.check_retractable,
        "if user_id != invite.inviter_id and not _is_admin(tier):",
        "if user_id != invite.inviter_id and tier is None:",
        "tests/contract/test_authorization.py::test_a_route_admits_the_callers_in_the_table",
    ),
    Bug(
        "a dashboard can name a KPI that no released catalog contains",
        catalog.is_known,
        "return rogue_id in _released()",
        'return "." in rogue_id',
        "tests/functions/dashboards tests/catalog/test_tree.py",
    ),
    Bug(
        "a proposed start is compared with the machine's clock",
        models_slot,
        'if instant < (info.context or {})["now"]:',
        "if instant < instants.now():",
        "tests/functions/slots/test_proposing.py",
    ),
    Bug(
        "a meeting's URL may have a scheme that opens a file",
        models_meeting.joining_url,
        "if scheme in _SCRIPT_SCHEMES or (not blank and scheme not in _JOINING_SCHEMES):",
        "if scheme in _SCRIPT_SCHEMES:",
        "tests/models/test_text.py",
    ),
    Bug(
        "a title holds an escape sequence",
        models_meeting,
        "text(1, MEETING_TITLE), NotBlank, NoControlsButBreaks]",
        "text(1, MEETING_TITLE), NotBlank]",
        "tests/boundaries/test_bodies.py",
    ),
    Bug(
        "a comment holds an escape sequence",
        models_slot,
        "text(0, VOTE_COMMENT), NoControlsButBreaks]",
        "text(0, VOTE_COMMENT)]",
        "tests/functions/slots/test_voting.py tests/functions/guests/test_guests.py",
    ),
    Bug(
        "every member removes any other",
        members.remove_member,
        "@authorized_by(_check_may_remove)\n",
        "",
        "tests/functions/boards/test_members.py",
    ),
    Bug(
        "an update of a member is told although it changes nothing",
        members.update_member,
        "fields = changed_fields(old, new)",
        "fields = sorted(body.changes())",
        "tests/functions/boards/test_members.py",
    ),
    Bug(
        "an update of a board is told although it changes nothing",
        boards.update_board,
        "fields = changed_fields(old, new)",
        "fields = sorted(body.changes())",
        "tests/functions/boards/test_members.py",
    ),
    Bug(
        "a report moves to the top of its list although nothing changes",
        report.patched,
        "if new == report:",
        "if not changes:",
        "tests/domain/test_report.py",
    ),
)
