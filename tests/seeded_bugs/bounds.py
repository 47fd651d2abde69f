"""Bugs in the limits, and in what keeps answers and records within the bounds of Lambda and of the store."""

from __future__ import annotations

from governance.domain import action_item, invite
from governance.http import json_array_stream
from governance.store import action_item_counts, audit, boards, counters, guest_votes, invites, recorded_answers
from governance.usecases import committees
from tests.seeded_bugs.bug import Bug

_LIMITS = "tests/functions/limits"
_COMMITTEES = "tests/functions/committees"
_SIZES = "tests/http/test_answer_sizes.py"

BUGS = (
    Bug("a limit takes one too many", counters.add, "#n < :limit", "#n <= :limit", _LIMITS),
    Bug(
        "a full counter is not counted again",
        counters._full,
        "if counter is None or recount is None or (number := recount()) >= limit:",
        "if counter is None or recount is None or (number := limit) >= limit:",
        _LIMITS,
    ),
    Bug(
        "a recount overwrites what is added meanwhile",
        counters._set,
        ", equals(**{_CHANGES: counter[_CHANGES]}))",
        ")",
        "tests/store/test_counters.py",
    ),
    Bug(
        "a member who left still counts",
        boards.remove_member,
        "        counters.remove(MEMBER_COUNT.key_for(boardId=membership.board_id)),\n",
        "",
        _LIMITS,
    ),
    Bug(
        "a closed invite still counts as pending",
        invites.close,
        "        counters.remove(_count_key(old)),\n",
        "",
        _LIMITS,
    ),
    Bug(
        "an invite names any number of users",
        invite.re_invite,
        "if len(invite.also_invited_by) >= RE_INVITERS:",
        "if len(invite.also_invited_by) > RE_INVITERS:",
        _LIMITS,
    ),
    Bug(
        "a vote that is cast while its slot is deleted goes on counting for the meeting",
        guest_votes.stop_counting,
        "return [Check(key, ABSENT)]",
        "return []",
        "tests/interleavings/test_closed_meeting.py",
    ),
    Bug(
        "the votes of a deleted slot count for its meeting",
        guest_votes.stop_counting,
        "votes),\n",
        "0),\n",
        "tests/functions/guests",
    ),
    Bug(
        "closed items count as open",
        action_item_counts._open_assignee,
        "item.assignee_user_id if item and item.status == OPEN else None",
        "item.assignee_user_id if item else None",
        _LIMITS,
    ),
    Bug(
        "a change of a committee's seats is not audited",
        committees._change_seats,
        '        *audit_member_changes(context, touched, read.users, ["committees"]),\n',
        "",
        _COMMITTEES,
    ),
    Bug(
        "a page of the audit log that ends among entries of one item skips the rest",
        audit._texts_of,
        "for entry in item[_TOGETHER] if entry[_AT] > after)",
        "for entry in item[_TOGETHER] if not after)",
        _COMMITTEES,
    ),
    Bug(
        "an answer is weighed before its quotes are escaped",
        json_array_stream.pack_text,
        "or sent_bytes(text) < ANSWER_BYTES",
        "or len(text) < ANSWER_BYTES",
        _SIZES,
    ),
    Bug(
        "a list reads on for ever among what is hidden",
        json_array_stream.pack,
        "        if hidden == _MOST_HIDDEN:\n            break\n",
        "",
        _SIZES,
    ),
    Bug(
        "a list loses the entry that does not fit",
        json_array_stream.pack,
        "        else:\n            break\n        seen = position\n",
        "        else:\n            seen = position\n            break\n        seen = position\n",
        _SIZES,
    ),
    Bug(
        "the order of action items is that of their digits",
        action_item._sortable,
        "bits ^ (_ALL_BITS if bits & _SIGN_BIT else _SIGN_BIT)",
        "bits",
        "tests/domain/test_action_item.py",
    ),
    Bug(
        "a record is compressed where that is longer",
        recorded_answers.to_members,
        "if len(compressed) < len(raw) else {PLAIN: answer}",
        "if compressed else {PLAIN: answer}",
        "tests/http/test_idempotency.py",
    ),
)
