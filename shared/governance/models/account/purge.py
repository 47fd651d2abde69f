"""The purge of a user."""

from governance.ids import UserId
from governance.models.base import Stored


class PurgeProgress(Stored):
    """The progress of a user's purge, so that an interrupted purge can continue.

    `searched_to` is the key of the last row of the table that was searched for the user's addresses. `recorded_to` is
    the id of the last board that has an audit entry of the purge; boards are recorded in the order of their ids.
    """

    user_id: UserId
    searched_to: tuple[str, str] | None = None
    searched: bool = False
    recorded_to: str = ""
    version: int = 1
