"""Bugs in the handling of a request: authentication, pipeline and use cases."""

from __future__ import annotations

from governance.domain.entity_tags import EntityTags
from governance.http import (
    admission,
    authentication,
    cursors,
    evaluation,
    idempotency,
    pipeline,
    rate_limit,
    request,
    response,
    serving,
    sessions,
)
from governance.mcp import server
from governance.usecases import event_writes
from governance.usecases.account import provisioning
from governance.usecases.meetings import legacy_action_items, meetings, slots
from governance.usecases.members import members
from tests.seeded_bugs.bug import Bug

_PAIR = "tests/interleavings/test_pairs.py::test_concurrent_writes_have_the_effect_of_one_after_the_other"

BUGS = (
    Bug(
        "of two writers with one entity tag, both succeed",
        pipeline.RequestPipeline._under_precondition,
        "if (key := key_of_write(write)) in reads.keys else write",
        "if (key := key_of_write(write)) in () else write",
        "tests/http/test_preconditions.py",
    ),
    Bug(
        "a weak tag satisfies If-Match",
        EntityTags.match_strongly,
        "tag in self.tags",
        'bool({tag, f"W/{tag}"} & self.tags)',
        "tests/http/test_preconditions.py",
    ),
    Bug(
        "a change that was made is answered as if it had not been",
        server._ToolCall._result,
        'if self.tool.method == "GET" else _MADE',
        'if self.tool.method != "" else _MADE',
        "tests/mcp/test_tool_calls.py::test_an_answer_that_is_too_large_says_whether_the_change_was_made",
    ),
    Bug(
        "a page of another origin calls tools with a visitor's token",
        server.McpEndpoint._answer,
        "        _check_page(request)\n",
        "",
        "tests/mcp/test_protocol.py",
    ),
    Bug(
        "a public tool answers without a credential",
        server._ToolCall.answer,
        "if self.steps is None or self.tool.is_public:",
        "if self.steps is None:",
        "tests/mcp/test_protocol.py",
    ),
    Bug(
        "an evaluation of access does not look for the item that the path names",
        evaluation._Subject._find,
        "        self._route.declared.find(context)",
        "        del context",
        "tests/access/test_equality.py::test_an_evaluation_says_what_the_route_does",
    ),
    Bug(
        "an admin finds another member's draft by asking about its creator",
        evaluation._Subject._check_other,
        "        self._check_seen_by_caller(items, now)\n",
        "",
        "tests/access/test_evaluation.py",
    ),
    Bug(
        "another user's draft answers 403 instead of 404",
        meetings.visible_meeting,
        "if meeting is None or not can_see_meeting(context.user_id, meeting):\n        raise not_found()",
        "if meeting is None:\n        raise not_found()\n    if not can_see_meeting(context.user_id, meeting):\n"
        "        from governance.errors import forbidden\n        raise forbidden()",
        "tests/functions/meetings tests/http/test_paging.py",
    ),
    Bug(
        "confirming does not check that the slot still exists",
        slots.confirm_slot,
        "        *meetings.replace(old, new, context.now),\n        slots.check_exists(slot),",
        "        *meetings.replace(old, new, context.now),",
        f"{_PAIR}[confirm_delete_slot]",
    ),
    Bug(
        "a board can be written to that was just deleted",
        response._checked,
        "    return context.while_board_exists(decided.writes)",
        "    return [*decided.writes]",
        "tests/interleavings/test_deleted_board.py",
    ),
    Bug(
        "the idempotency record is not in the transaction",
        response.ResponseBuilder.build,
        "            _commit(writes, only_records=decided.only_records)\n        return response",
        "            transact(writes[:-1] if record_key else writes)\n            if record_key:\n"
        "                transact(writes[-1:])\n        return response",
        "tests/faults/test_every_call.py::test_a_retry_with_an_idempotency_key_takes_effect_once",
    ),
    Bug(
        "another body under the same idempotency key gets the first response",
        idempotency.replay,
        'if record["body"] != _digest(request.body):',
        "if False:",
        "tests/http/test_idempotency.py",
    ),
    Bug(
        "an idempotency key is shared by all callers",
        idempotency.record_key,
        "return idempotency_record_key(principal, _digest",
        'return idempotency_record_key("everybody", _digest',
        "tests/http/test_idempotency.py",
    ),
    Bug(
        "the digest of a token is not compared",
        authentication._is_valid,
        "same = tokens.matches(token.digest, presented.digest)",
        "same = True",
        "tests/http/test_credentials.py",
    ),
    Bug(
        "a session of another issuer is accepted",
        sessions.claims,
        "            issuer=settings().jwt_issuer,\n",
        "",
        "tests/http/test_sessions.py tests/http/test_credentials.py",
    ),
    Bug(
        "a board token opens another board",
        admission._check_board_token,
        'if route.board_scoped and params["boardId"] != board_id:',
        "if False:",
        "tests/contract/test_authorization.py",
    ),
    Bug(
        "a restricted board can be changed",
        admission.check_board,
        "    if route.billing:\n        check_billing(context.board)",
        "    if False:\n        check_billing(context.board)",
        "tests/contract/test_authorization.py::test_a_route_responds_as_in_the_table_in_every_state"
        "[PATCH /api/v1/boards/{boardId}]",
    ),
    Bug(
        "a cursor is not bound to its caller",
        cursors.binding,
        '{filters}\\n{principal_id}"',
        '{filters}"',
        "tests/http/test_paging.py",
    ),
    Bug(
        "the transaction omits the audit entry",
        event_writes.record_event,
        "return [events.put(event), *_audit_entry(event)]",
        "return [events.put(event)]",
        "tests/functions/audit",
    ),
    Bug(
        "the log line contains the credential",
        serving.serve,
        "trace.route, response.status, trace.principal, spent)",
        "str(request.headers), response.status, trace.principal, spent)",
        "tests/http/test_logs.py",
    ),
    Bug(
        "a caller gets one request over the rate limit",
        rate_limit.RateLease._lease_block,
        "leased = min(block, max(0, available))",
        "leased = min(block, max(1, available))",
        "tests/http/test_rate_limit.py",
    ),
    Bug(
        "two admins can remove each other",
        members._check_caller_unchanged,
        "return [] if caller.user_id == member.user_id else [boards.check_unchanged_member(caller)]",
        "return [] if caller.user_id else [boards.check_unchanged_member(caller)]",
        "tests/interleavings/test_member_pairs.py::test_concurrent_writes_have_the_effect_of_one_after_the_other[remove_each_other]",
    ),
    Bug(
        "an action item on a hidden draft takes another number of reads than an absent one",
        legacy_action_items._item_and_its_meeting,
        'meeting = _visible(context, item["meetingId"] if item else _NO_MEETING)',
        'meeting = _visible(context, item["meetingId"]) if item else None',
        "tests/contract/test_authorization.py::test_a_route_responds_as_in_the_table_in_every_state"
        "[PATCH /api/board/{boardId}/action-items/{actionItemId}]",
    ),
    Bug(
        "an older session sets the e-mail address back",
        provisioning.provision,
        "claims.issued_at >= known.claims_issued_at",
        "claims.issued_at >= 0",
        "tests/http/test_issuer.py",
    ),
    Bug(
        "every address of an IPv6 network has a window of its own",
        request._network,
        "packed[:8]",
        "packed[:16]",
        "tests/http/test_rate_limit.py",
    ),
)
