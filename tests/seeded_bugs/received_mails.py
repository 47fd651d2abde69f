"""Bugs in what calendars answer by mail: who may, what is read, and which revision counts."""

from __future__ import annotations

from governance.calendars import reader
from governance.domain import calendar_answer
from governance.events import inbound
from governance.mail import authentication, inbox, received
from governance.usecases import calendar_mail
from tests.seeded_bugs.bug import Bug

_ANSWERS = "tests/calendar/test_answers.py"
_FAULTS = "tests/faults/test_received_mails.py"
_HOSTILE = "tests/calendar/test_hostile_mails.py"
_REVISIONS = "tests/calendar/test_revisions.py"
_VERIFIED = "tests/calendar/test_sender_verification.py"

BUGS = (
    # -- the sender
    Bug(
        "spam is read",
        received._parse,
        '("Spam", "Virus")',
        '("Virus",)',
        f"{_ANSWERS}::test_a_mail_that_proves_nothing_changes_nothing_and_stops_no_other",
    ),
    Bug("any server may vouch for a sender", authentication, r'r"amazonses\.com;"', r'r"[a-z. 0-9]+;"', _VERIFIED),
    Bug(
        "SPF may pass for another domain", authentication.is_verified, ' and found["envelope"] == domain', "", _VERIFIED
    ),
    Bug("DKIM may pass for another domain", authentication.is_verified, "domain in {signer", "{signer", _VERIFIED),
    Bug(
        "a DKIM result that failed is passed over",
        authentication.is_verified,
        'all(outcome == "pass" for outcome, _ in dkim)',
        'any(outcome == "pass" for outcome, _ in dkim)',
        _VERIFIED,
    ),
    Bug(
        "the sending host's name may hold results",
        authentication.is_verified,
        ' or (received_spf is not None and found["statement"] not in {None, _normal(received_spf)})',
        "",
        _VERIFIED,
    ),
    Bug("a header may go on after the results", authentication.is_verified, "fullmatch", "match", _VERIFIED),
    Bug(
        "an address for replies is anybody's",
        calendar_mail._find,
        ' or user["email"] != mail.sender',
        "",
        f"{_ANSWERS}::test_a_mail_that_proves_nothing_changes_nothing_and_stops_no_other",
    ),
    Bug(
        "an address for replies is of any meeting",
        calendar_mail._find,
        "message.meeting_id != meeting_id",
        "False",
        f"{_ANSWERS}::test_a_mail_that_proves_nothing_changes_nothing_and_stops_no_other",
    ),
    Bug(
        "the first of two addresses for replies counts",
        calendar_mail._find,
        "tokens.pop()) if len(tokens) == 1 else None",
        "min(tokens)) if tokens else None",
        f"{_ANSWERS}::test_a_mail_to_two_addresses_for_replies_is_set_aside",
    ),
    Bug(
        "an address for replies is found only where it stands first",
        calendar_mail._find,
        "_TOKEN.findall(mail.recipients)",
        '_TOKEN.findall(mail.recipients.partition(" ")[0])',
        f"{_ANSWERS}::test_an_address_for_replies_is_found_however_a_program_writes_it",
    ),
    Bug(
        "one letter that cannot be read makes a reply unreadable",
        received._decoded,
        '"utf-8-sig", "replace"',
        '"utf-8-sig"',
        f"{_ANSWERS}::test_a_reply_counts_though_not_all_of_its_text_can_be_read",
    ),
    Bug(
        "a suspended member answers by mail",
        calendar_mail._find,
        'sender.status != "active" or ',
        "",
        f"{_ANSWERS}::test_one_who_left_or_was_suspended_answers_nothing",
    ),
    Bug(
        "a draft is answered by mail by all",
        calendar_mail._find,
        " or not can_see_meeting(sender.id, about)",
        "",
        f"{_ANSWERS}::test_a_draft_is_answered_by_its_creator_only",
    ),
    Bug(
        "a reply by mail is taken on a restricted board",
        calendar_mail._answer,
        "    check_billing(context.board)\n",
        "",
        f"{_ANSWERS}::test_a_restricted_board_takes_no_answers",
    ),
    Bug(
        "guests move meetings by mail",
        calendar_mail._check_may_edit,
        " or found.context.tier < Tier.COLLABORATOR",
        "",
        f"{_REVISIONS}::test_only_those_who_may_edit_move_a_meeting",
    ),
    # -- hostile texts
    Bug(
        "headers may be long",
        received._parts,
        " or header_bytes > MAIL_HEADERS_BYTES",
        "",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "one header may be long",
        received._parts,
        " or _longest(head) > MAIL_HEADER_BYTES",
        "",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "a mail may have any number of parts",
        received._parts,
        "seen > MAIL_PARTS or ",
        "",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "only errors of values are a reason to set aside",
        received.refused_as,
        "except Exception:",
        "except ValueError:",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "a mail inside a mail is read",
        received._parts,
        'part.get_content_maintype() == "multipart" and (boundary := part.get_boundary())',
        'part.get_content_maintype() == "message":\n            waiting.append(body)\n'
        "        if (boundary := part.get_boundary())",
        f"{_ANSWERS}::test_a_mail_inside_a_mail_is_not_read",
    ),
    Bug(
        "a calendar in a mail may be of any size",
        received._decoded,
        " or len(content) > CALENDAR_BYTES",
        "",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "every calendar is in UTF-8",
        received._decoded,
        "charset if charset in _CHARSETS else ",
        "",
        f"{_ANSWERS}::test_a_calendar_is_read_in_the_charset_that_its_part_names",
    ),
    Bug(
        "a calendar may have any number of components",
        reader.read,
        'text.upper().count("BEGIN:") > CALENDAR_COMPONENTS',
        "False",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "recurring events are read",
        reader._read,
        "not _NOT_OURS.isdisjoint(properties) or ",
        "",
        f"{_ANSWERS}::test_a_mail_that_proves_nothing_changes_nothing_and_stops_no_other",
    ),
    Bug(
        "the first of two revisions counts",
        reader._read,
        " > 1 for name in _SINGLE",
        " > 9 for name in _SINGLE",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "the zone of the machine is one of a calendar",
        reader._zone,
        "check_timezone(candidate)",
        "candidate",
        f"{_HOSTILE}::test_mails_made_to_break_readers_are_set_aside",
    ),
    Bug(
        "a calendar knows only its own names of zones",
        reader._zone,
        "WINDOWS_TO_OLSON.get(tzid, tzid)",
        "tzid",
        f"{_HOSTILE}::test_a_zone_is_what_the_database_says_and_not_the_mail",
    ),
    Bug(
        "a calendar's time without a zone is UTC",
        reader._moment,
        'found.parameters["TZID"]',
        'found.parameters.get("TZID", "UTC")',
        f"{_REVISIONS}::test_a_move_that_makes_no_sense_is_set_aside",
    ),
    Bug(
        "a meeting may end before it starts by mail",
        reader.CalendarMessage.times,
        "if last <= first:",
        "if False:",
        f"{_REVISIONS}::test_a_move_that_makes_no_sense_is_set_aside",
    ),
    # -- revisions
    Bug(
        "an older reply replaces a newer answer",
        calendar_mail._is_older,
        "stamped_at < whole_seconds(rsvp.stamped_at)",
        "False",
        f"{_ANSWERS}::test_an_older_reply_changes_nothing",
    ),
    Bug(
        "a reply to an earlier revision replaces a later answer",
        calendar_mail._is_older,
        "revision < rsvp.sequence or ",
        "",
        f"{_ANSWERS}::test_a_reply_to_an_earlier_revision_does_not_undo_a_later_answer",
    ),
    Bug(
        "an answer from before the sender joined again counts",
        calendar_mail._is_older,
        "return stamped_at < whole_seconds(member.created_at)",
        "return False",
        f"{_ANSWERS}::test_an_answer_from_before_the_sender_joined_again_is_not_revived",
    ),
    Bug(
        "a reply dates an answer into the future",
        calendar_mail._answer,
        "min(message.stamped_at, context.now)",
        "message.stamped_at",
        f"{_REVISIONS}::test_a_reply_is_not_of_a_later_time_than_its_arrival",
    ),
    Bug(
        "a reply numbers an answer into the future",
        calendar_mail._answered_revision,
        "return meeting.sequence if is_newest else min(number, meeting.sequence)",
        "return number",
        f"{_REVISIONS}::test_a_reply_is_not_of_a_later_revision_than_the_meeting",
    ),
    Bug(
        "a reply to the newest mail is outdated by a change that is not mailed",
        calendar_mail._answered_revision,
        "meeting.sequence if is_newest else min(number, meeting.sequence)",
        "min(number, meeting.sequence)",
        f"{_ANSWERS}::test_a_reply_to_the_newest_mail_is_about_the_meeting_as_it_is",
    ),
    Bug(
        "a reply to any mail is about the meeting as it is",
        calendar_mail._answered_revision,
        "and next_invitation(found.user, found.context.board, meeting, mailed) is None",
        "",
        f"{_ANSWERS}::test_a_reply_to_an_earlier_revision_does_not_undo_a_later_answer",
    ),
    Bug(
        "who joined again moves a meeting in the numbers of their mails",
        calendar_mail._find,
        "message.sequence - invitation.sequence_offset",
        "message.sequence",
        f"{_ANSWERS}::test_one_who_joined_again_answers_and_moves_in_the_numbers_of_their_mails",
    ),
    Bug(
        "a calendar that knows no newer revision moves a meeting",
        calendar_mail._check_revision,
        "message.sequence <= ",
        "message.sequence < ",
        f"{_REVISIONS}::test_a_calendar_that_knows_no_newer_revision_changes_nothing",
    ),
    Bug(
        "an outdated cancellation cancels",
        calendar_mail._cancel,
        "    _check_revision(found)\n",
        "",
        f"{_REVISIONS}::test_a_calendar_that_knows_no_newer_revision_changes_nothing",
    ),
    Bug(
        "a calendar gets ahead of the meeting",
        calendar_mail._check_revision,
        "found.meeting.sequence + _SEQUENCE_STEP",
        "10**9",
        f"{_REVISIONS}::test_no_calendar_gets_far_ahead_of_the_meeting",
    ),
    Bug(
        "a calendar's revision is not the meeting's",
        calendar_mail._changed,
        '"sequence": found.message.sequence',
        '"sequence": new.sequence',
        f"{_REVISIONS}::test_a_change_that_is_sent_again_after_a_later_one_changes_nothing",
    ),
    Bug(
        "a move that changes nothing is an event",
        calendar_mail._move,
        " if is_news else []",
        "",
        f"{_REVISIONS}::test_a_move_to_the_time_that_the_meeting_has_is_no_event",
    ),
    Bug(
        "a meeting that a calendar moves loses its zone",
        calendar_mail._move,
        '.model_copy(update={"timezone": found.meeting.timezone})',
        "",
        f"{_REVISIONS}::test_a_meeting_that_is_moved_keeps_its_zone",
    ),
    Bug(
        "a meeting without a time is cancelled",
        calendar_mail._cancel,
        "if found.meeting.start_time is None:",
        "if False:",
        f"{_REVISIONS}::test_a_meeting_without_a_time_cannot_be_cancelled",
    ),
    Bug(
        "a calendar that cancels keeps the slot",
        calendar_mail._cancel,
        "None, None",
        "found.meeting.start_time, None",
        f"{_REVISIONS}::test_a_cancellation_takes_the_time_away",
    ),
    Bug(
        "a start between two seconds is moved",
        calendar_answer.moved_times,
        "whole_seconds(meeting.start_time) == start",
        "meeting.start_time == start",
        f"{_REVISIONS}::test_a_start_between_two_seconds_is_not_moved_to_the_second",
    ),
    Bug(
        "an end between two seconds is moved",
        calendar_answer.moved_times,
        "whole_seconds(meeting.end_time) == end",
        "meeting.end_time == end",
        f"{_REVISIONS}::test_an_end_between_two_seconds_stays",
    ),
    Bug(
        "an open end becomes an hour",
        calendar_answer.moved_times,
        "end == whole_seconds(default_end(start))",
        "False",
        f"{_REVISIONS}::test_an_open_end_stays_open_unless_another_one_is_given",
    ),
    # -- the bucket
    Bug(
        "a bad mail stops the next one",
        inbound.handle,
        "except Exception as error:",
        "except ZeroDivisionError as error:",
        f"{_FAULTS}::test_a_bucket_that_fails_at_one_mail_stops_no_other",
    ),
    Bug(
        "a mail that was handled stays",
        inbound._take_or_set_aside,
        "    inbox.delete(bucket, key)\n",
        "",
        f"{_FAULTS}::test_a_mail_that_is_handed_over_after_it_was_handled_is_nothing_new",
    ),
    Bug(
        "a mail that cannot be deleted is a failure",
        inbox.delete,
        "except (BotoCoreError, ClientError) as error:",
        "except ZeroDivisionError as error:",
        f"{_FAULTS}::test_a_mail_that_cannot_be_deleted_was_handled_all_the_same",
    ),
    Bug(
        "a mail that is gone is a failure",
        inbox.fetch,
        "except client().exceptions.NoSuchKey:",
        "except ZeroDivisionError:",
        f"{_FAULTS}::test_a_mail_that_is_handed_over_after_it_was_handled_is_nothing_new",
    ),
)
