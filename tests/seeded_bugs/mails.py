"""Bugs in mails: each is sent at most once, and not too many of them."""

from __future__ import annotations

from governance.events import email_delivery, notification_emails
from governance.mail import rendering
from governance.store import (
    notifications,
)
from governance.usecases import invite_emails
from tests.seeded_bugs.bug import Bug

BUGS = (
    Bug(
        "an e-mail is sent although another delivery claimed it",
        notifications.claim_mail,
        'free = Condition("#m = :due OR #c = :claim", {}, {":due": "due"})',
        'free = Condition("#m = :due OR #c = :claim OR attribute_exists(#m)", {}, {":due": "due"})',
        "tests/events/test_email_quotas.py::test_a_mail_is_claimed_once",
    ),
    Bug(
        "an e-mail is claimed after it was sent",
        notification_emails.send_once,
        "    claim = retry_stale_reads(lambda: _claim(email))\n",
        "    send(email.content)\n    claim = retry_stale_reads(lambda: _claim(email))\n    return\n",
        "tests/events/test_crashes.py",
    ),
    Bug(
        "queue: an e-mail that the mail service throttles is dropped",
        email_delivery.send_due_emails,
        "            return _handed_back(announcement, remaining, errors, throttled)\n",
        "            return _handed_back(announcement, remaining[1:], errors, throttled)\n",
        "tests/events/test_queue.py",
    ),
    Bug(
        "a refused notification e-mail stays claimed",
        notification_emails.EmailClaim.release,
        "            transact([notifications.release_mail(self.notification, self.mark), *slots])\n",
        "            transact(slots)\n",
        "tests/events",
    ),
    Bug(
        "a refused notification e-mail counts for its recipient's quotas",
        notification_emails.EmailClaim.release,
        "            transact([notifications.release_mail(self.notification, self.mark), *slots])\n",
        "            transact([notifications.release_mail(self.notification, self.mark)])\n",
        "tests/events/test_email_quotas.py",
    ),
    Bug(
        "a notification e-mail takes no slot of its recipient's quotas",
        notification_emails.EmailClaim.take,
        "self.mark), *slots])",
        "self.mark)])",
        "tests/events/test_email_quotas.py",
    ),
    Bug(
        "a notification e-mail over a quota stays due",
        notification_emails._claim,
        "        transact([notifications.throttle_mail(notification)])\n",
        "",
        "tests/events/test_email_quotas.py",
    ),
    Bug(
        "a notification e-mail is repeated for the same object",
        notification_emails._quota_keys,
        "        (SAME_NOTIFICATION_MAILS, quotas.key(SAME_NOTIFICATION_MAILS, recipient, about)),\n",
        "",
        "tests/events/test_email_quotas.py",
    ),
    Bug(
        "a throttled notification e-mail brings a deleted notification back",
        notifications.throttle_mail,
        "if not notification.in_app:",
        "if True:",
        "tests/events/test_email_quotas.py",
    ),
    Bug(
        "a tag makes another recipient of invitation e-mails",
        invite_emails.send_invite,
        "quotas.usage_of(MAILS_TO_RECIPIENT, counted_address(invite.invitee_email), context.loaded)",
        "quotas.usage_of(MAILS_TO_RECIPIENT, invite.invitee_email, context.loaded)",
        "tests/functions/invites/test_emails.py",
    ),
    Bug(
        "a tag makes another recipient of notification e-mails",
        notification_emails._quota_keys,
        "recipient = counted_address(email.content.recipient)",
        "recipient = email.content.recipient",
        "tests/events/test_email_quotas.py",
    ),
    Bug(
        "a subject holds a URL",
        rendering.render_email,
        "line = without_links(one_line(subject))",
        "line = one_line(subject)",
        "tests/events/test_delivery.py",
    ),
)
