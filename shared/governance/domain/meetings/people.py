"""The rules of who among the people without an account is invited to a meeting (ADR people)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.domain.meetings.meeting import check_editable
from governance.domain.members.unregistered_user import NOT_ACTIVE
from governance.errors import invalid_body
from governance.ids import PersonId
from governance.instants import Instant
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.people import MeetingPeople, MeetingPeopleBody, StoredMeetingPeople


def is_invited(chosen: StoredMeetingPeople | None, person_id: PersonId) -> bool:
    """Returns whether an active person is invited: everybody, unless some were chosen."""
    return chosen is None or chosen.unregistered_user_ids is None or person_id in chosen.unregistered_user_ids


def invited(chosen: StoredMeetingPeople | None, active: Iterable[PersonId]) -> list[PersonId]:
    """Returns those of the active people of the board who are invited, in the same order."""
    return [person_id for person_id in active if is_invited(chosen, person_id)]


def changed(
    meeting: StoredMeeting,
    old: StoredMeetingPeople | None,
    body: MeetingPeopleBody,
    active: Sequence[PersonId],
    now: Instant,
) -> StoredMeetingPeople | None:
    """Returns the new choice; None if it is the same among the active people of the board.

    Raises 409 `MEETING_FINALIZED` for a finalized meeting, and 400 for an id that is not an active person's.
    """
    check_editable(meeting)
    wanted = body.unregistered_user_ids
    if unknown := {*(wanted or ())}.difference(active):
        index = next(number for number, person_id in enumerate(wanted or ()) if person_id in unknown)
        raise invalid_body({f"unregisteredUserIds.{index}": NOT_ACTIVE})
    new = StoredMeetingPeople(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        unregistered_user_ids=None if wanted is None else tuple(wanted),
        updated_at=now,
        version=old.version + 1 if old else 1,
    )
    return None if _shown(old, active) == _shown(new, active) else new.in_place_of(old)


def without(chosen: StoredMeetingPeople, person_id: PersonId, now: Instant) -> StoredMeetingPeople:
    """Returns the choice without a person, who was merged into a member."""
    kept = tuple(id_ for id_ in chosen.unregistered_user_ids or () if id_ != person_id)
    return chosen.model_copy(update={"unregistered_user_ids": kept, "updated_at": now, "version": chosen.version + 1})


def to_resource(
    meeting: StoredMeeting, chosen: StoredMeetingPeople | None, active: Iterable[PersonId]
) -> MeetingPeople:
    """Returns the choice as the members of the board see it."""
    return MeetingPeople(
        meeting_id=meeting.id,
        unregistered_user_ids=_shown(chosen, active),
        updated_at=chosen.updated_at if chosen else None,
    )


def _shown(chosen: StoredMeetingPeople | None, active: Iterable[PersonId]) -> tuple[PersonId, ...] | None:
    is_of_all = chosen is None or chosen.unregistered_user_ids is None
    return None if is_of_all else tuple(invited(chosen, active))
