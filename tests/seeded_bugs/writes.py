"""Bugs in what is written and sent: the store, the delivery of events, the catalog."""

from __future__ import annotations

from governance.events import notification_emails
from governance.mail import rendering
from governance.store import invites, meetings, notifications, slots, table
from governance.usecases import invite_emails
from infra.catalog import publish
from tests.seeded_bugs.bug import Bug

_PAIR = "tests/interleavings/test_pairs.py::test_concurrent_writes_have_the_effect_of_one_after_the_other"

BUGS = (
    Bug(
        "a meeting is replaced without a check of its version",
        meetings.replace,
        "return Put(_item(new), equals(version=old.version))",
        "return Put(_item(new))",
        "tests/http/test_faults.py",
    ),
    Bug(
        "an invite can be closed twice",
        invites.close,
        "Delete(_pending_key(old), _as_read(old)),",
        "Delete(_pending_key(old)),",
        f"{_PAIR}[accept_retract]",
    ),
    Bug(
        "two slots can start at the same instant",
        slots.create,
        "Put(make_item(_key(slot), slot.item()), ABSENT, _already_proposed)",
        "Put(make_item(_key(slot), slot.item()))",
        "tests/functions/slots/test_proposing.py",
    ),
    Bug(
        "every attempt of a transaction has its own client token",
        table.transact,
        '            _raw_call("transact_write_items", **request)\n            return',
        '            request["ClientRequestToken"] = secrets.token_hex(16)\n'
        '            _raw_call("transact_write_items", **request)\n            return',
        "tests/http/test_faults.py",
    ),
    Bug(
        "unprocessed keys of a batch are treated as absent",
        table._read_batch,
        '        wanted = answer.get("UnprocessedKeys", {}).get(name, {}).get("Keys", [])\n',
        "        wanted = []\n",
        "tests/http/test_faults.py",
    ),
    Bug(
        "an empty page is treated as the last page",
        table._pages,
        'if "LastEvaluatedKey" not in answer:',
        'if not answer.get("Items"):',
        "tests/faults/test_every_call.py::test_a_read_responds_the_same_or_with_503",
    ),
    Bug(
        "an e-mail is sent although another delivery claimed it",
        notifications.claim_mail,
        'free = Condition("#m = :due OR #c = :claim", {}, {":due": "due"})',
        'free = Condition("#m = :due OR #c = :claim OR attribute_exists(#m)", {}, {":due": "due"})',
        "tests/interleavings/test_deliveries.py::test_two_deliveries_of_one_event_notify_and_mail_once",
    ),
    Bug(
        "an e-mail is claimed after it was sent",
        notification_emails.send_once,
        "    claim = retry_stale_reads(lambda: _claim(email))\n",
        "    send(email.content)\n    claim = retry_stale_reads(lambda: _claim(email))\n    return\n",
        "tests/events/test_crashes.py",
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
        "tests/functions/invites/test_mails.py",
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
    Bug(
        "the catalog's pointer moves before all files are uploaded",
        publish.publish,
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n",
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n    pointer.move(after)\n",
        "tests/catalog/test_publish.py",
    ),
)
