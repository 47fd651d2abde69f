"""Personal links: what opens a meeting, or a paper that is asked for, to a person without an account (ADR people).

A token is 80 base64url characters: 12 bytes each that name the board, the meeting or the request, and the person, and
24 that only the holder of the secret can compute. So every e-mail has the same link, and the table has only its digest.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass

from governance.domain.meetings.guest_link import digest
from governance.domain.meetings.people import is_invited
from governance.ids import BoardId, PersonId
from governance.instants import Instant, shift
from governance.limits import GUEST_LINK_DAYS
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.people import StoredMeetingPeople
from governance.models.meetings.slot import StoredPersonalLink
from governance.models.members.unregistered_user import StoredUnregisteredUser

_SHAPE = re.compile(r"[A-Za-z0-9_-]{80}", re.ASCII)
_PURPOSE = "personal link"
_ID, _SECRET_BYTES = 12, 24


@dataclass(frozen=True)
class ParsedPersonalToken:
    """What a token claims: the subject that it opens, and its person. The store has to confirm it."""

    board_id: BoardId
    subject_id: str
    person_id: PersonId


def token(secret: str, person: StoredUnregisteredUser, subject_id: str, purpose: str = _PURPOSE) -> str:
    """Returns the token of a person's link to a meeting, or for another purpose: the same until their links end."""
    named = bytes.fromhex(person.board_id + subject_id + person.id)
    content = b"\n".join([purpose.encode(), named, str(person.links).encode(), (person.email or "").encode()])
    mark = hmac.new(secret.encode(), content, hashlib.sha256).digest()[:_SECRET_BYTES]
    return base64.urlsafe_b64encode(named + mark).decode()


def parse(text: str) -> ParsedPersonalToken | None:
    """Returns what a token names; None for text that is not a token."""
    if not _SHAPE.fullmatch(text):
        return None
    raw = base64.urlsafe_b64decode(text)
    board_id, subject_id, person_id = (raw[start : start + _ID].hex() for start in (0, _ID, 2 * _ID))
    return ParsedPersonalToken(BoardId(board_id), subject_id, PersonId(person_id))


def link(text: str, person: StoredUnregisteredUser, since: Instant) -> StoredPersonalLink:
    """Returns the link of a token, which expires some time after this instant, that of the e-mail for a meeting."""
    return StoredPersonalLink(digest=digest(text), links=person.links, expires_at=expiry(since))


def expiry(since: Instant) -> Instant:
    """Returns when a link expires that is counted from this instant."""
    return shift(since, days=GUEST_LINK_DAYS)


def opens_meeting(
    text: str,
    stored: StoredPersonalLink | None,
    person: StoredUnregisteredUser | None,
    meeting: StoredMeeting | None,
    chosen: StoredMeetingPeople | None,
    now: Instant,
) -> bool:
    """Returns whether a token opens a meeting: while its person is active and invited, and the link has not ended.

    It ends with the archiving of its person, with another address of theirs, and some time after the last e-mail.
    """
    if person is None or meeting is None or meeting.status == "draft" or not is_invited(chosen, person.id):
        return False
    return is_current(text, stored, person, now)


def is_current(text: str, stored: StoredPersonalLink | None, person: StoredUnregisteredUser, now: Instant) -> bool:
    """Returns whether a token is the one of this link, and the link has not ended."""
    if stored is None or person.status != "active" or person.email is None or stored.links != person.links:
        return False
    return hmac.compare_digest(stored.digest, digest(text)) and now < stored.expires_at
