"""Ends again what scrubs and merges of people without an account had ended, where rows come back by a restore (ADR
restore)."""

from __future__ import annotations

import json
from collections.abc import Collection

from governance.domain.members.unregistered_user import scrubbed
from governance.ids import BoardId
from governance.instants import Instant, months, now, shift
from governance.limits import EVENT_DAYS
from governance.models.history.event import Event
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.store.members import unregistered_users
from governance.store.schema.entities import UNREGISTERED_USER
from governance.store.schema.history import RESERVE, events_partition
from governance.store.schema.keys import Item, Range
from governance.store.table import query
from governance.store.transactions import transact
from governance.usecases.members import scrubbing
from governance.usecases.members.merging import merge_again
from infra.operator.table_reader import TableReader


def settle(source: TableReader, board_id: BoardId, rows: Collection[Item]) -> None:
    """Ends again, in rows of a board that came back, what people's scrubs and merges had ended; may be repeated.

    A scrub keeps no address: it is read from the restored table.
    """
    texts = json.dumps([*rows], default=str, ensure_ascii=False)
    for person in unregistered_users.all_of_board(board_id):
        key = UNREGISTERED_USER.key_for(boardId=board_id, unregisteredUserId=person.id)
        earlier = next(map(StoredUnregisteredUser.model_validate, source.get([key])), person)
        email = person.email or person.scrubbed_email or earlier.email or earlier.scrubbed_email
        if person.id not in texts and (email is None or email not in texts):
            continue
        if person.scrubbed_at is not None:
            _remove_address(person, email)
        elif person.status == "merged":
            merge_again(person)


def scrub_all_again(board_id: BoardId) -> None:
    """Scrubs again, on a board that came back, those that its events say were scrubbed; completes scrubs under way."""
    scrubs = {
        event["refs"]["unregisteredUserId"]: event["createdAt"]
        for month in (*months(shift(now(), days=-EVENT_DAYS), now()), RESERVE)
        for event in query(Range(events_partition(board_id, month)))
        if event["type"] == Event.UNREGISTERED_USER_SCRUBBED
    }
    for person in unregistered_users.all_of_board(board_id):
        if person.scrub_pending:
            scrubbing.remove_address(board_id, person.id)
        elif person.id in scrubs and person.scrubbed_at is None:
            scrub_again(person, scrubs[person.id])


def scrub_again(person: StoredUnregisteredUser, at: Instant) -> None:
    """Scrubs a person as at that instant, and removes their address. Raises 409 `MERGED`."""
    transact(unregistered_users.replace(person, scrubbed(person, at)))
    scrubbing.remove_address(person.board_id, person.id)


def _remove_address(person: StoredUnregisteredUser, email: str | None) -> None:
    if not person.scrub_pending:
        pending = {"scrub_pending": True, "scrubbed_email": email}
        marked = person.model_copy(update={**pending, "version": person.version + 1})
        transact(unregistered_users.replace(person, marked))
    scrubbing.remove_address(person.board_id, person.id)
