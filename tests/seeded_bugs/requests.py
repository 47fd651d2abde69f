"""Bugs in the handling of a request: authentication, pipeline and use cases."""

from __future__ import annotations

import inspect

from governance import errors
from governance.domain import entity_tags
from governance.domain.entity_tags import EntityTags
from governance.http import (
    admission,
    api,
    authentication,
    cursors,
    evaluation,
    idempotency,
    pipeline,
    preconditions,
    rate_limit,
    reading,
    request,
    response,
    route,
    sessions,
)
from governance.http.preconditions import Preconditions
from governance.mcp import server, tools
from governance.usecases import events, invite_emails, legacy_action_items, meetings, members, provisioning, slots
from tests.seeded_bugs.bug import Bug

_PAIR = "tests/interleavings/test_pairs.py::test_concurrent_writes_have_the_effect_of_one_after_the_other"

BUGS = (
    Bug(
        "a body of many offences is answered with all of them",
        errors._named,
        "if len(fields) <= NAMED_OFFENCES:",
        "if fields:",
        "tests/http/test_strict_json.py",
    ),
    Bug(
        "a malformed conditional header can be read in more ways than can be tried",
        entity_tags,
        "{_TAG}{_BLANKS}(?:,{_BLANKS}(?:{_TAG}{_BLANKS})?)*)",
        "{_TAG}(?:{_BLANKS},{_BLANKS}(?:{_TAG})?)*{_BLANKS})",
        "tests/contract/test_patterns.py",
    ),
    Bug(
        "of two writers with one entity tag, both succeed",
        pipeline.RequestPipeline._under_precondition,
        "if (key := key_of_write(write)) in reads.keys else write",
        "if (key := key_of_write(write)) in () else write",
        "tests/http/test_preconditions.py",
    ),
    Bug(
        "a change is made although the client has the resource as it is",
        Preconditions.check,
        "self.none_match.match_weakly(tag)",
        "not self.none_match.match_weakly(tag)",
        "tests/http/test_preconditions.py",
    ),
    Bug(
        "a weak tag in If-None-Match does not stop a change",
        Preconditions.check,
        "self.none_match.match_weakly(tag)",
        "self.none_match.match_strongly(tag)",
        "tests/http/test_preconditions.py",
    ),
    Bug(
        "If-None-Match alone does not make a change conditional",
        preconditions.has_preconditions,
        "any(name in request.headers for name in NAMES)",
        "IF_MATCH in request.headers",
        "tests/http/test_preconditions.py",
    ),
    Bug(
        "the answer to a change has a tag that is not the resource's",
        response.ResponseBuilder._response,
        "entity_tag(text)} if",
        "entity_tag(text + self.request.path)} if",
        "tests/contract/test_written_tags.py",
    ),
    Bug(
        "the answer to a PUT has a tag, which says that its body was stored as it is",
        inspect.getattr_static(route.Route, "answers_current").fget,
        'self.method == "PATCH"',
        'self.method in {"PATCH", "PUT"}',
        "tests/contract/test_written_tags.py",
    ),
    Bug(
        "a weak tag satisfies If-Match",
        EntityTags.match_strongly,
        "tag in self.tags",
        'bool({tag, f"W/{tag}"} & self.tags)',
        "tests/http/test_preconditions.py",
    ),
    Bug(
        "an agent is told of tools that its token may not call",
        tools.Tool.admits,
        "        except ApiError:\n            return False",
        "        except ApiError:\n            return True",
        "tests/mcp/test_tools.py",
    ),
    Bug(
        "a change that was made is answered as if it had not been",
        server.McpPipeline._result,
        'if route.method == "GET" else _MADE',
        'if route.method != "" else _MADE',
        "tests/mcp/test_tools.py::test_an_answer_that_is_too_large_says_whether_the_change_was_made",
    ),
    Bug(
        "a tool refuses the list that its schema asks for",
        tools.Tool._check,
        "name in arguments}\n",
        "name in arguments}\n        known = {name: {} for name in known}\n",
        "tests/mcp/test_tools.py::test_a_filter_takes_a_list_as_its_schema_says",
    ),
    Bug(
        "a page of another origin calls tools with a visitor's token",
        server.McpPipeline.run,
        "        check_origin(self.request)\n",
        "",
        "tests/mcp/test_protocol.py",
    ),
    Bug(
        "a public tool answers without a credential",
        server.McpPipeline._call,
        "return None if tool.is_public else self._prepared(tool, message)",
        "return self._prepared(tool, message)",
        "tests/mcp/test_protocol.py",
    ),
    Bug(
        "the log names a tool as the agent does, whatever it is",
        inspect.getattr_static(server.McpPipeline, "logged_as").fget,
        "known = self._message is not None and self._message.method in _METHODS",
        "known = self._message is not None",
        "tests/mcp/test_tools.py",
    ),
    Bug(
        "an evaluation of access does not judge the item that the path names",
        evaluation._Subject._judge,
        "            judge(context)",
        "            del judge",
        "tests/access/test_equality.py::test_an_evaluation_says_what_the_route_does",
    ),
    Bug(
        "an admin finds another member's draft by asking about its creator",
        evaluation._Subject._judge_other,
        "        self._check_seen_by_caller(items, moment)\n",
        "",
        "tests/access/test_evaluation.py",
    ),
    Bug(
        "an evaluation about a subject that is no id is a crash",
        evaluation._Subject._declared_keys,
        "not is_id(self._other_id)",
        "not self._other_id",
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
        "a meeting can be created on a deleted board",
        meetings.create_meeting,
        "        boards.check_exists(context.board.id),\n        meetings.create(meeting),",
        "        meetings.create(meeting),",
        "tests/interleavings/test_deleted_board.py",
    ),
    Bug(
        "the idempotency record is not in the transaction",
        response.ResponseBuilder.build,
        "            transact(writes)\n        return response",
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
        "a cursor is not bound to its filters",
        cursors.binding,
        '"{path}\\n{filters}\\n',
        '"{path}\\n',
        "tests/http/test_paging.py",
    ),
    Bug(
        "the transaction omits the audit entry",
        events.record_event,
        "return [events.put(event), *_audit_entry(event)]",
        "return [events.put(event)]",
        "tests/functions/audit",
    ),
    Bug(
        "the log line contains the credential",
        api._Invocation.answer,
        "self._template, response.status, kind, spent)",
        "str(self._request.headers), response.status, kind, spent)",
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
        "a refused e-mail still counts against the quota",
        invite_emails._send,
        "    except sender.EmailRefused:\n        transact([slot.release for slot in slots])\n",
        "    except sender.EmailRefused:\n",
        "tests/functions/invites/test_emails.py",
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
        "a forged token starts the reads of a list",
        reading.was_admitted,
        "return admissions_of(parsed).includes(parsed.fingerprint, board_id)",
        "return True",
        "tests/http/test_before_a_credential_holds.py",
    ),
    Bug(
        "an older session sets the e-mail address back",
        provisioning.provision,
        "claims.issued_at >= known.claims_issued_at",
        "claims.issued_at >= 0",
        "tests/http/test_issuer.py",
    ),
    Bug(
        "an environment leases a whole block at once",
        rate_limit.RateLease._next_block,
        "self.limit // _FIRST_BLOCKS_PER_WINDOW",
        "self.limit // _BLOCKS_PER_WINDOW",
        "tests/http/test_rate_limit.py",
    ),
    Bug(
        "a 401 on a session-only route is free",
        pipeline.RequestPipeline._check_surface,
        "            charge.spend()\n            raise",
        "            raise",
        "tests/http/test_before_a_credential_holds.py",
    ),
    Bug(
        "every address of an IPv6 network has a window of its own",
        request._network,
        "packed[:8]",
        "packed[:16]",
        "tests/http/test_rate_limit.py",
    ),
)
