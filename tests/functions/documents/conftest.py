"""What the tests of documents share."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.uploads import DocumentScenario, new_document


@pytest.fixture
def document(scenario: BoardScenario) -> DocumentScenario:
    """Returns a document without a version on a board of its own."""
    return new_document(scenario)
