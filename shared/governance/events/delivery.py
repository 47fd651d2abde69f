"""From an event to notifications and mails: at least once, and harmless when repeated (ADR 0063).

What an event means for a user has one id, so there is one row for it whatever happens; the row says whether a mail is
still due. Killed anywhere and begun again, the delivery goes on where it stopped; a mail goes out once at most
(ADR 0065).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from governance.domain.avatars import initials, initials_avatar
from governance.domain.notifications import (
    NotificationRule,
    RecipientGroup,
    channels,
    notification_id,
    recipients,
    references,
    rule_for,
    sentence,
)
from governance.domain.visibility import can_see_meeting
from governance.events.notification_emails import send_notification_email
from governance.mail.sender import EmailThrottled
from governance.models.board import StoredBoard
from governance.models.event import StoredEvent
from governance.models.meeting import StoredMeeting
from governance.models.notification import StoredNotification
from governance.models.user import StoredUser
from governance.store import avatars, boards, notifications, users
from governance.store.schema import BOARD, MEETING, PREFERENCES, USER, Item, Key
from governance.store.table import read, run_async, transact
from governance.store.writes import StaleRead

_AT_ONCE = 100
_PAUSE_SECONDS = 1
_WITHOUT_MEMBERS = (RecipientGroup.INVITEES, RecipientGroup.REMOVED)


@dataclass(frozen=True)
class DeliveryContext:
    """An event with what its notifications tell of: the notice, the board, the meeting, who acted, the words."""

    event: StoredEvent
    notice: NotificationRule
    board: StoredBoard
    meeting: StoredMeeting | None
    actor: StoredUser | None
    pictured: bool
    message: str


@dataclass(frozen=True)
class Recipient:
    """A user to be notified, and his notification: the one that is there, or a new one."""

    user: StoredUser
    notification: StoredNotification
    is_new: bool


def deliver(event: StoredEvent, now: str, patience: float) -> None:
    """Notify everybody whom the event concerns; raises where somebody could not be, so that it is tried again.

    Mails that the mail service does not take are tried again for as many seconds as there is patience.
    """
    end = time.monotonic() + patience
    notice = rule_for(event)
    scene = _scene(event, notice) if notice else None
    if scene is None:
        return
    chosen = _readers(scene)
    few = [chosen[start : start + _AT_ONCE] for start in range(0, len(chosen), _AT_ONCE)]
    notified = [one for user_ids in few for one in _notified(scene, user_ids, now)]
    _mail_all(scene, [one for one in notified if one.notification.mail == "due"], end)


def _scene(event: StoredEvent, notice: NotificationRule) -> DeliveryContext | None:
    """What is there to tell; None where the board, or the meeting that is to be linked, is gone."""
    board_key, actor_key = BOARD.at(boardId=event.board_id), USER.key(userId=event.actor_user_id or "")
    meeting_key = MEETING.key(boardId=event.board_id, meetingId=event.refs.get("meetingId", ""))
    linked = "meetingLink" in notice.carries
    found = read(key for key in (board_key, actor_key, meeting_key if linked else None) if key)
    board, actor = found.get(board_key), found.get(actor_key) if actor_key else None
    meeting = found.get(meeting_key) if meeting_key else None
    if board is None or (linked and meeting is None):
        return None
    person = StoredUser.model_validate(actor) if actor else None
    title = event.data.get("title") or event.details.get("title") or "untitled"
    return DeliveryContext(
        event,
        notice,
        StoredBoard.model_validate(board),
        StoredMeeting.model_validate(meeting) if linked and meeting else None,
        person,
        person is not None and _portrayed(person),
        notice.message.format(board=board["name"], title=title),
    )


def _portrayed(actor: StoredUser) -> bool:
    """Whether who acted has a picture of his own in the bucket now; where not, the neutral one is shown."""
    return initials(actor) != "" and avatars.put(actor.id, initials_avatar(actor))


def _readers(scene: DeliveryContext) -> list[str]:
    """Whom the notice is for, without those who may not see what it tells of."""
    audience, event = scene.notice.recipients, scene.event
    members = [] if audience in _WITHOUT_MEMBERS else boards.members(event.board_id)
    invitees = users.user_ids_by_email(event.data["inviteeEmail"]) if audience is RecipientGroup.INVITEES else []
    chosen = recipients(scene.notice, event, members, invitees)
    return [user_id for user_id in chosen if scene.meeting is None or can_see_meeting(user_id, scene.meeting)]


def _notified(scene: DeliveryContext, user_ids: Sequence[str], now: str) -> list[Recipient]:
    """Up to a hundred users, notified: the rows that are missing are written in one transaction."""
    ids = {user_id: notification_id(scene.event, user_id) for user_id in user_ids}
    found = read(key for user_id, one in ids.items() for key in notifications.recipient_keys(user_id, one))
    addressees = list(_addressees(scene, ids, found, now))
    writes = [notifications.create(one.notification) for one in addressees if one.is_new]
    if writes:
        transact(writes)
    return addressees


def _mail_all(scene: DeliveryContext, due: Sequence[Recipient], end: float) -> None:
    """Send the mails that are due; what a busy service did not take again and again until the end, with pauses between.

    A mail service takes so many a second; a large board's mails may be more. What failed otherwise is raised when the
    others are done.
    """
    lasting: list[BaseException] = []
    while due:
        sent = [(one, run_async(partial(_mail, scene, one))) for one in due]
        failed = [(one, error) for one, future in sent if (error := future.exception())]
        lasting += [error for _, error in failed if not isinstance(error, EmailThrottled)]
        due = [one for one, error in failed if isinstance(error, EmailThrottled)]
        if due:
            if time.monotonic() + _PAUSE_SECONDS > end:
                raise EmailThrottled
            time.sleep(_PAUSE_SECONDS)
    if lasting:
        raise lasting[0]


def _addressees(scene: DeliveryContext, ids: dict[str, str], found: dict[Key, Item], now: str) -> Iterator[Recipient]:
    for user_id, one in ids.items():
        there, user = found.get(notifications.key(user_id, one)), found.get(USER.at(userId=user_id))
        person = StoredUser.model_validate(user) if user else None
        if person is None or person.purged:
            continue
        if there is not None:
            yield Recipient(person, StoredNotification.model_validate(there), is_new=False)
        elif made := _made(scene, one, person, found.get(PREFERENCES.at(userId=user_id)), now):
            yield Recipient(person, made, is_new=True)


def _made(
    scene: DeliveryContext, one: str, user: StoredUser, overridden: Item | None, now: str
) -> StoredNotification | None:
    """The notification by the channels that the user hears of it; None where he silenced it."""
    event, notice = scene.event, scene.notice
    chosen = channels(notice.type, notifications.preferences(user.id, overridden))
    if not chosen:
        return None
    return StoredNotification(
        id=one,
        user_id=user.id,
        type=notice.type,
        message=scene.message,
        refs=references(notice, event),
        in_app="in_app" in chosen,
        mail="due" if "email" in chosen and user.status == "active" else "none",
        pictured=scene.pictured,
        delivered_at=now,
        created_at=event.created_at,
        updated_at=event.created_at,
    )


def _mail(scene: DeliveryContext, one: Recipient) -> None:
    """Claim the mail, then send it; given back where it certainly was not sent, so that it is tried again."""
    claim = secrets.token_hex(8)
    try:
        transact([notifications.claim_mail(one.notification, claim)])
        send_notification_email(one.user, sentence(one.notification, scene.actor), one.notification, scene.board)
    except StaleRead:
        return
    except Exception:
        with suppress(StaleRead):
            transact([notifications.release_mail(one.notification, claim)])
        raise
