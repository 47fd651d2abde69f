"""Bugs in what is written and sent: the store, the delivery of events, the catalog."""

from __future__ import annotations

from governance.events import notification_emails
from governance.mail import rendering
from governance.store import events, guards, invites, meetings, notifications, partitions, slots, table, users
from governance.usecases import guests, invite_emails, purge
from infra.catalog import publish
from infra.operator import address_removal
from tests.seeded_bugs.bug import Bug

_PAIR = "tests/interleavings/test_pairs.py::test_concurrent_writes_have_the_effect_of_one_after_the_other"
_PURGE = "tests/operator/test_purge.py"

BUGS = (
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
        f"{_PAIR}[vote_close]",
    ),
    Bug(
        "a slot under way does not notice that the meeting was deleted",
        meetings.delete,
        ", *_guards(meeting).close(now)]",
        "]",
        f"{_PAIR}[propose_delete_meeting]",
    ),
    Bug(
        "a vote under way does not notice that the slot was deleted",
        slots.delete,
        "        *_guards(slot).close(now),\n",
        "",
        f"{_PAIR}[vote_delete_slot]",
    ),
    Bug(
        "a guest's view holds what members' writes need",
        guests._record_view,
        "return [view, *event]",
        "return [boards.check_exists(meeting.board_id), view, *event]",
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
        "Put(make_item(_key(slot), slot.item()), ABSENT, _already_proposed)",
        "Put(make_item(_key(slot), slot.item()))",
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
    Bug(
        "the catalog's pointer moves before all files are uploaded",
        publish.publish,
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n",
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n    pointer.move(after)\n",
        "tests/catalog/test_publish.py",
    ),
    Bug(
        "a changed address is not kept for a purge",
        users.replace,
        "_put_email(new), _put_former_email(old)]",
        "_put_email(new)]",
        _PURGE,
    ),
    Bug(
        "a purge removes an address that another user has",
        purge.addresses_to_remove,
        " if not users.user_ids_by_email(address))",
        ")",
        _PURGE,
    ),
    Bug(
        "an interrupted purge counts as finished",
        purge._begin,
        "return purges.find(user_id)",
        "return None",
        _PURGE,
    ),
    Bug(
        "a repeated purge records a board again",
        purge.record,
        "if board.id > progress.recorded_to]",
        "]",
        _PURGE,
    ),
    Bug(
        "a purge records boards and its progress one after the other",
        purge.record,
        "transact([step, *(write for board in chunk for write in _entries(progress.user_id, board))])",
        "transact([write for board in chunk for write in _entries(progress.user_id, board)])\n        transact([step])",
        _PURGE,
    ),
    Bug(
        "a purge leaves the messages of the user's invites",
        purge._forget_message,
        "invite.inviter_id == user_id and",
        "invite.inviter_id != user_id and",
        _PURGE,
    ),
    Bug(
        "a purge leaves the address in events",
        address_removal._redact_event,
        "if data or details:",
        "if False:",
        _PURGE,
    ),
    Bug(
        "a purge leaves recorded answers with the address",
        address_removal._delete_answer,
        "if any(text in answer for text in texts):",
        "if False:",
        _PURGE,
    ),
    Bug(
        "a transaction deletes more items than the store takes",
        table.delete_all,
        "islice(remaining, _BATCH)",
        "islice(remaining, 2 * _BATCH)",
        _PURGE,
    ),
)
