"""What a resolution refers to: looked up when a draft names it, and once more when it is opened."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from governance.domain.access.visibility import can_see_meeting
from governance.domain.resolutions.opening import Circumstances
from governance.domain.resolutions.visibility import can_see
from governance.domain.resolutions.voting import is_over
from governance.errors import invalid_body
from governance.ids import UserId
from governance.models.boards.board import Membership
from governance.models.committees.committee import StoredCommittee
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import StoredVersions
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.resolutions.resolution import StoredContent, StoredResolution
from governance.store.boards import boards
from governance.store.committees.seats import seats_in
from governance.store.documents import documents
from governance.store.resolutions import resolutions
from governance.store.schema.entities import AGENDA, COMMITTEE, MEETING, VERSIONS_OF_DOCUMENT, seats_key
from governance.store.schema.keys import Item, Key
from governance.store.table import read
from governance.store.writes import StaleRead
from governance.usecases.context import Context
from governance.usecases.documents.readers import may_name
from governance.usecases.resolutions.reading import reader_of, state_of

_UNKNOWN_MEETING = "must be the id of a meeting of this board"
_UNKNOWN_ITEM = "must be the id of an item of the meeting's agenda"
_UNKNOWN_COMMITTEE = "must be the id of a committee that you are in"
_UNKNOWN_DOCUMENT = "must be the id of a document of this board"
_UNKNOWN_RESOLUTION = "must be the id of another resolution of this board"


def check_references(context: Context, resolution: StoredResolution, changed: AbstractSet[str]) -> None:
    """Raises 400 for each id among the changed fields of a draft that names nothing which the caller sees."""
    errors: dict[str, str] = {}
    if "committee_id" in changed and resolution.committee_id not in (None, *context.committee_ids):
        errors["committeeId"] = _UNKNOWN_COMMITTEE
    if changed & {"meeting_id", "agenda_item_id"}:
        errors |= _errors_of_meeting(context, resolution)
    if "document_ids" in changed:
        errors |= _errors_of_documents(context, resolution.document_ids)
    if "supersedes_id" in changed and resolution.supersedes_id is not None:
        superseded = resolutions.find(resolution.board_id, resolution.supersedes_id)
        if superseded is None or superseded.id == resolution.id or not can_see(reader_of(context), superseded):
            errors["supersedesId"] = _UNKNOWN_RESOLUTION
    if errors:
        raise invalid_body(errors)


def _errors_of_meeting(context: Context, resolution: StoredResolution) -> dict[str, str]:
    if resolution.meeting_id is None:
        return {} if resolution.agenda_item_id is None else {"agendaItemId": "must be given with its `meetingId`"}
    meeting, agenda = meeting_and_agenda(resolution)
    if meeting is None or not can_see_meeting(context.user_id, meeting):
        return {"meetingId": _UNKNOWN_MEETING}
    return {} if has_item(resolution, agenda) else {"agendaItemId": _UNKNOWN_ITEM}


def has_item(resolution: StoredResolution, agenda: StoredAgenda | None) -> bool:
    """Returns whether the agenda has the item that the resolution is about, if it is about one."""
    items = agenda.items if agenda else ()
    return resolution.agenda_item_id is None or any(item.id == resolution.agenda_item_id for item in items)


def _errors_of_documents(context: Context, document_ids: Iterable[str]) -> dict[str, str]:
    ids = list(document_ids)
    referenced = documents.get_by_ids(context.board.id, ids) if ids else {}
    visible = {id_ for id_, document in referenced.items() if may_name(context, document)}
    return {f"documentIds.{number}": _UNKNOWN_DOCUMENT for number, id_ in enumerate(ids) if id_ not in visible}


def meeting_and_agenda(resolution: StoredResolution) -> tuple[StoredMeeting | None, StoredAgenda | None]:
    """Returns the meeting of a resolution with its agenda, as far as they exist."""
    ids = {"boardId": resolution.board_id, "meetingId": resolution.meeting_id}
    key, agenda_key = MEETING.key_or_none(**ids), AGENDA.key_or_none(**ids)
    items = read([key, agenda_key]) if key and agenda_key else {}
    meeting = StoredMeeting.model_validate(items[key]) if key in items else None
    agenda = StoredAgenda.model_validate(items[agenda_key]) if agenda_key in items else None
    return meeting, agenda


def committee_of(resolution: StoredResolution) -> StoredCommittee | None:
    """Returns the committee of a resolution that the caller sees; None if it has none.

    Raises `StaleRead` for one that was just deleted: nobody sees the resolution any more.
    """
    if resolution.committee_id is None:
        return None
    key = COMMITTEE.key_for(boardId=resolution.board_id, committeeId=resolution.committee_id)
    item = read([key]).get(key)
    if item is None:
        raise StaleRead
    return StoredCommittee.model_validate(item)


def circumstances(
    context: Context, resolution: StoredResolution, content: StoredContent, committee: StoredCommittee | None
) -> Circumstances:
    """Returns what a resolution refers to, as it is now."""
    members = _members(resolution, content, committee)
    referenced = documents.get_by_ids(resolution.board_id, resolution.document_ids) if resolution.document_ids else {}
    meeting, agenda = meeting_and_agenda(resolution) if resolution.meeting_id else (None, None)
    is_restricted = any(document.committee_id is not None for document in referenced.values())
    return Circumstances(
        members=members,
        seats=_seats(resolution, members) if is_restricted else {},
        documents=referenced,
        meeting=meeting,
        has_agenda_item=has_item(resolution, agenda),
        superseded=_superseded(context, resolution),
        versions=_versions(resolution, referenced.values()),
    )


def _superseded(context: Context, resolution: StoredResolution) -> StoredResolution | None:
    """Returns the resolution whose place another is to take; with its result if the clock has closed it.

    One that the caller does not see counts as none: the response must not depend on its result.
    """
    if resolution.supersedes_id is None:
        return None
    superseded = resolutions.find(resolution.board_id, resolution.supersedes_id)
    if superseded is None or not can_see(reader_of(context), superseded):
        return None
    if not is_over(superseded, context.now):
        return superseded
    return state_of(superseded, resolutions.read_body(superseded.board_id, superseded.id), context.now).resolution


def _members(
    resolution: StoredResolution, content: StoredContent, committee: StoredCommittee | None
) -> dict[UserId, Membership]:
    """Returns the members that the voters are among."""
    if content.voters:
        members = boards.members_among(resolution.board_id, [voter.user_id for voter in content.voters])
    else:
        members = boards.members(resolution.board_id)
    if resolution.committee_id is None:
        return {member.user_id: member for member in members}
    seated = set(committee.member_ids) if committee else set()
    return {member.user_id: member for member in members if member.id in seated}


def _seats(resolution: StoredResolution, user_ids: Iterable[UserId]) -> dict[UserId, tuple[str, ...]]:
    keys: dict[UserId, Key] = {user_id: seats_key(resolution.board_id, user_id) for user_id in user_ids}
    rows: dict[Key, Item] = read(keys.values())
    return {user_id: seats_in(rows.get(key)).of(user_id) for user_id, key in keys.items()}


def _versions(resolution: StoredResolution, referenced: Iterable[StoredDocument]) -> dict[str, StoredVersions]:
    keys = [
        VERSIONS_OF_DOCUMENT.key_for(boardId=resolution.board_id, documentId=document.id) for document in referenced
    ]
    versions = [StoredVersions.model_validate(item) for item in read(keys).values()]
    return {entry.document_id: entry for entry in versions}
