"""The rules of the answers of people without an account to a meeting (ADR people)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from governance.domain.meetings.meeting import check_editable, check_takes_place
from governance.instants import Instant
from governance.models.boards.unregistered_user import StoredUnregisteredUser
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import RsvpStatus
from governance.models.meetings.unregistered_rsvp import StoredUnregisteredRsvp, UnregisteredRsvp


def invited(person: StoredUnregisteredUser, meeting_id: str, now: Instant) -> StoredUnregisteredRsvp:
    """Returns the answer of a person who is invited and has given none."""
    return StoredUnregisteredRsvp(
        board_id=person.board_id,
        meeting_id=meeting_id,
        unregistered_user_id=person.id,
        updated_at=now,
        stamped_at=Instant(""),
    )


def answered(
    meeting: StoredMeeting,
    person: StoredUnregisteredUser,
    old: StoredUnregisteredRsvp | None,
    status: RsvpStatus,
    comment: str | None,
    now: Instant,
) -> StoredUnregisteredRsvp:
    """Returns a person's answer, which replaces the old one. Raises 409 `MEETING_FINALIZED` for a final meeting."""
    check_editable(meeting)
    check_takes_place(meeting)
    given = invited(person, meeting.id, now).model_copy(
        update={
            "status": status,
            "comment": comment,
            "sequence": meeting.sequence,
            "stamped_at": now,
            "version": old.version + 1 if old else 1,
        }
    )
    return given.in_place_of(old)


def of_people(
    people: Iterable[StoredUnregisteredUser], given: Mapping[str, StoredUnregisteredRsvp]
) -> list[UnregisteredRsvp]:
    """Returns the answers of those people who were invited or have answered, in their order."""
    return [_to_resource(given[person.id]) for person in people if person.id in given]


def _to_resource(rsvp: StoredUnregisteredRsvp) -> UnregisteredRsvp:
    updated_at = None if rsvp.status == "noAnswer" else rsvp.updated_at
    return UnregisteredRsvp.model_validate({**vars(rsvp), "updated_at": updated_at})
