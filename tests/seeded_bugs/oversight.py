"""Bugs in what admins, owners and guests do being seen, and in who may still act."""

from __future__ import annotations

from governance.domain import guest_link, invite, meeting, membership, notifications, slot
from governance.events import announcements
from governance.http import admission, parsing, validation
from governance.models import text, token
from governance.store import slots, users
from governance.usecases import guests, notification_references, operator, tokens
from tests.seeded_bugs.bug import Bug

_ANNOUNCED = "tests/events/test_announcements.py"
_GUESTS = "tests/functions/guests"
_MEMBERS = "tests/functions/boards/test_members.py"
_REPLIES = "tests/functions/invites/test_replies.py"
_BODIES = "tests/boundaries/test_bodies.py"

BUGS = (
    Bug(
        "a token without a lifetime never expires",
        token,
        "    expires_in_days: Expiry\n\n\nclass BoardTokenCreate",
        "    expires_in_days: Expiry = None\n\n\nclass BoardTokenCreate",
        _BODIES,
    ),
    Bug(
        "a closed account can become the owner",
        membership.transfer_ownership,
        'if user is None or user.status != "active":',
        "if user is None:",
        _MEMBERS,
    ),
    Bug(
        "an account that closes during a transfer becomes the owner",
        users.check_active,
        'equals(status="active")',
        "equals(id=user_id)",
        _MEMBERS,
    ),
    Bug(
        "an owner can be purged",
        operator.check_owns_none,
        "    if owned:",
        "    if owned == own_boards:",
        "tests/operator/test_boardctl.py",
    ),
    Bug(
        "a new board token is no event",
        tokens.mint_token,
        "writes = [boards.check_exists(board_id), *writes, *event]",
        "writes = [boards.check_exists(board_id), *writes]",
        _MEMBERS,
    ),
    Bug(
        "a revoked board token is no event",
        tokens.token_revocation,
        "*tokens.revoke(token, context.now), *event]",
        "*tokens.revoke(token, context.now)]",
        _MEMBERS,
    ),
    Bug(
        "the owner does not hear of a token that an admin creates",
        notifications._chosen,
        "if member.tier is Tier.OWNER]",
        "if member.tier is Tier.GUEST]",
        _ANNOUNCED,
    ),
    Bug(
        "a demoted admin leaves tokens behind without a hint",
        notifications.ends_administration,
        'return bool(event.data.get("demoted"))',
        "return False",
        _ANNOUNCED,
    ),
    Bug(
        "the hint counts revoked tokens",
        announcements._tokens_left,
        'token_rules.status(token.expires_at, token.revoked_at, now) == "active"',
        'token_rules.status(token.expires_at, token.revoked_at, now) != ""',
        _ANNOUNCED,
    ),
    Bug(
        "an opened draft notifies nobody",
        notifications.opens_draft,
        'event.details.get("from") == "draft"',
        'event.details.get("from") == "finalized"',
        _ANNOUNCED,
    ),
    Bug(
        "an opened draft without slots announces slots",
        slots.has_slots,
        "counter[_COUNT] > 0",
        "counter[_COUNT] >= 0",
        _ANNOUNCED,
    ),
    Bug(
        "a notification names a meeting that is a draft again",
        notification_references._links_to_hidden,
        "return item is not None and not can_see_meeting",
        "return item is None and not can_see_meeting",
        _ANNOUNCED,
    ),
    Bug(
        "a former member sees a board's new name",
        notification_references._is_informed,
        'if "boardId" not in refs or _membership(notification) in items:',
        "if True:",
        _ANNOUNCED,
    ),
    Bug(
        "a former member sees a person's new name",
        notifications.has_kept_name,
        "return actor.updated_at <= notification.delivered_at",
        "return True",
        _ANNOUNCED,
    ),
    Bug(
        "marking all as read marks rows that are written later",
        notifications.all_read,
        "shift(now, minutes=-DELIVERY_MINUTES)",
        "now",
        "tests/functions/notifications",
    ),
    Bug(
        "a slow earlier request moves the mark of read notifications back",
        notifications.all_read,
        "until = max(mark.until, shift(now, minutes=-DELIVERY_MINUTES))",
        "until = shift(now, minutes=-DELIVERY_MINUTES)",
        "tests/domain/test_notifications.py",
    ),
    Bug(
        "every view of a guest link is audited",
        guest_link.is_view_due,
        "return link.viewed_at is None or link.viewed_at <= view_window_start(now)",
        "return True",
        _GUESTS,
    ),
    Bug(
        "discarded votes of guests go on counting",
        slot.is_discarded,
        "return vote.email is not None and discarded_at is not None",
        "return vote.email is None and discarded_at is not None",
        _GUESTS,
    ),
    Bug(
        "discarded votes of guests use up the slot's limit",
        slots._deletion,
        '{":less": -len(votes)}',
        '{":less": 0}',
        _GUESTS,
    ),
    Bug(
        "a guest's new vote is deleted with the discarded one",
        guests.vote_as_guest,
        "arrived_at = earlier.arrived_at if earlier and is_counted else context.now",
        "arrived_at = earlier.arrived_at if earlier else context.now",
        _GUESTS,
    ),
    Bug(
        "the votes on a finalized meeting can be discarded",
        meeting.without_guest_votes,
        "    check_editable(meeting)\n",
        "",
        _GUESTS,
    ),
    Bug(
        "an inviter who left the board cannot retract",
        invite.check_retractable,
        "if user_id != invite.inviter_id and not _is_admin(tier):",
        "if tier is None or (user_id != invite.inviter_id and not _is_admin(tier)):",
        _REPLIES,
    ),
    Bug(
        "accepting an invite takes an empty object",
        parsing.parse_body,
        "or_empty_object=not route.refuses_any_body",
        "or_empty_object=True",
        _REPLIES,
    ),
    Bug(
        "an empty object is refused where no body is expected",
        parsing.parse_body,
        "or_empty_object=not route.refuses_any_body",
        "or_empty_object=False",
        "tests/http/test_strict_json.py",
    ),
    Bug(
        "offences between members are reported after the others",
        validation.body,
        "raise invalid_body(_fields(error.errors(include_url=False)) | faults) from None",
        "raise invalid_body(_fields(error.errors(include_url=False))) from None",
        _BODIES,
    ),
    Bug(
        "a fault in a list parameter is named by its index",
        validation.query,
        '"loc": each["loc"][:1]',
        '"loc": each["loc"]',
        "tests/functions/action_items/test_legacy.py",
    ),
    Bug(
        "a boolean is a sort order",
        text.check_order,
        "if isinstance(value, bool) or not isinstance(value, int | float):",
        "if not isinstance(value, int | float):",
        _BODIES,
    ),
    Bug(
        "a blank for a plus gets no hint",
        text.query_instant,
        "if _BLANK_FOR_PLUS.search(text):",
        "if _BLANK_FOR_PLUS.fullmatch(text):",
        "tests/http/test_paging.py",
    ),
    Bug(
        "an API token on a session-only legacy route is told to send a token",
        admission.check_surface,
        'raise ApiError(Code.UNAUTHENTICATED, "API tokens are not accepted here; use a session.")',
        "raise ApiError(Code.UNAUTHENTICATED)",
        "tests/functions/notifications",
    ),
)
