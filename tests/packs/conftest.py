"""What the tests of board packs share."""

from __future__ import annotations

import pytest

from governance.packs import __main__ as child
from governance.packs import book
from tests.harness.board_scenario import BoardScenario
from tests.packs.making import PackScenario, new_pack_scenario


@pytest.fixture
def packs(scenario: BoardScenario) -> PackScenario:
    """Returns a meeting of which packs are made."""
    return new_pack_scenario(scenario)


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads papers in this process, which takes a tenth of the time."""
    monkeypatch.setattr(book, "run", child.added)
