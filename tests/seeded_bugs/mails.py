"""Bugs in mails: each is sent at most once, and not too many of them."""

from __future__ import annotations

from governance.mail import rendering
from governance.store import (
    notifications,
)
from governance.usecases.invites import invite_emails
from tests.seeded_bugs.bug import Bug

BUGS = (
    Bug(
        "an e-mail is sent although another delivery claimed it",
        notifications.claim_mail,
        'free = Condition("#m = :due OR #c = :claim", {}, {":due": "due"})',
        'free = Condition("#m = :due OR #c = :claim OR attribute_exists(#m)", {}, {":due": "due"})',
        "tests/deliveries/test_email_quotas.py::test_a_mail_is_claimed_once",
    ),
    Bug(
        "a tag makes another recipient of invitation e-mails",
        invite_emails.send_invite,
        "quotas.usage_of(MAILS_TO_RECIPIENT, counted_address(invite.invitee_email), context.loaded)",
        "quotas.usage_of(MAILS_TO_RECIPIENT, invite.invitee_email, context.loaded)",
        "tests/functions/invites/test_email_quotas.py",
    ),
    Bug(
        "a subject holds a URL",
        rendering.render_email,
        "line = without_links(one_line(subject))",
        "line = one_line(subject)",
        "tests/deliveries/test_notification_emails.py",
    ),
)
