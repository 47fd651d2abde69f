"""The occurrence of a series that a meeting is, as the meeting stores it."""

from governance.models.base import Stored


class OccurrenceOfMeeting(Stored):
    """The occurrence that a meeting is; `carried_to` is the meeting to which its open items were carried over."""

    series_id: str
    key: str
    carried_to: str | None = None
