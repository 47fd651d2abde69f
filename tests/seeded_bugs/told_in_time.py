"""Bugs in what members are told in time: news, polls, reminders, invites, the example board."""

from __future__ import annotations

from governance.deliveries import due as deliveries
from governance.deliveries import notifications, planning, reminders, sweep
from governance.domain.meetings import due, meeting, poll
from governance.domain.meetings import reminders as reminder_rules
from governance.mail import sender
from governance.store.invites import invites
from governance.store.meetings import meetings
from governance.usecases.boards import example_boards
from governance.usecases.invites import invite_emails
from governance.usecases.meetings import guest_calendar, guests, polls, slots
from tests.seeded_bugs.bug import Bug

_POLLS = "tests/reminders/test_polls.py"
_MEETINGS = "tests/reminders/test_meetings.py"
_REQUESTS = "tests/reminders/test_vote_requests.py"
_DUE = "tests/reminders/test_due_dates.py"
_EXAMPLE = "tests/functions/boards/test_example_board.py"
_ENTRY = "tests/calendar/test_guest_meetings.py"

BUGS = (
    Bug(
        "nobody is told that a meeting lost its time",
        meeting.news,
        'return None if new is not None and new.status == "draft" else "meeting_cancelled"',
        "return None",
        f"{_MEETINGS}::test_a_time_that_is_lost_and_a_deletion_are_told",
    ),
    Bug(
        "a meeting that goes back to draft is told as cancelled",
        meeting.news,
        'return None if new is not None and new.status == "draft" else "meeting_cancelled"',
        'return "meeting_cancelled"',
        "tests/domain/test_meeting.py",
    ),
    Bug(
        "another title is told as another time",
        meeting,
        '{"title", "status"}',
        '{"status"}',
        f"{_MEETINGS}::test_another_title_is_no_news",
    ),
    Bug(
        "a vote counts at the very instant of the deadline",
        poll.is_closed,
        "meeting.poll.closes_at <= now",
        "meeting.poll.closes_at < now",
        f"{_POLLS}::test_from_the_deadline_on_nobody_votes_until_a_later_one_is_set",
    ),
    Bug(
        "a booked meeting takes a poll",
        poll.with_poll,
        "if not collects_votes(meeting):",
        "if False:",
        f"{_POLLS}::test_a_booked_meeting_takes_no_poll",
    ),
    Bug(
        "a short poll reminds at once",
        poll.reminder_due,
        "return max(shift(poll.closes_at, hours=-POLL_REMINDER_HOURS), half_time)",
        "return shift(poll.closes_at, hours=-POLL_REMINDER_HOURS)",
        f"{_POLLS}::test_a_poll_reminds_once_at_the_instant_that_follows_from_its_deadline",
    ),
    Bug(
        "guests of the board are missing in a poll",
        poll.missing,
        "member.tier >= Tier.COLLABORATOR",
        "member.tier >= Tier.GUEST",
        f"{_POLLS}::test_a_poll_says_until_when_votes_count_and_who_is_missing",
    ),
    Bug(
        "a poll that was moved reminds of its first deadline too",
        deliveries._remind_of_poll,
        "if meeting.poll is None or rules.poll_reminder(meeting) != due.due_at:",
        "if meeting.poll is None:",
        "tests/reminders/test_sweep.py::test_a_row_that_was_left_behind_does_nothing",
    ),
    Bug(
        "new slots are mailed one by one",
        deliveries._request_votes,
        "if next_at > now:",
        "if False:",
        f"{_REQUESTS}::test_slots_of_a_minute_are_one_mail_and_later_ones_wait_ten_minutes",
    ),
    Bug(
        "who proposes a slot causes no request for votes",
        slots.create_slot,
        '*([] if meeting.status == "draft" else [due.put_reminder(vote_request(meeting, context.now))]),',
        "",
        f"{_REQUESTS}::test_slots_of_a_minute_are_one_mail_and_later_ones_wait_ten_minutes",
    ),
    Bug(
        "who has voted is asked for their vote",
        reminders._without_vote,
        "return rules.without_vote(boards.roster(meeting.board_id), asked, proposed.votes)",
        "return rules.without_vote(boards.roster(meeting.board_id), asked, [])",
        f"{_REQUESTS}::test_who_has_voted_in_time_is_not_asked",
    ),
    Bug(
        "members are reminded by hand as often as somebody likes",
        polls._reminder_writes,
        "usage.check(context.now)",
        "pass",
        f"{_MEETINGS}::test_a_member_reminds_the_others_once_in_a_day",
    ),
    Bug(
        "who declined is reminded of the meeting",
        reminders._attending,
        '{"accepted", "noAnswer"}',
        '{"accepted", "noAnswer", "declined"}',
        f"{_MEETINGS}::test_who_accepted_or_has_not_answered_is_reminded_a_day_before",
    ),
    Bug(
        "a member who left is reminded",
        reminder_rules.with_answer,
        "of_members(meeting.id, members, given) if rsvp.status in wanted]",
        "of_members(meeting.id, members, given)]",
        f"{_MEETINGS}::test_who_accepted_or_has_not_answered_is_reminded_a_day_before",
    ),
    Bug(
        "a meeting that is moved keeps its old reminder only",
        meetings.replace,
        "reminders = due.move_reminders(due_rules.of_meeting(old, now), due_rules.of_meeting(new, now))",
        "reminders = due.move_reminders([], due_rules.of_meeting(old, now))",
        f"{_MEETINGS}::test_a_moved_meeting_moves_its_reminder_and_a_cancelled_one_has_none",
    ),
    Bug(
        "a task is due at eight in UTC, wherever its assignee is",
        deliveries._at_eight,
        'ZoneInfo(user.timezone or "UTC")',
        'ZoneInfo("UTC")',
        f"{_DUE}::test_an_assignee_is_reminded_at_eight_in_their_zone_the_day_before_and_after",
    ),
    Bug(
        "a task that is done is due",
        due.of_item,
        "if item.due is None or item.status != OPEN or item.assignee_user_id is None:",
        "if item.due is None or item.assignee_user_id is None:",
        "tests/domain/test_due.py",
    ),
    Bug(
        "what was due days ago is sent",
        deliveries.send_reminder,
        "if due.due_at <= shift(now, days=-DUE_DAYS):",
        "if False:",
        f"{_REQUESTS}::test_a_request_that_was_due_more_than_a_day_ago_is_dropped",
    ),
    Bug(
        "a sweep forgets what is due before it hands it on",
        sweep.sweep,
        """        delivery_queue.send(_message(each, started) for each in due.values())
        delete_all(due)
""",
        """        delete_all(due)
        delivery_queue.send(_message(each, started) for each in due.values())
""",
        "tests/reminders/test_sweep.py::test_killed_at_every_call_everybody_is_reminded_once",
    ),
    Bug(
        "a reminder that is handed on twice is another event",
        deliveries._event,
        "id=time_ordered_id(millis(due.due_at), digest[:12]),",
        "id=time_ordered_id(millis(due.due_at), None and digest),",
        "tests/reminders/test_sweep.py::test_killed_at_every_call_everybody_is_reminded_once",
    ),
    Bug(
        "what is due is handed on without its delay",
        sweep._message,
        "max(0.0, seconds_until(due.due_at, now))",
        "0.0",
        "tests/reminders/test_sweep.py::test_a_reminder_is_handed_on_with_the_rest_of_its_time_as_delay",
    ),
    Bug(
        "a subject is folded with a second blank",
        sender._Policy.fold_binary,
        'if name != "Subject" or str(value).isascii():',
        "if True:",
        "tests/mail/test_sender.py::test_a_subject_is_read_as_it_was_written_whatever_its_length",
    ),
    Bug(
        "a closed invite stays in the list of who received it",
        invites._close,
        "Delete(_received_key(old)),",
        "",
        "tests/store/test_stored_keys.py",
    ),
    Bug(
        "a guest's calendar entry names the place",
        guest_calendar.read_guest_event,
        "return replace(event, place=None, description=shown.name,",
        "return replace(event,",
        f"{_ENTRY}::test_the_entry_says_no_more_than_the_page_of_the_link",
    ),
    Bug(
        "a guest's calendar entry outlives the link",
        guests.linked_meeting,
        'not links.opens_meeting(context.params["token"], link, meeting, context.now) or ',
        "",
        f"{_ENTRY}::test_the_entry_ends_with_the_link",
    ),
    Bug(
        "an example board sends notification mails",
        notifications._new_notification,
        ' and not context.board.is_example else "none"',
        ' else "none"',
        f"{_EXAMPLE}::test_the_board_sends_no_mail_whatever_its_maker_does",
    ),
    Bug(
        "an example board mails invitations to join it",
        invite_emails.send_invite,
        "check_sends_mail(context.board)",
        "pass",
        f"{_EXAMPLE}::test_an_invitation_from_an_example_board_is_refused",
    ),
    Bug(
        "the maker of an example board is told what its made-up members do",
        planning.plan_notifications,
        "if event.actor_user_id in character_ids(event.board_id):",
        "if False:",
        f"{_EXAMPLE}::test_its_maker_is_told_once_that_it_is_ready_and_of_nothing_else",
    ),
    Bug(
        "a user has any number of example boards",
        example_boards.create_example_board,
        "if previous is not None and boards.find(previous) is not None:",
        "if False:",
        f"{_EXAMPLE}::test_a_user_has_one_example_board_at_a_time",
    ),
    Bug(
        "a step of filling an example board is taken again",
        example_boards._Filler._commit,
        "transact([*writes, note])",
        "transact(writes) if writes else None; transact([note])",
        f"{_EXAMPLE}::test_killed_at_every_call_of_every_step_the_board_is_filled_once",
    ),
)
