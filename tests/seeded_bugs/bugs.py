"""Bugs, each of them one rule broken: what the text was, what it becomes, and the tests that must notice."""

from __future__ import annotations

from typing import NamedTuple

_PAIR = "tests/interleavings/test_pairs.py::test_two_writes_run_async_are_one_after_the_other"


class Bug(NamedTuple):
    """A patch of one file, of the library unless it says `infra/`, and the tests that are run against it."""

    name: str
    file: str
    old: str
    new: str
    tests: str


BUGS = (
    Bug(
        "a draft is shown to every member",
        "domain/visibility.py",
        'return meeting.status != "draft" or (user_id is not None and meeting.creator_id == user_id)',
        "return True",
        "tests/domain/test_visibility.py",
    ),
    Bug(
        "a list forgets the bucket of one's own drafts",
        "domain/visibility.py",
        "return (MEETINGS,) if user_id is None else (MEETINGS, _drafts(user_id))",
        "return (MEETINGS,)",
        "tests/domain/test_visibility.py",
    ),
    Bug(
        "another's draft is 403 in the place of 404",
        "usecases/meetings.py",
        "if meeting is None or not can_see_meeting(context.user_id, meeting):\n        raise not_found()",
        "if meeting is None:\n        raise not_found()\n    if not can_see_meeting(context.user_id, meeting):\n"
        "        from governance.errors import forbidden\n        raise forbidden()",
        "tests/functions/meetings tests/http/test_paging.py",
    ),
    Bug(
        "an admin sees every committee's documents",
        "domain/visibility.py",
        "return committee_id is None or committee_id in committee_ids",
        "return True",
        "tests/domain/test_document.py tests/functions/documents",
    ),
    Bug(
        "an event of a draft lies with the board's",
        "domain/visibility.py",
        "if event.draft_of is not None:",
        "if event.draft_of == '':",
        "tests/domain/test_event_visibility.py",
    ),
    Bug(
        "a meeting is replaced whatever its version",
        "store/meetings.py",
        "return Put(_item(new), equals(version=old.version))",
        "return Put(_item(new))",
        "tests/http/test_faults.py",
    ),
    Bug(
        "an invite ends twice",
        "store/invites.py",
        "Delete(pending_key(old.board_id, old.invitee_email), _as_read(old)),",
        "Delete(pending_key(old.board_id, old.invitee_email)),",
        f"{_PAIR}[accept_retract]",
    ),
    Bug(
        "a vote outlives the membership that it was cast in",
        "domain/slot.py",
        "cast.get((member.user_id, member.join_id))",
        "next((vote for (user, _), vote in cast.items() if user == member.user_id), None)",
        "tests/domain/test_slot.py",
    ),
    Bug(
        "confirm does not ask whether the slot is still there",
        "usecases/slots.py",
        "        meetings.replace(old, new),\n        slots.check_exists(slot),",
        "        meetings.replace(old, new),",
        f"{_PAIR}[confirm_delete_slot]",
    ),
    Bug(
        "two slots at one instant",
        "store/slots.py",
        "Put(make_item(_key(slot), slot.item()), ABSENT, _already_proposed)",
        "Put(make_item(_key(slot), slot.item()))",
        "tests/functions/slots/test_proposing.py",
    ),
    Bug(
        "a meeting is made under a board that is gone",
        "usecases/meetings.py",
        "        boards.check_exists(context.board.id),\n        meetings.create(meeting),",
        "        meetings.create(meeting),",
        "tests/interleavings/test_overtaken.py",
    ),
    Bug(
        "the idempotency record is not in the transaction",
        "http/response.py",
        "            transact(writes)\n        return Response",
        "            transact(writes[:-1] if record_key else writes)\n            if record_key:\n"
        "                transact(writes[-1:])\n        return Response",
        "tests/faults/test_every_call.py::test_a_repeat_under_a_key_is_the_same_act_whatever_was_lost",
    ),
    Bug(
        "another body under an idempotency key gets the first answer",
        "http/idempotency.py",
        'if record["body"] != _digest(request.body):',
        "if False:",
        "tests/http/test_idempotency.py",
    ),
    Bug(
        "an idempotency key holds for every caller",
        "http/idempotency.py",
        "return idempotency(principal, _digest",
        'return idempotency("everybody", _digest',
        "tests/http/test_idempotency.py",
    ),
    Bug(
        "a token lives until after its last millisecond",
        "domain/tokens.py",
        "now >= expires_at",
        "now > expires_at",
        "tests/domain/test_tokens.py",
    ),
    Bug(
        "a revoked token goes on",
        "domain/tokens.py",
        "if revoked_at is not None:",
        "if revoked_at is not None and expires_at is not None:",
        "tests/http/test_credentials.py tests/domain/test_tokens.py",
    ),
    Bug(
        "the digest of a token is not compared",
        "http/authentication.py",
        "same = tokens.matches(token.digest, presented.digest)",
        "same = True",
        "tests/http/test_credentials.py",
    ),
    Bug(
        "the checksum is all of a token that is looked at",
        "domain/tokens.py",
        "return hmac.compare_digest(stored_digest.encode(), presented_digest.encode())",
        "return len(stored_digest) == len(presented_digest)",
        "tests/http/test_credentials.py tests/domain/test_tokens.py",
    ),
    Bug(
        "a session under another issuer holds",
        "http/sessions.py",
        "            issuer=settings().jwt_issuer,\n",
        "",
        "tests/http/test_sessions.py tests/http/test_credentials.py",
    ),
    Bug(
        "a suspended account goes on",
        "domain/access.py",
        'if user.status == "suspended":',
        'if user.status == "gone":',
        "tests/contract/test_authorization.py",
    ),
    Bug(
        "read-only board tokens write meetings",
        "scopes.py",
        "    Scope.MEETINGS_READ,\n    Scope.DOCUMENTS_READ,",
        "    Scope.MEETINGS_READ,\n    Scope.MEETINGS_WRITE,\n    Scope.DOCUMENTS_READ,",
        "tests/contract/test_authorization.py",
    ),
    Bug(
        "a board token opens another board",
        "http/pipeline.py",
        'if self.route.board_scoped and self.params["boardId"] != principal.token.board_id:',
        "if False:",
        "tests/contract/test_authorization.py",
    ),
    Bug(
        "a restricted board is written to",
        "http/pipeline.py",
        "        if self.route.billing:\n            check_billing(context.board)",
        "        if False:\n            check_billing(context.board)",
        "tests/contract/test_authorization.py::test_a_route_answers_as_the_table_says_in_every_state"
        "[PATCH /api/v1/boards/{boardId}]",
    ),
    Bug(
        "a state of billing allows what it must not",
        "domain/billing.py",
        '"PAST_DUE_GRACE")',
        '"PAST_DUE_GRACE", "CANCELLED")',
        "tests/contract/test_authorization.py::test_a_route_answers_as_the_table_says_in_every_state"
        "[PATCH /api/v1/boards/{boardId}]",
    ),
    Bug(
        "a cursor is not bound to its caller",
        "http/cursors.py",
        '{filters}\\n{principal_id}"',
        '{filters}"',
        "tests/http/test_paging.py",
    ),
    Bug(
        "a cursor is not bound to its filters",
        "http/cursors.py",
        '"{path}\\n{filters}\\n',
        '"{path}\\n',
        "tests/http/test_paging.py",
    ),
    Bug(
        "whoever has the link accepts an invite",
        "domain/invite.py",
        "if invite.invitee_email != email:",
        "if not email:",
        "tests/domain/test_invite.py",
    ),
    Bug(
        "an allowance has one use too many",
        "domain/quota.py",
        "for number in range(self.uses)]",
        "for number in range(self.uses + 1)]",
        "tests/domain/test_quota.py tests/functions/invites/test_mails.py",
    ),
    Bug(
        "an audit entry is left out of the act",
        "usecases/events.py",
        "return [events.put(happened), *_audited(happened)]",
        "return [events.put(happened)]",
        "tests/functions/audit",
    ),
    Bug(
        "the log line holds the credential",
        "http/api.py",
        "telemetry.log_request(self._request.method, self._template, reply.status, kind, spent)",
        "telemetry.log_request(self._request.method, str(self._request.headers), reply.status, kind, spent)",
        "tests/http/test_logs.py",
    ),
    Bug(
        "a window of requests is one block too long",
        "http/rate_limit.py",
        "self.tokens = min(block, max(0, room))",
        "self.tokens = min(block, max(1, room))",
        "tests/http/test_rate_limit.py",
    ),
    Bug(
        "a refused mail keeps its allowance",
        "usecases/invite_emails.py",
        "    except sender.EmailRefused:\n        transact([use.release for use in uses])\n",
        "    except sender.EmailRefused:\n",
        "tests/functions/invites/test_mails.py",
    ),
    Bug(
        "every try of a transaction bears a token of its own",
        "store/table.py",
        '            _raw_call("transact_write_items", **request)\n            return',
        '            request["ClientRequestToken"] = secrets.token_hex(16)\n'
        '            _raw_call("transact_write_items", **request)\n            return',
        "tests/http/test_faults.py",
    ),
    Bug(
        "keys that a batch left out are taken for absent",
        "store/table.py",
        '        wanted = answer.get("UnprocessedKeys", {}).get(name, {}).get("Keys", [])\n',
        "        wanted = []\n",
        "tests/http/test_faults.py",
    ),
    Bug(
        "a page that is empty is taken for the last",
        "store/table.py",
        'if "LastEvaluatedKey" not in answer:',
        'if not answer.get("Items"):',
        "tests/faults/test_every_call.py::test_a_read_answers_the_same_or_says_that_it_cannot",
    ),
    Bug(
        "a mail is sent by whoever comes, claimed or not",
        "store/notifications.py",
        'free = Condition("#m = :due OR #c = :claim", {}, {":due": "due"})',
        'free = Condition("#m = :due OR #c = :claim OR attribute_exists(#m)", {}, {":due": "due"})',
        "tests/interleavings/test_deliveries.py::test_two_deliveries_of_one_event_notify_and_mail_once",
    ),
    Bug(
        "a mail is claimed after it was sent",
        "events/delivery.py",
        "        transact([notifications.claim_mail(one.notification, claim)])\n"
        "        send_notification_email(one.user, "
        "sentence(one.notification, scene.actor), one.notification, scene.board)\n",
        "        send_notification_email(one.user, "
        "sentence(one.notification, scene.actor), one.notification, scene.board)\n"
        "        transact([notifications.claim_mail(one.notification, claim)])\n",
        "tests/events/test_crashes.py",
    ),
    Bug(
        "a refused mail of an event stays claimed",
        "events/delivery.py",
        "            transact([notifications.release_mail(one.notification, claim)])\n",
        "            pass\n",
        "tests/events",
    ),
    Bug(
        "the catalog's pointer moves before every object is uploaded",
        "infra/catalog/publish.py",
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n",
        "    before = pointer.read()\n    after = pointer_text(releases, current, before)\n    pointer.move(after)\n",
        "tests/catalog/test_publish.py",
    ),
    Bug(
        "two admins remove each other",
        "usecases/members.py",
        "return [] if caller.user_id == member.user_id else [boards.check_unchanged_member(caller)]",
        "return [] if caller.user_id else [boards.check_unchanged_member(caller)]",
        "tests/interleavings/test_pairs_of_people.py::test_writes_of_people_are_one_after_the_other[remove_each_other]",
    ),
    Bug(
        "an item on another's draft takes longer than none",
        "usecases/legacy_action_items.py",
        'meeting = _visible(context, item["meetingId"] if item else _NOBODY)',
        'meeting = _visible(context, item["meetingId"]) if item else None',
        "tests/contract/test_authorization.py::test_a_route_answers_as_the_table_says_in_every_state"
        "[PATCH /api/board/{boardId}/action-items/{actionItemId}]",
    ),
    Bug(
        "whoever has an invite's id retracts it",
        "domain/invite.py",
        "if tier is None or not (user_id == invite.inviter_id or tier >= Tier.ADMIN):",
        "if tier is None:",
        "tests/contract/test_authorization.py::test_a_route_admits_whom_the_table_says",
    ),
    Bug(
        "a dashboard names a figure that no released catalog has",
        "models/catalog.py",
        "return rogue_id in _released()",
        'return "." in rogue_id',
        "tests/functions/dashboards tests/catalog/test_tree.py",
    ),
)
