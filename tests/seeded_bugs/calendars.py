"""Bugs in calendars: feeds, their texts and zones, invitations by mail, attendance."""

from __future__ import annotations

from governance.calendars import writer
from governance.domain import calendar, calendar_feed, invitation, meeting, rsvp, timezones
from governance.domain import slot as slot_rules
from governance.events import invitations, planning
from governance.http import calendar as http_calendar
from governance.store import calendars, meetings
from governance.store import rsvps as stored_rsvps
from governance.usecases import calendar_content, calendar_feeds, rsvps
from tests.seeded_bugs.bug import Bug

_FEEDS = "tests/calendar/test_feeds.py"
_STAMPS = "tests/calendar/test_stamps.py"
_TIMES = "tests/calendar/test_times.py"
_WRITER = "tests/calendar/test_writer.py"
_MAILED = "tests/calendar/test_invitations.py"
_RSVPS = "tests/functions/rsvps/test_rsvps.py"

_FEED_BUGS = (
    Bug(
        "a suspended user's feed goes on",
        calendar_feed.opens,
        'or user.status != "active"',
        "",
        f"{_FEEDS}::test_every_address_that_opens_nothing_gets_one_404",
    ),
    Bug(
        "a feed of a board outlives the membership",
        calendar_content._visible_boards,
        "if board is not None and member is not None:",
        "if board is not None:",
        f"{_FEEDS}::test_a_board_disappears_with_the_membership",
    ),
    Bug(
        "a feed's tag ignores what changed on its boards",
        calendar_feed.entity_tag,
        'f"{board}={stamp}"',
        'f"{board}"',
        f"{_FEEDS}::test_an_unchanged_feed_is_a_304_and_a_changed_one_is_not",
    ),
    Bug(
        "a feed's tag lasts longer than a day",
        calendar_feed.entity_tag,
        "now[:10] if is_settled else now, ",
        '"" if is_settled else now, ',
        f"{_FEEDS}::test_a_tag_lasts_until_midnight",
    ),
    Bug(
        "a feed that was read beside a change keeps its tag",
        calendar_feed.entity_tag,
        "now[:10] if is_settled else now, ",
        "now[:10], ",
        f"{_FEEDS}::test_a_change_that_is_delivered_while_a_feed_is_read_is_in_the_next_one",
    ),
    Bug(
        "an unchanged feed is read again at every poll",
        calendar_feed.entity_tag,
        "now[:10] if is_settled else now, ",
        "now, ",
        f"{_FEEDS}::test_an_unchanged_feed_is_a_304_and_a_changed_one_is_not",
    ),
    Bug(
        "a poll of an unchanged feed reads the meetings",
        calendar_content.read_feed,
        "started = {} if if_none_match else",
        "started = {} if False else",
        f"{_FEEDS}::test_a_thousand_events_take_two_round_trips_and_64_kilobytes",
    ),
    Bug(
        "slots of others' drafts are in everyone's feed",
        meetings.visible_by_ids,
        "if can_see_meeting(user_id, meeting)",
        "",
        f"{_FEEDS}::test_slots_of_a_draft_are_for_its_creator",
    ),
    Bug(
        "a draft is shown as if it were settled",
        calendar.meeting_event,
        '"TENTATIVE" if meeting.status == "draft" else "CONFIRMED"',
        '"CONFIRMED"',
        f"{_FEEDS}::test_drafts_are_in_their_creators_feed_only_and_tentative",
    ),
    Bug(
        "slots stay in the feed once one is booked",
        calendar.board_events,
        "about is not None and collects_votes(about)",
        "about is not None",
        f"{_FEEDS}::test_open_slots_are_tentative_events_until_one_is_booked",
    ),
    Bug(
        "a feed shows what is long over",
        calendar.board_events,
        "event is not None and event.start >= first",
        "event is not None",
        f"{_FEEDS}::test_slots_of_a_meeting_that_started_long_ago_are_found",
    ),
    Bug(
        "the oldest events of a full feed are kept",
        calendar.newest,
        "[-FEED_EVENTS:]",
        "[:FEED_EVENTS]",
        f"{_WRITER}::test_the_newest_events_are_kept_in_the_order_of_their_start",
    ),
    Bug(
        "a revoked feed still counts",
        calendars.delete_feed,
        '{":less": -1}',
        '{":less": 0}',
        f"{_FEEDS}::test_a_user_has_twenty_feeds_at_most",
    ),
    Bug(
        "a feed's address is in the repeat of its creation",
        calendar_feeds.create_calendar_feed,
        "replay=_to_resource(feed, None)",
        "replay=_to_resource(feed, url)",
        f"{_FEEDS}::test_an_address_is_shown_once_and_only_its_hash_is_kept",
    ),
    Bug(
        "a feed may be made of a board of others",
        calendar_feeds.create_calendar_feed,
        "body.board_id is not None and body.board_id not in own",
        "False",
        f"{_FEEDS}::test_a_feed_is_of_a_board_of_the_caller",
    ),
    Bug(
        "feeds may be kept by shared caches",
        http_calendar._answer,
        "private, max-age",
        "public, max-age",
        f"{_FEEDS}::test_an_event_says_what_the_meeting_is",
    ),
    Bug(
        "requests for feeds are not counted",
        http_calendar._feed,
        "    charge.spend()\n",
        "",
        f"{_FEEDS}::test_requests_for_feeds_are_counted_by_address",
    ),
    Bug(
        "a deleted meeting leaves the board's stamp",
        calendar,
        "Event.MEETING_STATUS_CHANGED, Event.MEETING_DELETED),\n",
        "Event.MEETING_STATUS_CHANGED),\n",
        f"{_STAMPS}::test_what_a_calendar_shows_renews_the_stamp[deleted]",
    ),
    Bug(
        "a new status leaves the board's stamp",
        calendar,
        "Event.MEETING_UPDATED, Event.MEETING_STATUS_CHANGED, ",
        "Event.MEETING_UPDATED, ",
        f"{_STAMPS}::test_an_opened_draft_renews_the_stamp",
    ),
    Bug(
        "a removed slot leaves the board's stamp",
        calendar,
        "*(Event.SLOT_PROPOSED, Event.SLOT_REMOVED),",
        "Event.SLOT_PROPOSED,",
        f"{_STAMPS}::test_what_a_calendar_shows_renews_the_stamp[slot removed]",
    ),
    Bug(
        "a meeting that a calendar moves leaves the board's stamp",
        calendar,
        "*(Event.MEETING_MOVED_BY_CALENDAR, Event.MEETING_CANCELLED_BY_CALENDAR),",
        "Event.MEETING_CANCELLED_BY_CALENDAR,",
        f"{_STAMPS}::test_what_a_calendar_shows_renews_the_stamp[moved by a calendar]",
    ),
    Bug(
        "a new place raises no SEQUENCE",
        meeting,
        '"location_type", "location", "virtual_meeting_url"',
        '"location_type", "virtual_meeting_url"',
        f"{_FEEDS}::test_the_sequence_rises_with_time_place_and_status_and_with_nothing_else",
    ),
    Bug(
        "booking a slot raises no SEQUENCE",
        slot_rules.booked,
        "return revised(meeting, meeting.model_copy(update=change))",
        "return meeting.model_copy(update=change)",
        f"{_FEEDS}::test_the_sequence_rises_with_time_place_and_status_and_with_nothing_else",
    ),
)
_TEXT_BUGS = (
    Bug(
        "a repeated hour is written in local time",
        writer._local_times,
        "if _is_repeated(local_start) or _is_repeated(local_end) else",
        "if False else",
        f"{_TIMES}::test_the_defined_zone_gives_every_time_its_instant[Europe/Paris]",
    ),
    Bug(
        "a zone is defined for the year of the start only",
        writer._event,
        "update((start.year, end.year))",
        "add(start.year)",
        f"{_WRITER}::test_a_zone_is_defined_for_the_year_of_the_end_too",
    ),
    Bug(
        "an onset is written in the local time after it",
        timezones._onset,
        "local=(moment + offset_before).replace",
        "local=local.replace",
        f"{_WRITER}::test_an_onset_is_written_in_the_local_time_before_it",
    ),
    Bug(
        "only the first change of a zone is found",
        timezones._changes,
        "day, state = next_day, next_state",
        "day = next_day",
        f"{_WRITER}::test_an_onset_is_written_in_the_local_time_before_it",
    ),
    Bug(
        "line separators stay in a calendar's text",
        writer,
        "\\u2028\\u2029",
        "",
        f"{_WRITER}::test_a_character_that_ends_a_line_for_some_readers_is_a_space",
    ),
    Bug(
        "a name breaks out of its parameter",
        writer._parameter,
        ".replace('\"', \"'\")",
        "",
        f"{_WRITER}::test_a_name_stays_inside_its_parameter",
    ),
)
_INVITATION_BUGS = (
    Bug(
        "everyone is invited, wanted or not",
        calendars.invited,
        "if settings_of(items.get(key)).invitations",
        "",
        f"{_MAILED}::test_who_does_not_want_invitations_is_not_planned_for",
    ),
    Bug(
        "who switched invitations off is still mailed",
        invitations._claim,
        " or not calendars.settings_of(wanted).invitations",
        "",
        f"{_MAILED}::test_one_who_switches_invitations_off_gets_none_that_was_planned",
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
        f"{_MAILED}::test_a_cancellation_that_follows_the_cleanup_of_the_board_has_a_higher_number_too",
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
        f"{_MAILED}::test_who_loses_the_board_has_its_coming_meetings_cancelled[left]",
    ),
    Bug(
        "a deleted board's meetings stay in calendars",
        invitations.plan_withdrawals,
        "elif event.type is Event.BOARD_DELETED:",
        "elif False:",
        f"{_MAILED}::test_who_loses_the_board_has_its_coming_meetings_cancelled[deleted]",
    ),
    Bug(
        "who leaves one board loses the meetings of all",
        invitations.withdraw_invitations,
        'invitation.board_id == body["boardId"] and ',
        "",
        f"{_MAILED}::test_a_withdrawal_names_coming_meetings_of_its_board_only",
    ),
    Bug(
        "past meetings are cancelled with the membership",
        invitation.is_withdrawn,
        " and last.event.start > now",
        "",
        f"{_MAILED}::test_who_loses_the_board_has_its_coming_meetings_cancelled[left]",
    ),
    Bug(
        "one who left is invited",
        invitations._claim,
        "if board is None or member is None:",
        "if board is None:",
        f"{_MAILED}::test_a_cancellation_says_nothing_that_came_after",
    ),
    Bug(
        "the members of a deleted board are read after its cleanup began",
        planning._plan_cleanup,
        "    yield from plan_withdrawals(event)\n",
        "    yield from (_cleanup_message(event),)\n    yield from plan_withdrawals(event)\n",
        f"{_MAILED}::test_no_cleanup_of_a_board_begins_before_its_invitations_are_withdrawn",
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
        f"{_MAILED}::test_an_invitation_over_the_hourly_quota_waits_and_is_not_lost",
    ),
    Bug(
        "an invitation that was refused counts as mailed",
        invitations._mail,
        "transact([*invitations.take_back(due.old, due.new, now()), *(slot.release for slot in due.slots)])",
        "pass",
        f"{_MAILED}::test_a_refused_invitation_is_mailed_later",
    ),
    Bug(
        "an invitation whose answer was lost is mailed again",
        invitations._mail,
        "return  # it may have been mailed: never twice",
        "transact(invitations.take_back(due.old, due.new, now()))",
        f"{_MAILED}::test_an_invitation_whose_answer_was_lost_is_not_mailed_again",
    ),
)
_ATTENDANCE_BUGS = (
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
BUGS = (*_FEED_BUGS, *_TEXT_BUGS, *_INVITATION_BUGS, *_ATTENDANCE_BUGS)
