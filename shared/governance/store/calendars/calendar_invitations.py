"""Calendar invitations: the last one for each user and meeting, and the row that a reply finds it by."""

from __future__ import annotations

from governance.ids import UserId
from governance.instants import Instant, shift
from governance.limits import CALENDAR_INVITATION_DAYS
from governance.models.calendar import StoredCalendarInvitation
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import CALENDAR_INVITATION, delivered_partition
from governance.store.schema.keys import Item, Key, make_item
from governance.store.schema.lookups import reply_address_key
from governance.store.table import query, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def key(user_id: UserId, meeting_id: str) -> Key:
    """Returns the key of a user's invitation to a meeting."""
    return CALENDAR_INVITATION.key_for(userId=user_id, meetingId=meeting_id)


def put(old: StoredCalendarInvitation | None, new: StoredCalendarInvitation, now: Instant) -> list[Write]:
    """Returns the writes of an invitation. They fail with `StaleRead` if the earlier one changed since it was read.

    Both rows expire when replies are no longer accepted.
    """
    expiry = shift(max(now, new.event.end), days=CALENDAR_INVITATION_DAYS)
    address = {"userId": new.user_id, "boardId": new.board_id, "meetingId": new.meeting_id}
    condition = equals(version=old.version) if old else ABSENT
    return [
        Put(make_item(key(new.user_id, new.meeting_id), new.item(), ttl=expiry), condition),
        Put(make_item(reply_address_key(new.token), address, ttl=expiry)),
    ]


def take_back(old: StoredCalendarInvitation | None, new: StoredCalendarInvitation, now: Instant) -> list[Write]:
    """Returns the writes that undo `put`, for a mail that was not sent."""
    if old is None:
        return [Delete(key(new.user_id, new.meeting_id), equals(version=new.version))]
    restored = old.model_copy(update={"version": new.version + 1})
    return put(new, restored, now)


def list_of_user(user_id: UserId) -> list[StoredCalendarInvitation]:
    """Returns the invitations of a user, those of all boards."""
    listed = ranges.CALENDAR_INVITATIONS_OF_USER.within(delivered_partition(user_id))
    return decode_all(StoredCalendarInvitation, query(listed))


def from_item(item: Item | None) -> StoredCalendarInvitation | None:
    """Returns the invitation in an item."""
    return StoredCalendarInvitation.model_validate(item) if item else None


def find_by_token(token: str) -> tuple[UserId, str, str] | None:
    """Returns the user, the board and the meeting that the address for replies with this token was made for."""
    row = read_one(reply_address_key(token))
    return (UserId(row["userId"]), row["boardId"], row["meetingId"]) if row else None
