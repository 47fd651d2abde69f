"""Bugs in what is written and sent: the store, the delivery of events, the catalog."""

from __future__ import annotations

from governance.deliveries import notifications
from governance.store import transactions
from governance.store.documents import documents
from governance.store.invites import invites
from governance.store.meetings import meetings, slots
from tests.seeded_bugs.bug import Bug

_PAIR = "tests/interleavings/test_pairs.py::test_concurrent_writes_have_the_effect_of_one_after_the_other"

BUGS = (
    Bug(
        "a document that changes while its link is read is missing from the list",
        documents._linked_to,
        "    if torn:\n",
        "    if False:\n",
        "tests/functions/documents/test_paging.py",
    ),
    Bug(
        "a vote under way does not notice that the meeting was closed",
        meetings.replace,
        "if state != open_state(old) else []",
        "if False else []",
        "tests/interleavings/test_closed_meeting.py",
    ),
    Bug(
        "a slot under way does not notice that the meeting was deleted",
        meetings.delete,
        ", *_guards(meeting).close(now)]",
        "]",
        "tests/interleavings/test_closed_meeting.py",
    ),
    Bug(
        "a vote under way does not notice that the slot was deleted",
        slots.delete,
        "        *_guards(slot).close(now),\n",
        "",
        "tests/interleavings/test_closed_meeting.py",
    ),
    Bug(
        "a meeting is replaced without a check of its version",
        meetings.replace,
        "Put(_item(new), equals(version=old.version)), *changed, *reminders]",
        "Put(_item(new)), *changed, *reminders]",
        "tests/http/test_faults.py",
    ),
    Bug(
        "an invite can be closed twice",
        invites._close,
        "Delete(_pending_key(old), _as_read(old)),",
        "Delete(_pending_key(old)),",
        f"{_PAIR}[accept_retract]",
    ),
    Bug(
        "two slots can start at the same instant",
        slots.create,
        "            ABSENT,\n            _already_proposed,\n",
        "",
        "tests/functions/slots/test_proposing.py",
    ),
    Bug(
        "every attempt of a transaction has its own client token",
        transactions._transact,
        '            answer = dynamodb.raw_call("transact_write_items", **request)\n',
        '            request["ClientRequestToken"] = secrets.token_hex(16)\n'
        '            answer = dynamodb.raw_call("transact_write_items", **request)\n',
        "tests/http/test_faults.py",
    ),
    Bug(
        "queue: who has left the board is told by a late message",
        notifications.DeliveryContext.may_tell,
        "        return self.rule.recipients in _OUTSIDERS or self._member_key(user_id) in items\n",
        "        return True\n",
        "tests/deliveries/test_queue.py",
    ),
)
