"""Bugs in what is recorded as an event, who hears of it, and how many mails that makes."""

from __future__ import annotations

from governance.deliveries import notification_emails, notifications
from tests.seeded_bugs.bug import Bug

BUGS = (
    Bug(
        "a removed member learns the later name of the board by a late delivery",
        notifications.read_context,
        'event.delivery_data.get("boardName", board["name"])',
        'board["name"]',
        "tests/deliveries/test_notifications.py::test_who_was_removed_learns_no_name_of_later_by_a_late_delivery",
    ),
    Bug(
        "a recipient gets any number of notification e-mails an hour",
        notification_emails._quota_keys,
        "        (NOTIFICATION_MAILS_HOURLY, quotas.key(NOTIFICATION_MAILS_HOURLY, recipient)),\n",
        "",
        "tests/deliveries/test_email_quotas.py::test_a_user_gets_twenty_mails_an_hour_and_all_of_the_notifications",
    ),
)
