"""What two requests read and replace at once: the second of them fails, whichever item it is, the first version too."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

import pytest

from governance.ids import BoardId
from governance.models.base import Stored
from governance.models.board import Seats
from governance.models.example_board import ExampleProgress
from governance.models.export import StoredExport
from governance.models.notification import StoredPreferences
from governance.models.vote_request import StoredVoteRequest
from governance.models.webhook import StoredWebhooks
from governance.store import (
    agendas,
    checks,
    document_versions,
    example_boards,
    exports,
    notifications,
    rsvps,
    vote_requests,
    webhooks,
)
from governance.store.attributes import marshal
from governance.store.dynamodb import client
from governance.store.schema.entities import seats_key
from governance.store.seats import put_seats
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write, key_of_write
from tests.store.stored_items import (
    AGENDA,
    BOARD,
    CHECKS,
    MEETING,
    MINUTES,
    NOW,
    ONE,
    READ_MARK,
    RSVP,
    USER,
    VERSIONS,
)

Replace = Callable[[Any, Any], Write]
EXPORT = StoredExport(id=ONE, user_id=USER, board_id=BOARD, created_at=NOW)

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


OUTDATED: dict[str, Callable[[], Write]] = {
    "versions of a deleted document": lambda: document_versions.delete(first(VERSIONS)),
    "export": lambda: exports.replace(first(EXPORT), EXPORT),
    "progress of an example board": lambda: example_boards.advance(BOARD, ExampleProgress(version=1), "x")[1],
}
"""Writes that hold only for the first version of an item."""
S = TypeVar("S", bound=Stored)


def first(item: S) -> S:
    return item.model_copy(update={"version": 1})


@pytest.mark.parametrize("kind", OUTDATED)
def test_what_was_decided_on_one_version_does_not_happen_to_the_next(kind: str, store: str) -> None:
    write = OUTDATED[kind]()
    key = key_of_write(write).attributes
    for version in (2, 1):
        client().put_item(TableName=store, Item=marshal({**key, "version": version}))
        with pytest.raises(StaleRead) if version > 1 else nullcontext():
            transact([write])


def test_a_user_who_has_made_another_example_board_meanwhile_gets_none(store: str) -> None:
    del store
    transact(example_boards.create(USER, None, BOARD))
    for previous in (None, BoardId("e" * 24)):
        with pytest.raises(StaleRead):
            transact(example_boards.create(USER, previous, BoardId("f" * 24)))
    transact(example_boards.create(USER, BOARD, BoardId("f" * 24)))


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
