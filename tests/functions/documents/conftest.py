"""What the tests of documents share: a document, and what happens to its files after their upload, as time passes."""

from __future__ import annotations

import pytest

from governance.limits import UPLOAD_HOURS
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import FUNCTIONS, Response, load
from tests.harness.clock import Clock
from tests.harness.privileges import acting_as
from tests.harness.stream import event_records, process_records
from tests.harness.uploads import PDF, DocumentScenario, new_document

OTHER = PDF + b"more"


def reason(answer: Response) -> str:
    assert answer.status == 409, answer.text
    return str(answer.details["reason"])


def a_day_later(clock: Clock) -> None:
    pass_time(clock, UPLOAD_HOURS * 3600 + 60)


def pass_time(clock: Clock, seconds: float) -> None:
    """Lets time pass, and what is due be done."""
    clock.move(seconds)
    with acting_as("deliveries"):
        load(FUNCTIONS / "deliveries" / "handler.py").lambda_handler({}, None)
    queue.current.deliver()
    assert queue.current.dead == []


def deliver(document: DocumentScenario) -> None:
    """Delivers what happened on the board of a document."""
    assert process_records(event_records(document.board.board_id)) == []


@pytest.fixture
def document(scenario: BoardScenario) -> DocumentScenario:
    """Returns a document without a version on a board of its own."""
    return new_document(scenario)
