"""Who left a board or a committee of it, and when: voters who had not voted are recused from open resolutions.

A row is written in the transaction of the departure, so that every later read of a resolution knows of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.limits import DEPARTURE_DAYS, EVENT_COMMIT_SECONDS
from governance.models.boards.board import Membership
from governance.models.committees.committee import StoredCommittee
from governance.models.resolutions.resolution import StoredDeparture
from governance.store.decoding import decode_all
from governance.store.schema import ranges
from governance.store.schema.entities import departure_key, resolutions_partition
from governance.store.schema.keys import SEPARATOR, Range, make_item
from governance.store.table import query
from governance.store.writes import Put, Write


def left_board(membership: Membership, now: Instant) -> Write:
    """Returns the write that notes that a member left the board."""
    departure = StoredDeparture(
        board_id=membership.board_id, user_ids=(membership.user_id,), join_id=membership.join_id, at=now
    )
    return _put(departure, membership.join_id)


def left_committee(committee: StoredCommittee, user_ids: Iterable[UserId], now: Instant) -> list[Write]:
    """Returns the write that notes who left a committee, which is given as it is from then on; none for nobody."""
    departure = StoredDeparture(
        board_id=committee.board_id,
        user_ids=tuple(user_ids),
        committee_id=committee.id,
        committee_version=committee.version,
        at=now,
    )
    return [_put(departure, f"{committee.id}{SEPARATOR}{committee.version}")] if departure.user_ids else []


def _put(departure: StoredDeparture, cause: str) -> Write:
    key = departure_key(departure.board_id, departure.at, cause)
    return Put(make_item(key, departure.item(), ttl=shift(departure.at, days=DEPARTURE_DAYS)))


def since(board_id: BoardId, opened_at: Instant) -> list[StoredDeparture]:
    """Returns who left since a resolution was opened; also who was about to leave at that instant."""
    above = ranges.DEPARTURES.prefix + shift(opened_at, seconds=-EVENT_COMMIT_SECONDS)
    span = Range(resolutions_partition(board_id), ranges.DEPARTURES.prefix, above=above)
    return decode_all(StoredDeparture, query(span))
