"""Bugs in calendar feeds, their texts and zones, and in calendar settings."""

from __future__ import annotations

from governance.calendars import writer
from governance.domain.calendars import calendar_feed
from governance.http import calendar as http_calendar
from governance.store.meetings import meetings
from governance.usecases.calendars import calendar_content, calendar_feeds
from tests.seeded_bugs.bug import Bug

_FEEDS = "tests/calendar/test_feeds.py"
_EVENTS = "tests/calendar/test_feed_events.py"
_WRITER = "tests/calendar/test_writer.py"

BUGS = (
    Bug(
        "a suspended user's feed goes on",
        calendar_feed.opens_feed,
        'or user.status != "active"',
        "",
        f"{_FEEDS}::test_every_address_that_opens_nothing_gets_one_404",
    ),
    Bug(
        "a feed of a board outlives the membership",
        calendar_content._visible_boards,
        "if member is not None and (board",
        "if (board",
        f"{_FEEDS}::test_a_board_disappears_with_the_membership",
    ),
    Bug(
        "slots of others' drafts are in everyone's feed",
        meetings.visible_by_ids,
        "if can_see_meeting(user_id, meeting)",
        "",
        f"{_EVENTS}::test_slots_of_a_draft_are_for_its_creator",
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
        f"{_EVENTS}::test_an_event_says_what_the_meeting_is",
    ),
    Bug(
        "a name breaks out of its parameter",
        writer._parameter,
        ".replace('\"', \"'\")",
        "",
        f"{_WRITER}::test_a_name_stays_inside_its_parameter",
    ),
)
