"""The occurrence of a series that a meeting is, as the meeting stores it."""

from governance.models.base import Stored


class OccurrenceOfMeeting(Stored):
    """The occurrence that a meeting is.

    `carried_to` is the meeting to which its open items were carried over, or the series for which they wait.
    `remaining` is there while transactions follow that move the rest to its agenda or to the backlog: the sources of
    what is not from the backlog.
    """

    series_id: str
    key: str
    carried_to: str | None = None
    remaining: tuple[str, ...] | None = None
