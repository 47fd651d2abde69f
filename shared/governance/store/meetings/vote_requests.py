"""The request for votes on a meeting that was sent last (ADR deliveries).

It has a partition of its own, so that requests do not slow a board.
"""

from __future__ import annotations

from governance.instants import shift
from governance.limits import NOTIFICATION_DAYS
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.store.schema.entities import VOTE_REQUEST
from governance.store.schema.keys import Key, make_item
from governance.store.table import read_one
from governance.store.writes import ABSENT, Put, Write, equals


def _key(meeting_id: str) -> Key:
    return VOTE_REQUEST.key_for(meetingId=meeting_id)


def last(meeting_id: str) -> StoredVoteRequest:
    """Returns the last request for votes on a meeting; one of version 0 if there was none."""
    item = read_one(_key(meeting_id))
    return StoredVoteRequest.model_validate(item) if item else StoredVoteRequest()


def put(meeting_id: str, old: StoredVoteRequest, new: StoredVoteRequest) -> Write:
    """Returns the write of a request. It fails with `StaleRead` if another was sent meanwhile."""
    condition = equals(version=old.version) if old.version else ABSENT
    return Put(make_item(_key(meeting_id), new.item(), ttl=shift(new.sent_at, days=NOTIFICATION_DAYS)), condition)
