"""Bugs in invitations by mail, and in attendance."""

from __future__ import annotations

from governance.deliveries import calendar_invitations
from governance.domain.calendars import calendar_invitation
from governance.store.meetings import rsvps as stored_rsvps
from governance.usecases import event_writes
from tests.seeded_bugs.bug import Bug

_MAILED = "tests/calendar/test_invitations.py"
_WITHDRAWN = "tests/calendar/test_withdrawals.py"
_ONCE = "tests/calendar/test_mailing_once.py"
_RSVPS = "tests/functions/rsvps/test_rsvps.py"

BUGS = (
    Bug(
        "drafts are mailed",
        calendar_invitation.next_calendar_invitation,
        'if meeting.status != "draft" else None',
        "",
        f"{_MAILED}::test_a_draft_is_nobodys_business_until_it_is_opened",
    ),
    Bug(
        "a slow worker's mail is later than the one after it",
        calendar_invitations._rendered,
        "due.claimed_at",
        "now()",
        f"{_ONCE}::test_mails_of_one_number_are_in_the_order_in_which_they_were_claimed",
    ),
    Bug(
        "who left keeps the board's meetings",
        calendar_invitation.ends_membership,
        "(Event.MEMBER_REMOVED, Event.MEMBER_LEFT)",
        "(Event.MEMBER_REMOVED,)",
        f"{_WITHDRAWN}::test_who_loses_the_board_has_its_coming_meetings_cancelled[left]",
    ),
    Bug(
        "an invitation goes to a suspended user",
        calendar_invitations._claim,
        'user["status"] != "active" or ',
        "",
        f"{_MAILED}::test_a_suspended_user_gets_nothing",
    ),
    Bug(
        "an answer to a draft is an event for all",
        event_writes.record_meeting_event,
        "draft_of=draft_owner(meeting)",
        "draft_of=None",
        f"{_RSVPS}::test_an_answer_to_a_draft_is_known_to_its_creator_only",
    ),
    Bug(
        "two answers at once both count",
        stored_rsvps.put,
        ", equals(version=old.version) if old else ABSENT)",
        ")",
        f"{_RSVPS}::test_an_answer_does_not_replace_one_that_it_was_not_decided_by",
    ),
)
