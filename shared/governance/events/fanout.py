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

from governance.domain.notifications import (
    Audience,
    Notice,
    channels,
    notice_of,
    notification_id,
    recipients,
    references,
    sentence,
)
from governance.domain.pictures import initials, portrait
from governance.domain.visibility import can_see_meeting
from governance.events.mails import post
from governance.mail.sender import Busy
from governance.models.act import StoredEvent
from governance.models.board import StoredBoard
from governance.models.meeting import StoredMeeting
from governance.models.notification import StoredNotification
from governance.models.user import StoredUser
from governance.store import boards, notifications, pictures, users
from governance.store.schema import BOARD, MEETING, PREFERENCES, USER, Item, Key
from governance.store.table import read, side_by_side, transact
from governance.store.writes import Stale

_AT_ONCE = 100
_PAUSE_SECONDS = 1
_WITHOUT_MEMBERS = (Audience.INVITEES, Audience.REMOVED)


@dataclass(frozen=True)
class Scene:
    """An event with what its notifications tell of: the notice, the board, the meeting, who acted, the words."""

    event: StoredEvent
    notice: Notice
    board: StoredBoard
    meeting: StoredMeeting | None
    actor: StoredUser | None
    pictured: bool
    message: str


@dataclass(frozen=True)
class Addressee:
    """A user to be notified, and his notification: the one that is there, or a new one."""

    user: StoredUser
    notification: StoredNotification
    is_new: bool


def deliver(event: StoredEvent, now: str, patience: float) -> None:
    """Notify everybody whom the event concerns; raises where somebody could not be, so that it is tried again.

    Mails that the mail service does not take are tried again for as many seconds as there is patience.
    """
    end = time.monotonic() + patience
    notice = notice_of(event)
    scene = _scene(event, notice) if notice else None
    if scene is None:
        return
    chosen = _readers(scene)
    few = [chosen[start : start + _AT_ONCE] for start in range(0, len(chosen), _AT_ONCE)]
    notified = [one for user_ids in few for one in _notified(scene, user_ids, now)]
    _mail_all(scene, [one for one in notified if one.notification.mail == "due"], end)


def _scene(event: StoredEvent, notice: Notice) -> Scene | None:
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
    return Scene(
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
    return initials(actor) != "" and pictures.put(actor.id, portrait(actor))


def _readers(scene: Scene) -> list[str]:
    """Whom the notice is for, without those who may not see what it tells of."""
    audience, event = scene.notice.audience, scene.event
    members = [] if audience in _WITHOUT_MEMBERS else boards.members(event.board_id)
    invitees = users.bearing(event.data["inviteeEmail"]) if audience is Audience.INVITEES else []
    chosen = recipients(scene.notice, event, members, invitees)
    return [user_id for user_id in chosen if scene.meeting is None or can_see_meeting(user_id, scene.meeting)]


def _notified(scene: Scene, user_ids: Sequence[str], now: str) -> list[Addressee]:
    """Up to a hundred users, notified: the rows that are missing are written in one transaction."""
    ids = {user_id: notification_id(scene.event, user_id) for user_id in user_ids}
    found = read(key for user_id, one in ids.items() for key in notifications.addressee_keys(user_id, one))
    addressees = list(_addressees(scene, ids, found, now))
    writes = [notifications.create(one.notification) for one in addressees if one.is_new]
    if writes:
        transact(writes)
    return addressees


def _mail_all(scene: Scene, due: Sequence[Addressee], end: float) -> None:
    """Send the mails that are due; what a busy service did not take again and again until the end, with pauses between.

    A mail service takes so many a second; a large board's mails may be more. What failed otherwise is raised when the
    others are done.
    """
    lasting: list[BaseException] = []
    while due:
        sent = [(one, side_by_side(partial(_mail, scene, one))) for one in due]
        failed = [(one, error) for one, future in sent if (error := future.exception())]
        lasting += [error for _, error in failed if not isinstance(error, Busy)]
        due = [one for one, error in failed if isinstance(error, Busy)]
        if due:
            if time.monotonic() + _PAUSE_SECONDS > end:
                raise Busy
            time.sleep(_PAUSE_SECONDS)
    if lasting:
        raise lasting[0]


def _addressees(scene: Scene, ids: dict[str, str], found: dict[Key, Item], now: str) -> Iterator[Addressee]:
    for user_id, one in ids.items():
        there, user = found.get(notifications.key(user_id, one)), found.get(USER.at(userId=user_id))
        person = StoredUser.model_validate(user) if user else None
        if person is None or person.purged:
            continue
        if there is not None:
            yield Addressee(person, StoredNotification.model_validate(there), is_new=False)
        elif made := _made(scene, one, person, found.get(PREFERENCES.at(userId=user_id)), now):
            yield Addressee(person, made, is_new=True)


def _made(scene: Scene, one: str, user: StoredUser, overridden: Item | None, now: str) -> StoredNotification | None:
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


def _mail(scene: Scene, one: Addressee) -> None:
    """Claim the mail, then send it; given back where it certainly was not sent, so that it is tried again."""
    claim = secrets.token_hex(8)
    try:
        transact([notifications.claim_mail(one.notification, claim)])
        post(one.user, sentence(one.notification, scene.actor), one.notification, scene.board)
    except Stale:
        return
    except Exception:
        with suppress(Stale):
            transact([notifications.give_mail_back(one.notification, claim)])
        raise
