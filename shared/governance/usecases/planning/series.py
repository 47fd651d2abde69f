"""What the backlog and agendas ask of the series of meetings. No board has any yet."""

from __future__ import annotations

from governance.errors import Reason, conflict, invalid_body
from governance.models.meetings.meeting import StoredMeeting
from governance.usecases.context import Context


def check_series(context: Context, series_id: str | None) -> None:
    """Raises 400 for a series that the board does not have."""
    del context
    if series_id is not None:
        raise invalid_body({"seriesId": "must be the id of a series of this board"})


def next_of_series(context: Context, meeting: StoredMeeting) -> str:
    """Returns the id of the next meeting of the same series; raises 409 `NO_SERIES` for a meeting of none."""
    del context, meeting
    raise conflict(Reason.NO_SERIES)
