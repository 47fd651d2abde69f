"""Bugs in what is written and sent: the store, the delivery of events, the catalog."""

from __future__ import annotations

from governance.events import delivery
from governance.store import invites, meetings, notifications, slots, table
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
        delivery._send_email,
        "        transact([notifications.claim_mail(notification, claim)])\n"
        "        send_notification_email("
        "recipient.user, sentence(notification, context.actor), notification, context.board)\n",
        "        send_notification_email("
        "recipient.user, sentence(notification, context.actor), notification, context.board)\n"
        "        transact([notifications.claim_mail(notification, claim)])\n",
        "tests/events/test_crashes.py",
    ),
    Bug(
        "a refused notification e-mail stays claimed",
        delivery._send_email,
        "            transact([notifications.release_mail(notification, claim)])\n",
        "            pass\n",
        "tests/events",
    ),
    Bug(
        "the catalog's pointer moves before all files are uploaded",
        publish.publish,
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n",
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n    pointer.move(after)\n",
        "tests/catalog/test_publish.py",
    ),
)
