"""Personal links: one item for each person without an account under the meeting, so that it is deleted with it."""

from __future__ import annotations

from governance.models.meetings.slot import StoredPersonalLink
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.store.schema.entities import PERSONAL_LINK
from governance.store.schema.keys import Key, make_item
from governance.store.writes import Check, Put, Write, equals


def _key(person: StoredUnregisteredUser, meeting_id: str) -> Key:
    return PERSONAL_LINK.key_for(boardId=person.board_id, meetingId=meeting_id, unregisteredUserId=person.id)


def put(person: StoredUnregisteredUser, meeting_id: str, link: StoredPersonalLink) -> Write:
    """Returns the write of a person's link to a meeting, which expires with it."""
    return Put(make_item(_key(person, meeting_id), link.item(), ttl=link.expires_at))


def check_open(person: StoredUnregisteredUser, meeting_id: str, link: StoredPersonalLink) -> Write:
    """Returns a check that the link is still the person's to the meeting."""
    return Check(_key(person, meeting_id), equals(digest=link.digest))
