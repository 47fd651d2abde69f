"""Bugs in what is recorded as an event, who hears of it, and how many mails that makes."""

from __future__ import annotations

from governance.domain import notifications as notification_rules
from governance.events import delivery, invitations, notification_emails
from governance.usecases import committees, guests, members, slots
from tests.seeded_bugs.bug import Bug

_GUESTS = "tests/functions/guests/test_guests.py"

BUGS = (
    Bug(
        "a new committee is no event",
        committees.create_committee,
        "*committees.create(committee), *seats, *event]",
        "*committees.create(committee), *seats]",
        "tests/functions/committees/test_committees.py::test_a_change_of_seats_is_an_event_and_an_audit_entry_for_each_member",
    ),
    Bug(
        "a changed committee is no event",
        committees.update_committee,
        "committees.replace(old, new), *seats, *event]",
        "committees.replace(old, new), *seats]",
        "tests/functions/committees/test_committees.py::test_a_change_of_seats_is_an_event_and_an_audit_entry_for_each_member",
    ),
    Bug(
        "an opened guest link is no event",
        guests.open_link,
        "        *_record_event(context, Event.GUEST_LINK_OPENED, meeting),\n",
        "",
        f"{_GUESTS}::test_opening_and_closing_a_link_are_events_that_hide_like_their_meeting",
    ),
    Bug(
        "a closed guest link is no event",
        guests.close_link,
        "*change, closed, *event])",
        "*change, closed])",
        f"{_GUESTS}::test_opening_and_closing_a_link_are_events_that_hide_like_their_meeting",
    ),
    Bug(
        "a removed admin leaves tokens behind without a hint",
        notification_rules.ends_administration,
        "return event.type in (Event.MEMBER_REMOVED, Event.MEMBER_LEFT)",
        "return False",
        "tests/events/test_announcements.py::test_the_owner_hears_of_the_tokens_that_a_former_admin_leaves",
    ),
    Bug(
        "a demotion is not recorded as one",
        members.update_member,
        'old.admin_role == "admin" and new.admin_role == "member"',
        'old.admin_role == "owner" and new.admin_role == "member"',
        "tests/events/test_announcements.py::test_the_owner_hears_of_the_tokens_that_a_former_admin_leaves",
    ),
    Bug(
        "a removed member learns the later name of the board by a late delivery",
        delivery.read_context,
        'event.data.get("boardName", board["name"])',
        'board["name"]',
        "tests/events/test_delivery.py::test_who_was_removed_learns_no_name_of_later_by_a_late_delivery",
    ),
    Bug(
        "the audit log names what a request says of a member, changed or not",
        members.update_member,
        "fields = changed_fields(old, new)",
        "fields = sorted(Membership.model_fields[name].alias or name for name in body.changes())",
        "tests/functions/boards/test_members.py::test_the_audit_log_names_what_changed_of_a_member",
    ),
    Bug(
        "the audit log names an end that a booking left as it was",
        slots.confirm_slot,
        "changed_fields(old, new)",
        '["startTime", "endTime"]',
        "tests/functions/slots/test_booking.py::test_the_audit_log_names_what_the_booking_changed",
    ),
    Bug(
        "a recipient gets any number of notification e-mails an hour",
        notification_emails._quota_keys,
        "        (NOTIFICATION_MAILS_HOURLY, quotas.key(NOTIFICATION_MAILS_HOURLY, recipient)),\n",
        "",
        "tests/events/test_email_quotas.py::test_twenty_mails_an_hour_and_all_of_the_notifications",
    ),
    Bug(
        "a recipient gets any number of notification e-mails a day",
        notification_emails._quota_keys,
        "        (NOTIFICATION_MAILS_DAILY, quotas.key(NOTIFICATION_MAILS_DAILY, recipient)),\n",
        "",
        "tests/events/test_email_quotas.py::test_a_hundred_mails_a_day",
    ),
    Bug(
        "invitations to calendars count for no quota",
        invitations,
        "_QUOTAS = (NOTIFICATION_MAILS_HOURLY, NOTIFICATION_MAILS_DAILY)",
        "_QUOTAS = ()",
        "tests/calendar/test_mailing_once.py::test_an_invitation_over_the_hourly_quota_waits_and_is_not_lost",
    ),
)
