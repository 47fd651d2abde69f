"""Who left a board, or a committee of it, and when: who has not voted by then is recused from what is open.

A row is written in the transaction of the departure, so that a resolution that is read, or closed, after it knows of it.
"""

from __future__ import annotations

from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.limits import DEPARTURE_DAYS, EVENT_COMMIT_SECONDS
from governance.models.boards.board import Membership
from governance.models.resolutions.resolution import StoredDeparture
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import departure_key, resolutions_partition
from governance.store.schema.keys import Range, make_item
from governance.store.table import query
from governance.store.writes import Put, Write


def left_board(membership: Membership, now: Instant) -> Write:
    """Returns the write that notes that a member left the board."""
    return _put(
        StoredDeparture(board_id=membership.board_id, user_id=membership.user_id, join_id=membership.join_id, at=now)
    )


def left_committee(board_id: BoardId, user_id: UserId, committee_id: str, version: int, now: Instant) -> Write:
    """Returns the write that notes that a member left a committee, which has this version from then on."""
    return _put(
        StoredDeparture(
            board_id=board_id, user_id=user_id, committee_id=committee_id, committee_version=version, at=now
        )
    )


def _put(departure: StoredDeparture) -> Write:
    key = departure_key(departure.board_id, departure.at, departure.user_id, departure.committee_id)
    return Put(make_item(key, departure.item(), ttl=shift(departure.at, days=DEPARTURE_DAYS)))


def since(board_id: BoardId, opened_at: Instant) -> list[StoredDeparture]:
    """Returns who left since a resolution was opened; also who was about to leave at that instant."""
    above = ranges.DEPARTURES.prefix + shift(opened_at, seconds=-EVENT_COMMIT_SECONDS)
    span = Range(resolutions_partition(board_id), ranges.DEPARTURES.prefix, above=above)
    return decode_all(StoredDeparture, query(span))
