"""What two requests read and replace at once: the second of them fails, whichever item it is, the first version too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.models.base import Stored
from governance.models.board import Seats
from governance.models.notification import StoredPreferences
from governance.models.vote_request import StoredVoteRequest
from governance.models.webhook import StoredWebhooks
from governance.store import (
    agendas,
    checks,
    document_versions,
    notifications,
    rsvps,
    vote_requests,
    webhooks,
)
from governance.store.schema.entities import seats_key
from governance.store.seats import put_seats
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write
from tests.store.stored_items import AGENDA, BOARD, CHECKS, MEETING, MINUTES, NOW, READ_MARK, RSVP, USER, VERSIONS

Replace = Callable[[Any, Any], Write]

ALWAYS_THERE: dict[str, tuple[Replace, Stored]] = {
    "seats": (lambda old, new: put_seats(seats_key(BOARD, USER), old, new), Seats()),
    "request for votes": (
        lambda old, new: vote_requests.put(MEETING, old, new),
        StoredVoteRequest(sent_at=NOW),
    ),
    "read mark": (notifications.put_read_mark, READ_MARK),
    "preferences": (notifications.put_preferences, StoredPreferences(user_id=USER)),
    "webhooks": (webhooks.replace, StoredWebhooks(board_id=BOARD)),
    "checks of a report": (checks.renew, CHECKS),
}
"""Items that are empty, of version 0, until they are written."""
MADE_ONCE: dict[str, tuple[Replace, Stored]] = {
    "agenda": (agendas.put_agenda, AGENDA),
    "minutes": (agendas.put_minutes, MINUTES),
    "answer to a meeting": (rsvps.put, RSVP),
    "versions of a document": (document_versions.replace, VERSIONS),
}
"""Items that are absent until they are written."""


@pytest.mark.parametrize("kind", [*ALWAYS_THERE, *MADE_ONCE])
def test_of_two_that_replace_what_both_read_the_second_fails(kind: str, store: str) -> None:
    del store
    replace, sample = (ALWAYS_THERE | MADE_ONCE)[kind]
    none = sample if kind in ALWAYS_THERE else None
    first, second, third = (sample.model_copy(update={"version": number}) for number in (1, 2, 3))
    for old, new in ((none, first), (first, second), (second, third)):
        transact([replace(old, new)])
        with pytest.raises(StaleRead):
            transact([replace(old, new)])
