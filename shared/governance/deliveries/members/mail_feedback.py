"""Acts on mails that bounced for good, or that their recipients complained of (ADR mail).

The inviter is notified of a bounced invitation, the owner and admins of a member's bounced mail: once a day for each
address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from governance.deliveries.notifications.planned import Planned, planned, recipients_message
from governance.domain.events.invites import INVITE_CREATED, Invited
from governance.domain.events.kind import EventKind, P
from governance.domain.events.members import MEMBER_CHANGED, MemberChanged
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import millis
from governance.models.history.event import StoredEvent
from governance.models.members.mail_feedback import MailFeedback
from governance.models.notifications.recipients import Addressees
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.scopes import Tier
from governance.store.account import users
from governance.store.boards import boards
from governance.usecases.members.bounce_flags import flag_address


def take_feedback(body: Mapping[str, Any]) -> Iterable[Message]:
    """Flags the people without an account who have the address; returns the messages that notify others of it.

    Nobody is notified of a complaint. Members still get mails: the mail service decides whether an address takes more.
    """
    feedback = MailFeedback.model_validate(body)
    flag_address(feedback)
    if feedback.kind == "complaint" or feedback.board_id is None or feedback.user_id is None:
        return []
    return [
        recipients_message(DeliveryKind.NOTIFICATIONS, plan, Addressees(plan.user_ids))
        for plan in _told(feedback, feedback.board_id, feedback.user_id)
        if plan.user_ids
    ]


def _told(feedback: MailFeedback, board_id: BoardId, user_id: UserId) -> Iterator[Planned[Any]]:
    if feedback.invite_id is not None:
        invited = Invited(invite_id=feedback.invite_id, inviter_id=user_id, invitee_email=feedback.email, bounced=True)
        return planned(INVITE_CREATED, _event(feedback, board_id, INVITE_CREATED, invited, None), invited, [user_id])
    changed = MemberChanged(user_id=user_id, bounced_email=feedback.email)
    event = _event(feedback, board_id, MEMBER_CHANGED, changed, user_id)
    return planned(MEMBER_CHANGED, event, changed, _administrators(board_id, user_id, feedback.email))


def _administrators(board_id: BoardId, user_id: UserId, email: str) -> list[UserId]:
    """Returns the owner and the admins of a member's board, the member included; nobody once they left or moved."""
    member, user = boards.roster_of(board_id, [user_id]), users.find(user_id)
    if not member or user is None or user.email != email:
        return []
    return [entry.user_id for entry in boards.roster(board_id) if entry.tier >= Tier.ADMIN]


def _event(
    feedback: MailFeedback, board_id: BoardId, kind: EventKind[P], payload: P, actor: UserId | None
) -> StoredEvent:
    """Returns the event that is delivered but not recorded; its id follows from the report's."""
    parts = payload.parts()
    return StoredEvent(
        id=time_ordered_id(millis(feedback.at), feedback.id[:12]),
        board_id=board_id,
        type=kind.event_type,
        actor_user_id=actor,
        created_via=None,
        created_at=feedback.at,
        refs=parts.refs,
        details=parts.details,
        delivery_data=parts.delivery_data,
    )
