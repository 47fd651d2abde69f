"""Bugs in what admins, owners and guests do being seen, and in who may still act."""

from __future__ import annotations

from governance.domain import guest_link, invite, meeting, membership, notifications, slot
from governance.events import announcements, delivery
from governance.http import admission, parsing, validation
from governance.models import text, token
from governance.store import guest_votes, slots, users
from governance.usecases import cleanup, guests, notification_references, operator, tokens
from tests.seeded_bugs.bug import Bug

_ANNOUNCED = "tests/events/test_announcements.py"
_DELETED_DRAFT = f"{_ANNOUNCED}::test_a_draft_that_is_deleted_stays_out_of_the_notifications_of_others"
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
        "return not can_see_meeting(",
        "return can_see_meeting(",
        _ANNOUNCED,
    ),
    Bug(
        "a notification names a draft again once it is deleted",
        notification_references._links_to_hidden,
        'return draft is not None and draft["creatorId"] != notification.user_id',
        "return False",
        _DELETED_DRAFT,
    ),
    Bug(
        "a draft that is deleted with its board is named again",
        cleanup._delete_rows,
        "            transact(kept)\n",
        "            pass\n",
        _DELETED_DRAFT,
    ),
    Bug(
        "the creator of a deleted draft loses their notifications",
        notification_references._links_to_hidden,
        'return draft is not None and draft["creatorId"] != notification.user_id',
        "return draft is not None",
        _DELETED_DRAFT,
    ),
    Bug(
        "the delivery tells others of a meeting that is a draft again",
        delivery.DeliveryContext.may_tell,
        "if self.meeting is not None and not can_see_meeting(user_id, self.meeting):",
        "if self.rule is None:",
        "tests/events/test_delivery.py::test_of_a_task_on_a_meeting_that_is_a_draft_again_no_mail_is_sent",
    ),
    Bug(
        "the hint about left tokens names all of them",
        notifications._enumerated,
        "names[:_NAMED_TOKENS]",
        "names",
        f"{_ANNOUNCED}::test_the_hint_names_the_first_few_tokens",
    ),
    Bug(
        "guests' votes are discarded only while their link is open",
        guests.close_link,
        "if context.item(GUEST_LINK) is None and query.votes is None:",
        "if context.item(GUEST_LINK) is None:",
        f"{_GUESTS}/test_guest_votes.py::test_votes_are_discarded_after_their_link_was_closed",
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
        "return actor.updated_at <= notification.created_at",
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
        "return last is None or last.digest != link.digest or last.viewed_at <= view_window_start(now)",
        "return True",
        _GUESTS,
    ),
    Bug(
        "the same vote of a guest again is an event",
        guests.vote_as_guest,
        "if earlier is not None and (earlier.vote, earlier.comment) == (body.vote, body.comment):",
        "if earlier is not None and (earlier.vote, earlier.comment) == ():",
        _GUESTS,
    ),
    Bug(
        "every change of a guest's vote is an event",
        guest_link.is_vote_due,
        "return earlier.recorded_at <= shift(now, hours=-GUEST_VOTE_HOURS)",
        "return True",
        _GUESTS,
    ),
    Bug(
        "a change of a guest's vote that is no event begins a new hour",
        guests.vote_as_guest,
        "else earlier.recorded_at",
        "else context.now",
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
        guest_votes.delete_until,
        "_subtract(counter, len(chunk), EXISTS)",
        "_subtract(counter, 0, EXISTS)",
        _GUESTS,
    ),
    Bug(
        "a guest's new vote is deleted with the discarded one",
        guests.vote_as_guest,
        "earlier = None if stored is None or rules.is_discarded(stored, meeting.guest_votes_discarded_at) else stored",
        "earlier = stored",
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
