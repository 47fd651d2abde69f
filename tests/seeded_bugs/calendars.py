"""Bugs in calendar feeds, their texts and zones, and in calendar settings."""

from __future__ import annotations

from governance.calendars import writer
from governance.domain import calendar, calendar_feed, meeting, timezones
from governance.domain import slot as slot_rules
from governance.http import calendar as http_calendar
from governance.store import calendars, meetings, slots
from governance.usecases import calendar_content, calendar_feeds
from tests.seeded_bugs.bug import Bug

_FEEDS = "tests/calendar/test_feeds.py"
_POLLS = "tests/calendar/test_polls.py"
_STAMPS = "tests/calendar/test_stamps.py"
_TIMES = "tests/calendar/test_times.py"
_WRITER = "tests/calendar/test_writer.py"
_MAILED = "tests/calendar/test_invitations.py"

BUGS = (
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
        f"{_POLLS}::test_an_unchanged_feed_is_a_304_and_a_changed_one_is_not",
    ),
    Bug(
        "a feed's tag lasts longer than a day",
        calendar_feed._day,
        "now[:10]",
        "now[:4]",
        f"{_POLLS}::test_a_tag_lasts_until_midnight",
    ),
    Bug(
        "a feed that was read beside a change keeps its tag",
        calendar_feed.entity_tag,
        '_day(now) if is_settled else ""',
        "_day(now)",
        f"{_POLLS}::test_a_change_that_is_delivered_while_a_feed_is_read_is_in_the_next_one",
    ),
    Bug(
        "an unchanged feed is read again at every poll",
        calendar_feed.entity_tag,
        '_day(now) if is_settled else ""',
        '""',
        f"{_POLLS}::test_an_unchanged_feed_is_a_304_and_a_changed_one_is_not",
    ),
    Bug(
        "a poll of an unchanged feed reads the meetings",
        calendar_content.read_feed,
        "started = {} if is_known else",
        "started = {} if False else",
        f"{_POLLS}::test_a_thousand_events_take_two_round_trips_and_64_kilobytes",
    ),
    Bug(
        "a feed whose tag is outdated takes a third round trip",
        calendar_feed.may_be_current,
        'any(tag.removeprefix("W/").startswith(f\'"{_day(now)}\') for tag in named.tags)',
        "True",
        f"{_POLLS}::test_a_tag_that_shows_that_it_is_outdated_costs_no_round_trip",
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
        "the newest slots of a board are not read",
        slots.list_open,
        "rows, descending=True",
        "rows",
        f"{_FEEDS}::test_a_full_feed_keeps_the_newest_slots",
    ),
    Bug(
        "a feed of many boards shows an equal share of each",
        calendar_content._Content.may_miss,
        "read[-1] >= earliest",
        "read[-1] < earliest",
        f"{_FEEDS}::test_a_feed_of_many_boards_shows_the_newest_of_all",
    ),
    Bug(
        "a feed of many boards reads all meetings of each",
        calendar_content._start_all,
        "min(FEED_EVENTS, max(_LEAST_ROWS, 2 * FEED_EVENTS // max(1, len(board_ids))))",
        "FEED_EVENTS",
        f"{_FEEDS}::test_a_feed_of_many_boards_reads_few_rows_of_each",
    ),
    Bug(
        "an event may end when it starts",
        writer._local_times,
        "max(event.end, shift(event.start, seconds=1))",
        "event.end",
        f"{_WRITER}::test_an_event_within_one_second_ends_after_it_starts",
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
    Bug(
        "everyone is invited, wanted or not",
        calendars.invited,
        "if settings_of(items.get(key)).invitations",
        "",
        f"{_MAILED}::test_who_does_not_want_invitations_is_not_planned_for",
    ),
)
