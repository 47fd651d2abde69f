"""Bugs in invitations by mail, and in attendance."""

from __future__ import annotations

from governance.domain import invitation, rsvp
from governance.events import invitations, planning
from governance.store import rsvps as stored_rsvps
from governance.usecases import rsvps
from tests.seeded_bugs.bug import Bug

_MAILED = "tests/calendar/test_invitations.py"
_WITHDRAWN = "tests/calendar/test_withdrawals.py"
_ONCE = "tests/calendar/test_mailing_once.py"
_RSVPS = "tests/functions/rsvps/test_rsvps.py"

BUGS = (
    Bug(
        "who switched invitations off is still mailed",
        invitations._claim,
        " or not calendars.settings_of(wanted).invitations",
        "",
        f"{_WITHDRAWN}::test_one_who_switches_invitations_off_gets_none_that_was_planned",
    ),
    Bug(
        "drafts are mailed",
        invitation.next_invitation,
        'if meeting.status != "draft" else None',
        "",
        f"{_MAILED}::test_a_draft_is_nobodys_business_until_it_is_opened",
    ),
    Bug(
        "every status is mailed",
        invitation,
        '"timezone", "title", "place"}',
        '"timezone", "title", "place", "sequence"}',
        f"{_MAILED}::test_each_change_of_time_place_or_title_is_one_mail",
    ),
    Bug(
        "a new name of the board is mailed",
        invitation._told,
        'event.description.partition("\\n")[2]',
        "event.description",
        f"{_MAILED}::test_a_new_name_of_the_board_is_no_reason_for_a_mail",
    ),
    Bug(
        "a new link beside a place is not mailed",
        invitation._told,
        'event.description.partition("\\n")[2]',
        '""',
        f"{_MAILED}::test_a_new_name_of_the_board_is_no_reason_for_a_mail",
    ),
    Bug(
        "each mail of a meeting has another address for replies",
        invitation.next_invitation,
        "token=last.token if last else new_token()",
        "token=new_token()",
        f"{_MAILED}::test_each_change_of_time_place_or_title_is_one_mail",
    ),
    Bug(
        "a cancellation has the number of the invitation",
        invitation.cancellation,
        "last.event.sequence + 1",
        "last.event.sequence",
        f"{_WITHDRAWN}::test_a_cancellation_that_follows_the_cleanup_of_the_board_has_a_higher_number_too",
    ),
    Bug(
        "what is mailed may be older than the last mail",
        invitations._claim,
        (
            '    old = invitations.from_item(read_one(invitations.key(UserId(body["userId"]), body["meetingId"])))\n'
            "    items = read(kind.key_for(**ids) for kind in _KINDS)\n"
        ),
        (
            "    items = read(kind.key_for(**ids) for kind in _KINDS)\n"
            '    old = invitations.from_item(read_one(invitations.key(UserId(body["userId"]), body["meetingId"])))\n'
        ),
        "tests/calendar/test_torn_invitations.py",
    ),
    Bug(
        "a slow worker's mail is later than the one after it",
        invitations._rendered,
        "due.claimed_at",
        "now()",
        f"{_ONCE}::test_mails_of_one_number_are_in_the_order_in_which_they_were_claimed",
    ),
    Bug(
        "the number of a member's mails falls when they join again",
        invitation.next_invitation,
        "meeting.sequence + offset",
        "meeting.sequence",
        f"{_WITHDRAWN}::test_one_who_joined_again_is_told_in_numbers_above_that_of_the_cancellation",
    ),
    Bug(
        "a cancellation has a number that feeds have shown",
        invitations._end,
        "rules.cancellation(user, sequence + 1, old)",
        "rules.cancellation(user, 0, old)",
        f"{_MAILED}::test_a_cancellation_has_a_number_above_that_of_the_feed",
    ),
    Bug(
        "an early message about a deleted meeting cancels it without its number",
        invitations._end,
        "None if sequence is None else rules.cancellation(user, sequence + 1, old)",
        "rules.cancellation(user, (sequence or 0) + 1, old)",
        f"{_MAILED}::test_a_cancellation_has_a_number_above_that_of_the_feed",
    ),
    Bug(
        "who left keeps the board's meetings",
        invitation.ends_membership,
        "(Event.MEMBER_REMOVED, Event.MEMBER_LEFT)",
        "(Event.MEMBER_REMOVED,)",
        f"{_WITHDRAWN}::test_who_loses_the_board_has_its_coming_meetings_cancelled[left]",
    ),
    Bug(
        "a deleted board's meetings stay in calendars",
        invitations.plan_withdrawals,
        "elif event.type is Event.BOARD_DELETED:",
        "elif False:",
        f"{_WITHDRAWN}::test_who_loses_the_board_has_its_coming_meetings_cancelled[deleted]",
    ),
    Bug(
        "who leaves one board loses the meetings of all",
        invitations.withdraw_invitations,
        'invitation.board_id == body["boardId"] and ',
        "",
        f"{_WITHDRAWN}::test_a_withdrawal_names_coming_meetings_of_its_board_only",
    ),
    Bug(
        "past meetings are cancelled with the membership",
        invitation.is_withdrawn,
        " and last.event.start > now",
        "",
        f"{_WITHDRAWN}::test_who_loses_the_board_has_its_coming_meetings_cancelled[left]",
    ),
    Bug(
        "one who left is invited",
        invitations._claim,
        "if board is None or member is None:",
        "if board is None:",
        f"{_WITHDRAWN}::test_a_cancellation_says_nothing_that_came_after",
    ),
    Bug(
        "the members of a deleted board are read after its cleanup began",
        planning._plan_cleanup,
        "    yield from plan_withdrawals(event)\n",
        "    yield from (_cleanup_message(event),)\n    yield from plan_withdrawals(event)\n",
        f"{_WITHDRAWN}::test_no_cleanup_of_a_board_begins_before_its_invitations_are_withdrawn",
    ),
    Bug(
        "an invitation goes to a suspended user",
        invitations._claim,
        'user["status"] != "active" or ',
        "",
        f"{_MAILED}::test_a_suspended_user_gets_nothing",
    ),
    Bug(
        "an invitation over the quota is lost",
        invitations.mail_invitation,
        'return [Message(DeliveryKind.INVITATION, body["boardId"], body, _POSTPONED_SECONDS)]',
        "return []",
        f"{_ONCE}::test_an_invitation_over_the_hourly_quota_waits_and_is_not_lost",
    ),
    Bug(
        "an invitation that was refused counts as mailed",
        invitations._mail,
        "transact([*invitations.take_back(due.old, due.new, now()), *(slot.release for slot in due.slots)])",
        "pass",
        f"{_ONCE}::test_a_refused_invitation_is_mailed_later",
    ),
    Bug(
        "an invitation whose answer was lost is mailed again",
        invitations._mail,
        "return  # it may have been mailed: never twice",
        "transact(invitations.take_back(due.old, due.new, now()))",
        f"{_ONCE}::test_an_invitation_whose_answer_was_lost_is_not_mailed_again",
    ),
    Bug(
        "an answer of an earlier membership counts",
        rsvp.of_membership,
        " and stored.join_id == member.join_id",
        "",
        f"{_RSVPS}::test_the_answer_of_a_member_who_left_does_not_come_back",
    ),
    Bug(
        "one who rejoins has answered",
        rsvp.of_members,
        "given = {(rsvp.user_id, rsvp.join_id):",
        "joined = {m.user_id: m.join_id for m in members}; given = {(rsvp.user_id, joined.get(rsvp.user_id)):",
        f"{_RSVPS}::test_the_answer_of_a_member_who_left_does_not_come_back",
    ),
    Bug(
        "a finalized meeting takes answers",
        rsvp.answered,
        "    check_editable(meeting)\n",
        "",
        f"{_RSVPS}::test_a_finalized_meeting_takes_no_answers",
    ),
    Bug(
        "the same answer again is news",
        rsvps.answer_writes,
        "if before != new.status else ()",
        "",
        f"{_RSVPS}::test_a_new_status_notifies_the_creator_and_the_same_status_nobody",
    ),
    Bug(
        "an answer to a draft is an event for all",
        rsvps._record_change,
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
