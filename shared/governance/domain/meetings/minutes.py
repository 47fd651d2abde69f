"""The rules of minutes: when they are written, who sees them, and what makes them final (ADR meetings)."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from governance.agenda_limits import MINUTES_ITEMS, MINUTES_RESTORATION_DAYS
from governance.domain.meetings import in_camera
from governance.domain.meetings.in_camera import Reader
from governance.domain.meetings.meeting import check_editable, may_run
from governance.domain.members.unregistered_user import NOT_ACTIVE, NamedPeople
from governance.errors import Reason, conflict, invalid_body
from governance.ids import PersonId, UserId, new_id
from governance.instants import Instant, shift
from governance.limits import BODY_BYTES
from governance.models.boards.board import Membership
from governance.models.meetings.audience import StoredAudience
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import (
    Attendance,
    AttendanceBody,
    Decision,
    Minutes,
    MinutesBody,
    MinutesItem,
    MinutesItemBody,
    MinutesItemFields,
    Quorum,
    StoredAttendance,
    StoredMinutes,
    StoredMinutesItem,
)
from governance.scopes import Tier

if TYPE_CHECKING:
    from governance.models.resolutions.resolution import StoredResolution  # few minutes name one

_WRITTEN = {"in_progress", "completed"}


def check_written(meeting: StoredMeeting) -> None:
    """Raises 409 unless minutes may be written: `MEETING_FINALIZED`, else `INVALID_TRANSITION` before it has begun."""
    check_editable(meeting)
    if meeting.status not in _WRITTEN:
        raise conflict(Reason.INVALID_TRANSITION)


def may_write(meeting: StoredMeeting, minutes: StoredMinutes | None, member: Membership | None) -> bool:
    """Returns whether a member writes, deletes and restores the minutes: those who run the meeting, and their author.

    A member of None is a board token.
    """
    is_author = minutes is not None and member is not None and minutes.created_by_user_id == member.user_id
    return is_author or may_run(meeting, member)


def deleted(minutes: StoredMinutes, now: Instant) -> StoredMinutes:
    """Returns the minutes as they are kept after their deletion."""
    return minutes.model_copy(update={"deleted_at": now})


def is_restorable(minutes: StoredMinutes, now: Instant) -> bool:
    """Returns whether deleted minutes can still be restored."""
    return minutes.deleted_at is not None and now < shift(minutes.deleted_at, days=MINUTES_RESTORATION_DAYS)


def restored(meeting: StoredMeeting, kept: StoredMinutes, current: StoredMinutes | None, now: Instant) -> StoredMinutes:
    """Returns the minutes that a restoration of deleted ones makes.

    Raises 409 as `check_written` does, then 409 `MINUTES_EXIST` if the meeting has minutes again.
    """
    check_written(meeting)
    if current is not None:
        raise conflict(Reason.MINUTES_EXIST)
    return kept.model_copy(update={"deleted_at": None, "updated_at": now, "version": kept.version + 1})


def can_see(minutes: StoredMinutes, tier: Tier | None) -> bool:
    """Returns whether somebody of this tier sees the minutes: collaborators drafts, every member final ones.

    A tier of None is a board token, which sees both.
    """
    return minutes.status == "final" or tier is None or tier >= Tier.COLLABORATOR


@dataclass(frozen=True)
class KnownSubjects:
    """What minutes may name: members, people without an account, items of the agenda, action items, resolutions.

    `agenda_items` have the audiences of those in camera; `writer` is who writes.
    """

    members: Collection[str]
    people: NamedPeople
    agenda_items: Mapping[str, StoredAudience | None]
    action_items: Collection[str]
    writer: Reader
    resolutions: Collection[str] = ()


def may_name(meeting: StoredMeeting, resolution: StoredResolution) -> bool:
    """Returns whether minutes may name a resolution: one of their meeting that was opened, and of no committee."""
    return resolution.meeting_id == meeting.id and resolution.committee_id is None and resolution.status != "draft"


def changed(
    meeting: StoredMeeting,
    old: StoredMinutes | None,
    body: MinutesBody,
    known: KnownSubjects,
    user_id: UserId | None,
    now: Instant,
) -> StoredMinutes:
    """Returns the minutes that the body sets; what the earlier ones name may stay, even if it no longer exists.

    So does what they say about the approval of other minutes, and what the writer does not see, as it is and in its
    place. Final minutes stay final. Raises 400 for what is not known, for the id of an item that the minutes do not
    have, and for somebody who attends twice; 409 `LIMIT_REACHED` where items in camera leave no room.
    """
    withheld = in_camera.hidden(old.items if old else (), known.writer)
    errors = {
        **_errors_of_attendance(body.attendance, _entries(old), known),
        **_errors_of_ids(body.items, old),
        **_errors_of_items(body.items, withheld, old, _with_earlier(known, old)),
    }
    if errors:
        raise invalid_body(errors)
    new = StoredMinutes(
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        attendance=tuple(_stored_entry(entry) for entry in body.attendance),
        items=_stored_items(body.items, withheld, old, known),
        created_by_user_id=old.created_by_user_id if old else user_id,
        created_at=old.created_at if old else now,
        updated_at=now,
        version=old.version + 1 if old else 1,
    )
    _check_room(new)
    if old is None or old.status == "draft":
        return new
    return new.model_copy(update={"status": old.status, "quorum": quorum(new, known.members)})


def people_of(entries: Iterable[StoredAttendance | AttendanceBody]) -> set[PersonId]:
    """Returns the ids of the people without an account who are in the attendance."""
    return {entry.unregistered_user_id for entry in entries if entry.unregistered_user_id}


def _stored_entry(entry: AttendanceBody) -> StoredAttendance:
    linked = {"name"} if entry.unregistered_user_id else set()
    return StoredAttendance(**entry.model_dump(exclude=linked))


def _stored_items(
    items: Iterable[MinutesItemBody], withheld: Collection[str], old: StoredMinutes | None, known: KnownSubjects
) -> tuple[StoredMinutesItem, ...]:
    """Returns these items, and the earlier ones that nobody changes or removes, or that the writer does not see."""
    earlier = {item.id: item for item in (old.items if old else ())}
    kept = {id_ for id_, item in earlier.items() if item.approved_meeting_id is not None}
    new = [
        earlier[item.id]
        if item.id and (item.withheld or item.id in kept)
        else _stored_item(item, earlier.get(item.id or ""), known)
        for item in items
        if item.id not in withheld
    ]
    return in_camera.with_kept(new, [*earlier.values()], {*kept, *withheld})


def _check_room(minutes: StoredMinutes) -> None:
    """Raises 409 `LIMIT_REACHED` for minutes that are larger than a body may make them, by what others have written."""
    has_audiences = any(item.audience for item in minutes.items)
    is_large = len(minutes.items) > MINUTES_ITEMS or len(minutes.to_json().encode()) > BODY_BYTES
    if has_audiences and is_large:
        raise conflict(Reason.LIMIT_REACHED)


def _stored_item(body: MinutesItemBody, old: StoredMinutesItem | None, known: KnownSubjects) -> StoredMinutesItem:
    """Returns an item; one in camera has another salt whenever it changes, so that its seal never tells how."""
    is_given, earlier = "audience" in body.model_fields_set, _earlier_audience(body, old, known)
    audience = in_camera.chosen(body.audience, earlier, known.writer, is_given=is_given)
    written = body.model_dump(exclude={"audience", "withheld"})
    new = StoredMinutesItem.model_validate({**written, "id": body.id or new_id(), "audience": audience})
    if audience is None:
        return new
    unchanged = new.model_copy(update={"salt": old.salt}) if old else None
    return unchanged if unchanged and unchanged == old else new.model_copy(update={"salt": secrets.token_hex(32)})


def _earlier_audience(
    body: MinutesItemBody, old: StoredMinutesItem | None, known: KnownSubjects
) -> StoredAudience | None:
    """Returns the audience that an item has unless another is chosen: of a new one, that of its item of the agenda."""
    if old is not None:
        return old.audience
    on_agenda = known.agenda_items.get(body.agenda_item_id or "")
    return on_agenda if known.writer.sees(on_agenda) else None


def _entries(minutes: StoredMinutes | None) -> tuple[StoredAttendance, ...]:
    return minutes.attendance if minutes else ()


def _with_earlier(known: KnownSubjects, old: StoredMinutes | None) -> KnownSubjects:
    items = old.items if old else ()
    named = {item.agenda_item_id for item in items if item.agenda_item_id}
    tasks = {task for item in items for task in item.action_item_ids}
    return replace(
        known,
        agenda_items={**dict.fromkeys(named), **known.agenda_items},
        action_items={*known.action_items, *tasks},
        resolutions={*known.resolutions, *named_resolutions(items)},
    )


def _errors_of_attendance(
    entries: Iterable[AttendanceBody], before: Collection[StoredAttendance], known: KnownSubjects
) -> dict[str, str]:
    errors: dict[str, str] = {}
    members, people = {*known.members, *(entry.user_id for entry in before)}, people_of(before)
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        at, person_id = f"attendance.{index}", entry.unregistered_user_id
        has_name = entry.name is not None and (person_id is None or entry.name != known.people.name_of(person_id))
        if [entry.user_id is not None, person_id is not None, has_name].count(True) != 1:
            errors[at] = "must have one of `userId`, `unregisteredUserId` and `name`"
        elif entry.user_id is not None and (entry.user_id not in members or entry.user_id in seen):
            errors[f"{at}.userId"] = "must be the user id of a member of the board, once"
        elif person_id is not None and (not known.people.may_be_named(person_id, people) or person_id in seen):
            errors[f"{at}.unregisteredUserId"] = f"{NOT_ACTIVE}, once"
        seen.add(entry.user_id or person_id or "")
    return errors


def _errors_of_ids(items: Iterable[MinutesItemBody], old: StoredMinutes | None) -> dict[str, str]:
    errors: dict[str, str] = {}
    unnamed = {item.id for item in old.items} if old else set()
    for index, item in enumerate(items):
        if item.id is not None and item.id not in unnamed:
            errors[f"items.{index}.id"] = "must be the id of an item of these minutes, once"
        unnamed.discard(item.id or "")
    return errors


def _errors_of_items(
    items: Iterable[MinutesItemBody], withheld: Collection[str], old: StoredMinutes | None, known: KnownSubjects
) -> dict[str, str]:
    errors: dict[str, str] = {}
    earlier = {item.id: item for item in (old.items if old else ())}
    for index, item in enumerate(items):
        if item.withheld or item.id in withheld:
            continue
        audience = _earlier_audience(item, earlier.get(item.id or ""), known)
        of_audience = in_camera.errors_of(item.audience, audience, known.writer)
        errors |= {f"items.{index}.{name}": error for name, error in of_audience.items()}
        if item.agenda_item_id is not None and item.agenda_item_id not in known.agenda_items:
            errors[f"items.{index}.agendaItemId"] = "must be the id of an item of the meeting's agenda"
        if item.resolution_id is not None and item.resolution_id not in known.resolutions:
            errors[f"items.{index}.resolutionId"] = "must be the id of a resolution of this meeting that was opened"
        elif item.resolution_id is not None and item.decision is not None:
            errors[f"items.{index}.decision"] = "must not be given beside `resolutionId`, which says what was decided"
        for position, task in enumerate(item.action_item_ids):
            if task not in known.action_items:
                errors[f"items.{index}.actionItemIds.{position}"] = "must be the id of an action item of this board"
    return errors


def quorum(minutes: StoredMinutes, members: Collection[str]) -> Quorum:
    """Returns how many of the members attend, in person or remotely."""
    there = {entry.user_id for entry in minutes.attendance if entry.present != "absent"}
    return Quorum(present=sum(1 for user_id in members if user_id in there), members=len(members))


def final(minutes: StoredMinutes, members: Collection[str]) -> StoredMinutes:
    """Returns the minutes as they are final, with the quorum of these members unless they were final before."""
    fixed = minutes.quorum or quorum(minutes, members)
    changes = {"status": "final", "quorum": fixed, "version": minutes.version + 1}
    return minutes.model_copy(update=changes)


def to_resource(
    minutes: StoredMinutes,
    members: Collection[str],
    people: NamedPeople,
    reader: Reader,
    resolutions: Mapping[str, StoredResolution] = MappingProxyType({}),
) -> Minutes:
    """Returns the minutes as a reader sees them, with the current names of people without an account.

    `members` are the current members, whose quorum is shown while the minutes are a draft; `resolutions` are those that
    the minutes name, by id.
    """
    return Minutes(
        meeting_id=minutes.meeting_id,
        status=minutes.status,
        attendance=tuple(_entry(entry, people) for entry in minutes.attendance),
        items=tuple(_shown(item, reader, resolutions) for item in minutes.items),
        quorum=minutes.quorum or quorum(minutes, members),
        created_at=minutes.created_at,
        updated_at=minutes.updated_at,
    )


def _shown(item: StoredMinutesItem, reader: Reader, resolutions: Mapping[str, StoredResolution]) -> MinutesItem:
    if not reader.sees(item.audience):
        return MinutesItem(id=item.id, text=None, action_item_ids=None, audience=None, withheld=True)
    written = item.model_dump(include={*MinutesItemFields.model_fields})
    shown = MinutesItem(**written, audience=reader.shown(item.audience), withheld=False)
    if item.resolution_id is None:
        return shown
    resolution = resolutions.get(item.resolution_id)
    return shown.model_copy(update={"decision": decision_of(resolution) if resolution else None})


def decision_of(resolution: StoredResolution) -> Decision | None:
    """Returns what a resolution decided; None while it is neither carried nor rejected."""
    text = f"{resolution.number} {resolution.title}"
    match resolution.status:
        case "carried" | "rejected" as result:
            return Decision(text=text, result=result)
        case _:
            return None


def named_resolutions(items: Iterable[MinutesItemFields] | Iterable[MinutesItemBody]) -> set[str]:
    """Returns the ids of the resolutions that items of minutes name."""
    return {item.resolution_id for item in items if item.resolution_id is not None}


def _entry(entry: StoredAttendance, people: NamedPeople) -> Attendance:
    name = people.name_of(entry.unregistered_user_id) or entry.name
    return Attendance.model_validate({**entry.model_dump(), "name": name})
