"""What the routes that put something on the agenda of a meeting in their body have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.errors import invalid_body, not_found
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.planning.backlog_item import PlaceBody
from governance.usecases.context import Context
from governance.usecases.meetings.agendas import check_still_shown, named_meeting


def placed_on(context: Context, body: PlaceBody) -> tuple[StoredMeeting, StoredAgenda | None]:
    """Returns the meeting that a body names, with its agenda; raises 400 if the caller sees no such meeting."""
    found = named_meeting(context, body.meeting_id)
    if found is None:
        raise invalid_body({"meetingId": "must be the id of a meeting of this board"})
    return found


def check_placed_still_shown(context: Context, data: Mapping[str, Any]) -> None:
    """Raises 404 if the meeting is gone or hidden by now, or its agenda names what the caller does not see any more."""
    if named_meeting(context, data["meetingId"]) is None:
        raise not_found()
    check_still_shown(context, data)
