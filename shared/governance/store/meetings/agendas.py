"""Agendas and minutes: one item of the table each, under their meeting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from governance.agenda_limits import MINUTES_RESTORATION_DAYS
from governance.ids import BoardId
from governance.instants import shift
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.minutes import StoredMinutes
from governance.store.decoding import decode_all, decode_or_none
from governance.store.schema.entities import AGENDA
from governance.store.schema.keys import Key, make_item
from governance.store.schema.minutes import DELETED_MINUTES, MINUTES
from governance.store.table import read, read_one
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals


def put_agenda(old: StoredAgenda | None, new: StoredAgenda) -> Write:
    """Returns the write of an agenda. It fails with `StaleRead` if the earlier one changed since it was read."""
    key = AGENDA.key_for(boardId=new.board_id, meetingId=new.meeting_id)
    return Put(make_item(key, new.in_place_of(old).item()), equals(version=old.version) if old else ABSENT)


def agenda_of(board_id: BoardId, meeting_id: str) -> StoredAgenda | None:
    """Returns the agenda of a meeting; None if there is none, or one that cannot be read."""
    return decode_or_none(StoredAgenda, read_one(AGENDA.key_for(boardId=board_id, meetingId=meeting_id)))


def check_agenda_unchanged(agenda: StoredAgenda) -> Write:
    """Returns a check that an agenda is as it was read."""
    key = AGENDA.key_for(boardId=agenda.board_id, meetingId=agenda.meeting_id)
    return Check(key, equals(version=agenda.version))


def _minutes_key(board_id: BoardId, meeting_id: str) -> Key:
    return MINUTES.key_for(boardId=board_id, meetingId=meeting_id)


def minutes_of(board_id: BoardId, meeting_id: str) -> StoredMinutes | None:
    """Returns the minutes of a meeting; None if there are none."""
    item = read_one(_minutes_key(board_id, meeting_id))
    return StoredMinutes.model_validate(item) if item else None


def minutes_of_many(board_id: BoardId, meeting_ids: Iterable[str]) -> dict[str, StoredMinutes]:
    """Returns the minutes of those of these meetings that have some, by meeting, in one round trip."""
    items = read(_minutes_key(board_id, id_) for id_ in meeting_ids)
    return {minutes.meeting_id: minutes for minutes in decode_all(StoredMinutes, items.values())}


def with_minutes(
    board_id: BoardId, meeting_ids: Sequence[str]
) -> dict[str, tuple[StoredMinutes | None, StoredAgenda | None]]:
    """Returns the minutes and agendas of meetings by their ids, in one round trip; None for what does not exist."""
    minutes = {id_: _minutes_key(board_id, id_) for id_ in meeting_ids}
    of_agenda = {id_: AGENDA.key_for(boardId=board_id, meetingId=id_) for id_ in meeting_ids}
    items = read([*minutes.values(), *of_agenda.values()])
    return {
        id_: (
            decode_or_none(StoredMinutes, items.get(minutes[id_])),
            decode_or_none(StoredAgenda, items.get(of_agenda[id_])),
        )
        for id_ in meeting_ids
    }


def put_minutes(old: StoredMinutes | None, new: StoredMinutes) -> Write:
    """Returns the write of minutes. It fails with `StaleRead` if the earlier ones changed since they were read."""
    key = _minutes_key(new.board_id, new.meeting_id)
    return Put(make_item(key, new.in_place_of(old).item()), equals(version=old.version) if old else ABSENT)


def delete_minutes(minutes: StoredMinutes, deleted: StoredMinutes) -> list[Write]:
    """Returns the writes that delete minutes and keep them in place of what was deleted before.

    They fail with `StaleRead` if the minutes changed since they were read.
    """
    key = _minutes_key(minutes.board_id, minutes.meeting_id)
    return [Delete(key, equals(version=minutes.version)), put_deleted_minutes(deleted)]


def put_deleted_minutes(minutes: StoredMinutes) -> Write:
    """Returns the write of deleted minutes, which expire when they can no longer be restored."""
    key = DELETED_MINUTES.key_for(boardId=minutes.board_id, meetingId=minutes.meeting_id)
    expiry = shift(minutes.deleted_at, days=MINUTES_RESTORATION_DAYS) if minutes.deleted_at else None
    return Put(make_item(key, minutes.item(), ttl=expiry))


def restore_minutes(deleted: StoredMinutes, restored: StoredMinutes) -> list[Write]:
    """Returns the writes that restore deleted minutes.

    They fail with `StaleRead` if the meeting has minutes, or the deleted ones changed since they were read.
    """
    key = DELETED_MINUTES.key_for(boardId=deleted.board_id, meetingId=deleted.meeting_id)
    return [put_minutes(None, restored), Delete(key, equals(version=deleted.version))]


def check_minutes_unchanged(board_id: BoardId, meeting_id: str, minutes: StoredMinutes | None) -> Write:
    """Returns a check that the minutes of a meeting are those that were read, or that it still has none."""
    return Check(_minutes_key(board_id, meeting_id), equals(version=minutes.version) if minutes else ABSENT)
