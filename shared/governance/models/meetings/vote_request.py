"""The request for votes on a meeting's new slots (ADR deliveries)."""

from governance.instants import Instant
from governance.models.base import Stored


class StoredVoteRequest(Stored):
    """The request that was sent last, about the slots created after `since` and up to `until`.

    `due_at` is when it was due, `sent_at` when it was sent.

    `version` is 0 before the first.
    """

    due_at: Instant = Instant("")
    sent_at: Instant = Instant("")
    since: Instant = Instant("")
    until: Instant = Instant("")
    version: int = 0
