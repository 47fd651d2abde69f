"""Reads the booked time of a meeting for the calendar of a guest (an extension of the API, ADR guests)."""

from __future__ import annotations

from dataclasses import replace

from governance.domain.calendars.calendar import CalendarEvent, meeting_event
from governance.errors import not_found
from governance.instants import Instant
from governance.models.boards.board import StoredBoard
from governance.store.schema.entities import (
    BOARD,
    GUEST_LINK,
    MEETING,
    MEETING_PEOPLE,
    PERSONAL_LINK,
    UNREGISTERED_USER,
)
from governance.store.table import read
from governance.usecases.context import Context
from governance.usecases.meetings.guests import find_meeting, linked_meeting


def read_guest_event(token: str, now: Instant) -> CalendarEvent:
    """Returns the event of the meeting that a guest link opens, with the details and the address of the link's page.

    Raises 404 for a link that opens nothing, and for a meeting without a time.
    """
    ids = find_meeting({"token": token})
    if ids is None:
        raise not_found()
    entities = (BOARD, MEETING, GUEST_LINK, PERSONAL_LINK, UNREGISTERED_USER, MEETING_PEOPLE)
    keys = [entity.key_or_none(**ids) for entity in entities]
    loaded = read(key for key in keys if key is not None)
    board = loaded.get(BOARD.key_for(**ids))
    if board is None:
        raise not_found()
    shown = StoredBoard.model_validate(board)
    linked = linked_meeting(Context(now=now, params={**ids, "token": token}, loaded=loaded))
    event = meeting_event(linked.meeting, shown)
    if event is None:
        raise not_found()
    return replace(event, place=None, description=shown.name, path=f"/guest/{token}")
