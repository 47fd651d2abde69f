"""What the backlog and agendas ask of the series of meetings."""

from __future__ import annotations

from governance.domain.access.visibility import can_see_document
from governance.domain.series import occurrences as occurrence_rules
from governance.errors import Reason, conflict, invalid_body
from governance.models.meetings.meeting import StoredMeeting
from governance.models.series.series import StoredSeries
from governance.store.series import series as store
from governance.usecases.context import Context
from governance.usecases.series.neighbours import following


def check_series(context: Context, series_id: str | None, committee_id: str | None) -> None:
    """Raises 400 for a series that the caller does not see, or that does not take what waits for this committee."""
    if series_id is None:
        return
    series = _visible(context, series_id)
    if series is None or series.committee_id != committee_id:
        raise invalid_body({"seriesId": "must be the id of a series of this board, or of the item's committee"})


def _visible(context: Context, series_id: str) -> StoredSeries | None:
    series = store.find(context.board.id, series_id)
    return series if series and can_see_document(context.committee_ids, series.committee_id) else None


def next_of_series(context: Context, meeting: StoredMeeting) -> StoredMeeting | StoredSeries:
    """Returns the next meeting of the same series that is not begun; its series if none is opened.

    Raises 409 `NO_SERIES` for a meeting of no series, and where no occurrence is to come.
    """
    series = _visible(context, meeting.occurrence.series_id) if meeting.occurrence else None
    if series is None:
        raise conflict(Reason.NO_SERIES)
    if (found := following(meeting)) is not None:
        return found
    if not occurrence_rules.planned(series, context.now, 1):
        raise conflict(Reason.NO_SERIES)
    return series
