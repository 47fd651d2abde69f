"""The rules of a merge: how what names a person without an account names a member instead (ADR merging)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from governance.domain.meetings.agenda import AnyItem
from governance.domain.members import unregistered_user as people
from governance.ids import PersonId, UserId, membership_id, user_id_of
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.rsvp import StoredRsvp, StoredUnregisteredRsvp
from governance.models.meetings.slot import StoredVote
from governance.models.members.unregistered_user import StoredMerge, StoredUnregisteredUser

if TYPE_CHECKING:
    from governance.models.action_items.action_item import (
        StoredActionItem,  # only what is carried over or moved needs it
    )


def begun(
    person: StoredUnregisteredUser, member: Membership, actor: UserId | None, due_at: Instant, now: Instant
) -> StoredUnregisteredUser:
    """Returns the person with the merge that begins: nothing new can name them. Raises 409 `MERGED` or `SCRUBBED`."""
    people.check_changeable(person)
    merge = StoredMerge(
        user_id=member.user_id,
        join_id=member.join_id,
        actor_user_id=actor,
        due_at=due_at,
        status_before=person.status,
    )
    into = {"merged_into_member_id": member.id, "merged_into_join_id": member.join_id}
    return people.changed(person.model_copy(update={"status": "merged", "merge": merge, **into}), now)


def begun_again(person: StoredUnregisteredUser, now: Instant) -> StoredUnregisteredUser:
    """Returns a merged person with the mark that the merge had; the same object for one who is not merged."""
    member_id, join_id = person.merged_into_member_id, person.merged_into_join_id
    if person.status != "merged" or member_id is None or join_id is None:
        return person
    merge = StoredMerge(
        user_id=user_id_of(person.board_id, member_id),
        join_id=join_id,
        actor_user_id=None,
        due_at=now,
        status_before="merged",
    )
    return people.changed(person.model_copy(update={"merge": merge}), person.updated_at)


def taken_back(person: StoredUnregisteredUser, merge: StoredMerge) -> StoredUnregisteredUser:
    """Returns the person as they were before a merge that was refused after it began."""
    before = {"status": merge.status_before, "merge": None, "merged_into_member_id": None, "merged_into_join_id": None}
    return people.changed(person.model_copy(update=before), person.updated_at)


def advanced(
    person: StoredUnregisteredUser, merge: StoredMerge, kind: str | None, number: int
) -> StoredUnregisteredUser:
    """Returns the person after so many more of a kind have moved; None is for what is not counted."""
    moved = merge.moved.plus(kind, number) if kind else merge.moved
    further = merge.model_copy(update={"moved": moved})
    return people.changed(person.model_copy(update={"merge": further}), person.updated_at)


def finished(person: StoredUnregisteredUser) -> StoredUnregisteredUser:
    """Returns the person once nothing of theirs is left."""
    return people.changed(person.model_copy(update={"merge": None}), person.updated_at)


def agenda_of_member(
    agenda: StoredAgenda, person_id: PersonId, user_id: UserId, now: Instant
) -> tuple[StoredAgenda, int]:
    """Returns the agenda with the member as presenter in place of the person, and of how many items."""
    items, number = items_of_member(agenda.items, person_id, user_id)
    new = agenda.model_copy(update={"items": items, "updated_at": now, "version": agenda.version + 1})
    return new, number


def items_of_member(items: Sequence[AnyItem], person_id: PersonId, user_id: UserId) -> tuple[tuple[AnyItem, ...], int]:
    """Returns items with the member as presenter in place of the person, and of how many."""
    presents = {"presenter_user_id": user_id, "presenter_unregistered_user_id": None, "presenter_name": None}
    own = [item.presenter_unregistered_user_id == person_id for item in items]
    changed = (item.model_copy(update=presents) if theirs else item for item, theirs in zip(items, own, strict=True))
    return tuple(changed), sum(own)


def both_attend(minutes: StoredMinutes, person_id: PersonId, user_id: UserId) -> bool:
    """Returns whether the person and the member both have an entry in the attendance."""
    entries = minutes.attendance
    return any(entry.unregistered_user_id == person_id for entry in entries) and any(
        entry.user_id == user_id for entry in entries
    )


def minutes_of_member(
    minutes: StoredMinutes, person_id: PersonId, user_id: UserId, now: Instant
) -> tuple[StoredMinutes, int]:
    """Returns the minutes, final ones too, with the person's entry as the member's, and the number of such entries.

    An entry that the member has got since the merge began stays, and the person's is dropped.
    """
    dropped = both_attend(minutes, person_id, user_id)
    kept = [entry for entry in minutes.attendance if not (dropped and entry.unregistered_user_id == person_id)]
    own = [entry.unregistered_user_id == person_id for entry in kept]
    entries = tuple(
        entry.model_copy(update={"user_id": user_id, "unregistered_user_id": None, "name": None}) if theirs else entry
        for entry, theirs in zip(kept, own, strict=True)
    )
    new = minutes.model_copy(update={"attendance": entries, "updated_at": now, "version": minutes.version + 1})
    return new, sum(own)


def item_of_member(item: StoredActionItem, user_id: UserId, now: Instant) -> StoredActionItem:
    """Returns the action item with the member as its assignee."""
    assigned = {"assignee_user_id": user_id, "assignee_name": None, "unregistered_assignee": None}
    return item.model_copy(update={**assigned, "updated_at": now, "version": item.version + 1})


def vote_of_member(
    vote: StoredVote, old: StoredVote | None, merge: StoredMerge, user: StoredUser | None
) -> StoredVote | None:
    """Returns the guest's vote as the member's; None where the member's own vote stays.

    A vote of an earlier membership does not count. A purged member's vote has no comment.
    """
    if old is not None and old.join_id == merge.join_id:
        return None
    comment = None if user is None or user.purged else vote.comment
    own = {"user_id": merge.user_id, "join_id": merge.join_id, "comment": comment}
    of_guests = {"email": None, "recorded_at": None, "is_personal": False, "unregistered_user_id": None}
    return vote.model_copy(update={**own, **of_guests})


def answer_of_member(
    given: StoredUnregisteredRsvp, old: StoredRsvp | None, merge: StoredMerge, user: StoredUser | None
) -> StoredRsvp | None:
    """Returns the person's answer to a meeting as the member's; None where they gave none, or the member's is newer."""
    stays = old is not None and old.join_id == merge.join_id and old.status != "noAnswer"
    if given.status == "noAnswer" or (stays and old is not None and old.updated_at >= given.updated_at):
        return None
    new = StoredRsvp(
        board_id=given.board_id,
        meeting_id=given.meeting_id,
        user_id=merge.user_id,
        join_id=merge.join_id,
        status=given.status,
        comment=None if user is None or user.purged else given.comment,
        updated_at=given.updated_at,
        sequence=given.sequence,
        stamped_at=given.stamped_at,
        version=old.version + 1 if old else 1,
    )
    return new.in_place_of(old)


def is_merge_into(person: StoredUnregisteredUser, member: Membership) -> bool:
    """Returns whether a merge of the person into this member has begun and is not complete."""
    return person.merge is not None and membership_id(person.board_id, person.merge.user_id) == member.id
