"""Calendar invitations: the last one for each user and meeting, and the row that a reply finds it by."""

from __future__ import annotations

from dataclasses import dataclass

from governance.ids import BoardId, PersonId, RecipientId, UserId
from governance.instants import Instant, shift
from governance.limits import CALENDAR_INVITATION_DAYS
from governance.models.calendars.calendar import StoredCalendarInvitation
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import CALENDAR_INVITATION, delivered_partition
from governance.store.schema.keys import Item, Key, make_item
from governance.store.schema.lookups import reply_address_key
from governance.store.table import query, read_one
from governance.store.writes import ABSENT, Delete, Put, Write, equals


def key(recipient_id: RecipientId, meeting_id: str) -> Key:
    """Returns the key of a recipient's invitation to a meeting."""
    return CALENDAR_INVITATION.key_for(userId=recipient_id, meetingId=meeting_id)


def find(recipient_id: RecipientId, meeting_id: str) -> StoredCalendarInvitation | None:
    """Returns the invitation to a meeting that was last mailed to a recipient; None if there is none."""
    return from_item(read_one(key(recipient_id, meeting_id)))


def put(
    old: StoredCalendarInvitation | None, new: StoredCalendarInvitation, now: Instant, *, is_person: bool = False
) -> list[Write]:
    """Returns the writes of an invitation. They fail with `StaleRead` if the earlier one changed since it was read.

    Both rows expire when replies are no longer accepted. `is_person` says that it is that of a person without an
    account, whose id is in the place of a user's.
    """
    expiry = shift(max(now, new.event.end), days=CALENDAR_INVITATION_DAYS)
    invitee = {"unregisteredUserId" if is_person else "userId": new.user_id}
    address = {**invitee, "boardId": new.board_id, "meetingId": new.meeting_id}
    condition = equals(version=old.version) if old else ABSENT
    return [
        Put(make_item(key(new.user_id, new.meeting_id), new.item(), ttl=expiry), condition),
        Put(make_item(reply_address_key(new.token), address, ttl=expiry)),
    ]


def take_back(
    old: StoredCalendarInvitation | None, new: StoredCalendarInvitation, now: Instant, *, is_person: bool = False
) -> list[Write]:
    """Returns the writes that undo `put`, for a mail that was not sent."""
    if old is None:
        return [Delete(key(new.user_id, new.meeting_id), equals(version=new.version))]
    restored = old.model_copy(update={"version": new.version + 1})
    return put(new, restored, now, is_person=is_person)


def hand_over(invitation: StoredCalendarInvitation, user_id: UserId, now: Instant, *, has_own: bool) -> list[Write]:
    """Returns the writes by which a person's invitation becomes that of the user that the person was merged into.

    Where the user `has_own`, that one stays, and replies to either are theirs.
    """
    adopted, address = put(None, invitation.model_copy(update={"user_id": user_id}), now)
    return [address] if has_own else [adopted, address]


def list_of_user(user_id: UserId) -> list[StoredCalendarInvitation]:
    """Returns the invitations of a user, those of all boards."""
    listed = ranges.CALENDAR_INVITATIONS_OF_USER.within(delivered_partition(user_id))
    return decode_all(StoredCalendarInvitation, query(listed))


def from_item(item: Item | None) -> StoredCalendarInvitation | None:
    """Returns the invitation in an item."""
    return StoredCalendarInvitation.model_validate(item) if item else None


@dataclass(frozen=True)
class Invited:
    """The recipient of an address for replies, a user or a person without an account, and its meeting."""

    user_id: UserId | None
    person_id: PersonId | None
    board_id: BoardId
    meeting_id: str


def find_by_token(token: str) -> Invited | None:
    """Returns the recipient and the meeting of the address for replies with this token; None if there is none."""
    row = read_one(reply_address_key(token))
    if row is None:
        return None
    return Invited(row.get("userId"), row.get("unregisteredUserId"), row["boardId"], row["meetingId"])
