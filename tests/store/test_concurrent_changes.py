"""What two requests read and change at once: the second of them fails, whichever item it is, the first version too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from governance.domain.exports.export import requested
from governance.ids import BoardId
from governance.models.base import Stored
from governance.models.boards.board import Seats
from governance.models.boards.example_board import ExampleProgress
from governance.models.meetings.slot_windows import StoredSlotWindows
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.notifications.notification import StoredPreferences
from governance.models.webhooks.webhook import StoredWebhooks
from governance.store.boards import example_boards
from governance.store.committees.seats import put_seats
from governance.store.documents import document_versions, documents
from governance.store.exports import exports
from governance.store.invites import invites
from governance.store.meetings import agendas, minutes_corrections, people, rsvps, slot_windows, vote_requests
from governance.store.notifications import notifications
from governance.store.reports import checks, dashboards, reports
from governance.store.schema.entities import seats_key
from governance.store.transactions import transact
from governance.store.webhooks import webhooks
from governance.store.writes import StaleRead, Write
from tests.store.stored_items import (
    AGENDA,
    BOARD,
    CHECKS,
    CHOSEN,
    DASHBOARD,
    INVITE,
    MEETING,
    MINUTES,
    NOTIFICATION,
    NOW,
    READ_MARK,
    REPORT_ITEM,
    RSVP,
    USER,
    VERSIONS,
    document,
)

pytestmark = pytest.mark.usefixtures("store")
S = TypeVar("S", bound=Stored)
Replace = Callable[[Any, Any], Write]

ALWAYS_THERE: dict[str, tuple[Replace, Stored]] = {
    "seats": (lambda old, new: put_seats(seats_key(BOARD, USER), old, new), Seats()),
    "request for votes": (lambda old, new: vote_requests.put(MEETING, old, new), StoredVoteRequest(sent_at=NOW)),
    "windows of slots": (lambda old, new: slot_windows.put(MEETING, old, new, NOW), StoredSlotWindows()),
    "read mark": (notifications.put_read_mark, READ_MARK),
    "preferences": (notifications.put_preferences, StoredPreferences(user_id=USER)),
    "webhooks": (webhooks.replace, StoredWebhooks(board_id=BOARD)),
    "checks of a report": (checks.renew, CHECKS),
}
"""Items that are empty, of version 0, until they are written."""
MADE_ONCE: dict[str, tuple[Replace, Stored]] = {
    "agenda": (agendas.put_agenda, AGENDA),
    "minutes": (agendas.put_minutes, MINUTES),
    "correction of minutes": (minutes_corrections.put, MINUTES),
    "people invited to a meeting": (people.put, CHOSEN),
    "answer to a meeting": (rsvps.put, RSVP),
    "versions of a document": (document_versions.replace, VERSIONS),
}
"""Items that are absent until they are written."""


@pytest.mark.parametrize("kind", [*ALWAYS_THERE, *MADE_ONCE])
def test_of_two_that_replace_what_both_read_the_second_fails(kind: str) -> None:
    replace, sample = (ALWAYS_THERE | MADE_ONCE)[kind]
    none = sample if kind in ALWAYS_THERE else None
    first, second, third = (sample.model_copy(update={"version": number}) for number in (1, 2, 3))
    for old, new in ((none, first), (first, second), (second, third)):
        transact([replace(old, new)])
        with pytest.raises(StaleRead):
            transact([replace(old, new)])


def newer(stored: S, **changed: Any) -> S:
    """Returns an item as the next change leaves it."""
    return stored.model_copy(update={"version": stored.version + 1, **changed})  # type: ignore[attr-defined]


DOCUMENT, EXPORT, PROGRESS = document(None), requested(USER, BOARD, NOW), ExampleProgress()
OTHER_BOARD = BoardId("9" * 24)
DUE = NOTIFICATION.model_copy(update={"mail": "due"})

OVERTAKEN: dict[str, tuple[Callable[[], list[Write]], Callable[[], list[Write]]]] = {
    "versions of a document are deleted": (
        lambda: [document_versions.replace(None, newer(VERSIONS))],
        lambda: [document_versions.delete(VERSIONS)],
    ),
    "a document is deleted": (lambda: documents.create(newer(DOCUMENT)), lambda: documents.delete(DOCUMENT)),
    "an export goes on": (lambda: exports.create(newer(EXPORT)), lambda: [exports.replace(EXPORT, newer(EXPORT))]),
    "a report is kept as it is": (
        lambda: [reports.create(newer(REPORT_ITEM))],
        lambda: [reports.check_unchanged(REPORT_ITEM)],
    ),
    "a dashboard is kept as it is": (
        lambda: dashboards.create(newer(DASHBOARD), None),
        lambda: [dashboards.check_unchanged(DASHBOARD)],
    ),
    "an invite is deleted": (lambda: invites.create(newer(INVITE)), lambda: invites.delete(INVITE)),
    "an invite's message is deleted": (lambda: invites.create(newer(INVITE)), lambda: [invites.delete_message(INVITE)]),
    "another's claim of a mail is given back": (
        lambda: [notifications.create(DUE), notifications.claim_mail(DUE, "other")],
        lambda: [notifications.release_mail(DUE, "mine")],
    ),
    "a mail that is not due is given up": (
        lambda: [notifications.create(NOTIFICATION)],
        lambda: [notifications.throttle_mail(NOTIFICATION)],
    ),
}
"""What is stored, and what a request wants that read it before."""


@pytest.mark.parametrize("change", OVERTAKEN)
def test_what_was_read_before_another_change_fails(change: str) -> None:
    stored, wanted = OVERTAKEN[change]
    for write in stored():
        transact([write])
    with pytest.raises(StaleRead):
        transact(wanted())


def test_a_user_who_has_made_another_example_board_meanwhile_gets_none() -> None:
    transact(example_boards.create(USER, None, BOARD))
    for previous in (None, BoardId("e" * 24)):
        with pytest.raises(StaleRead):
            transact(example_boards.create(USER, previous, OTHER_BOARD))
    transact(example_boards.create(USER, BOARD, OTHER_BOARD))


def test_of_two_that_fill_an_example_board_at_once_the_second_fails() -> None:
    transact(example_boards.create(USER, None, BOARD))
    progress = PROGRESS
    for number, written in enumerate(("a", "b", "c"), 2):
        old = progress
        progress, step = example_boards.advance(BOARD, old, written)
        transact([step])
        assert example_boards.progress(BOARD) == progress
        assert progress.version == number
        with pytest.raises(StaleRead):
            transact([step])
    assert progress.ids == ("a", "b", "c")
    assert example_boards.progress(OTHER_BOARD) is None
