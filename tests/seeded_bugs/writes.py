"""Bugs in what is written and sent: the store, the delivery of events, the catalog."""

from __future__ import annotations

from governance.domain import notifications as notification_rules
from governance.events import delivery, planning
from governance.store import (
    board_lists,
    documents,
    events,
    guards,
    invites,
    meetings,
    partitions,
    payloads,
    slots,
    table,
)
from governance.usecases import boards as board_usecases
from governance.usecases import cleanup, guests
from infra.catalog import publish
from tests.seeded_bugs.bug import Bug

_PAIR = "tests/interleavings/test_pairs.py::test_concurrent_writes_have_the_effect_of_one_after_the_other"

BUGS = (
    Bug(
        "a deletion gives up as soon as any write",
        table.transact,
        "max(_CONFLICT_ATTEMPTS, len(writes))",
        "_CONFLICT_ATTEMPTS",
        "tests/store/test_contention.py",
    ),
    Bug(
        "a payload is shown with another version of its resource",
        payloads.text_of,
        "if item is None or item[_VERSION] != version:",
        "if item is None:",
        "tests/store/test_payloads.py",
    ),
    Bug(
        "a new title writes the whole payload again",
        payloads.write,
        "if before == after:",
        "if after == 0:",
        "tests/store/test_payloads.py",
    ),
    Bug(
        "a change of a board lists it again for a member who has left",
        board_lists.move,
        "_move(key, board, EXISTS)",
        "_move(key, board, None)",
        "tests/functions/boards/test_board_list.py",
    ),
    Bug(
        "a board that was read earlier moves back in lists",
        board_lists._is_outdated,
        "< position(",
        "!= position(",
        "tests/functions/boards/test_board_list.py",
    ),
    Bug(
        "a deleted board leaves a gap in a page",
        board_usecases.list_boards,
        "while listed.more and len(found) <= query.limit:",
        "while False:",
        "tests/functions/boards/test_board_list.py",
    ),
    Bug(
        "a page of documents reads any number of meetings",
        documents._fitting,
        "return number",
        "continue",
        "tests/functions/documents/test_paging.py",
    ),
    Bug(
        "a task's assignment reads every member",
        notification_rules.named_users,
        "return [user_id for user_id in _named(rule.recipients, event) if user_id is not None]",
        "return None",
        "tests/contract/test_scale.py",
    ),
    Bug(
        "each link of a document is a copy of it",
        documents._link,
        "make_item(key, {}, ",
        "make_item(key, document.item(), ",
        "tests/store/test_write_units.py",
    ),
    Bug(
        "a document that moves to a committee while its link is read is listed",
        documents._linked_to,
        "        raise StaleRead\n",
        "        pass\n",
        "tests/functions/documents/test_paging.py",
    ),
    Bug(
        "a full partition is retried",
        table._raise_failed_condition,
        "    if failures.is_full(error):\n",
        "    if False:\n",
        "tests/store/test_partitions.py",
    ),
    Bug(
        "nobody learns of a partition of 8 GB",
        partitions.watch,
        "_, estimate = written",
        "estimate, _ = written",
        "tests/store/test_partitions.py",
    ),
    Bug(
        "the feed ends with a month",
        events.list_page,
        'for month in months(max(above, after or ""), below)',
        'for month in months(max(above, after or ""), below)[:1]',
        "tests/functions/audit/test_months.py",
    ),
    Bug(
        "the audit log reads its months one after the other",
        table.iter_ranges,
        "started = [run_async(partial(next, reader)) for reader in readers[1:]]",
        "started = [_completed(partial(next, reader)) for reader in readers[1:]]",
        "tests/functions/audit/test_months.py",
    ),
    Bug(
        "all writes of a board check the same guard row",
        guards.Guards.check,
        "random.randrange(self.rows)",
        "0",
        "tests/store/test_contention.py",
    ),
    Bug(
        "the deletion of a board leaves guard rows open",
        guards.Guards.change,
        "for row in range(self.rows)\n        ]",
        "for row in range(self.rows // 2)\n        ]",
        "tests/interleavings/test_deleted_board.py",
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
        "a guest's view holds what members' writes need",
        guests._record_view,
        "return [*view, *event]",
        "return [boards.check_exists(meeting.board_id), *view, *event]",
        "tests/functions/guests",
    ),
    Bug(
        "a meeting is replaced without a check of its version",
        meetings.replace,
        "Put(_item(new), equals(version=old.version)), *changed]",
        "Put(_item(new)), *changed]",
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
        "            ABSENT,\n            _already_proposed,\n",
        "",
        "tests/functions/slots/test_proposing.py",
    ),
    Bug(
        "every attempt of a transaction has its own client token",
        table.transact,
        '            answer = _raw_call("transact_write_items", **request)\n',
        '            request["ClientRequestToken"] = secrets.token_hex(16)\n'
        '            answer = _raw_call("transact_write_items", **request)\n',
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
        "queue: who has left the board is told by a late message",
        delivery.DeliveryContext.may_tell,
        "        return self.rule.recipients in _OUTSIDERS or self._member_key(user_id) in items\n",
        "        return True\n",
        "tests/events/test_queue.py",
    ),
    Bug(
        "queue: a plan that fails keeps the others from their messages",
        planning.plan_event,
        "        delivery_queue.send(messages)\n",
        "",
        "tests/events/test_queue.py",
    ),
    Bug(
        "a cleanup believes an event that says that something was deleted",
        cleanup._is_gone,
        'return item is None or item["id"] != id_of(event)',
        "return item is None or bool(id_of(event))",
        "tests/usecases/test_cleanup.py",
    ),
    Bug(
        "a cleanup believes an event that says that a webhook was deleted",
        cleanup._is_webhook_gone,
        'return event.refs["webhookId"] not in [',
        'return event.refs["webhookId"] in [',
        "tests/usecases/test_cleanup.py",
    ),
    Bug(
        "a cleanup believes an event that says that guests' votes were discarded",
        cleanup._discard_votes,
        "    if until is None:\n        return True\n",
        "    until = until or event.created_at\n",
        "tests/usecases/test_cleanup.py",
    ),
    Bug(
        "queue: a cleanup deletes an item before what only the item names",
        cleanup._delete_rows,
        "        delete_all(dict.fromkeys(key for item in page for key in elsewhere(item)))\n"
        "        delete_all(map(key_of, page))\n",
        "        delete_all(map(key_of, page))\n"
        "        delete_all(dict.fromkeys(key for item in page for key in elsewhere(item)))\n",
        "tests/usecases/test_cleanup.py",
    ),
    Bug(
        "the catalog's pointer moves before all files are uploaded",
        publish.publish,
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n",
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n    pointer.move(after)\n",
        "tests/catalog/test_publish.py",
    ),
    Bug(
        "a transaction deletes more items than the store takes",
        table.delete_all,
        "islice(remaining, _BATCH)",
        "islice(remaining, 2 * _BATCH)",
        "tests/operator/test_purge.py",
    ),
)
