"""The figures about cells in ADR growth are those of the simulation."""

from __future__ import annotations

import pytest

from infra.stack.template import ROOT
from infra.tools.scale import cells


def test_the_decision_has_the_figures_of_the_simulation() -> None:
    text = (ROOT / "infra/adr/growth.md").read_text(encoding="utf-8")
    assert "\n".join(cells.table()) in text


@pytest.mark.parametrize("number", [1, 2, 10, 50])
def test_every_entry_has_a_cell_and_no_cell_has_two_entries_more_than_another(number: int) -> None:
    used = [cells.cell_of(entry, number) for entry in range(cells.ENTRIES)]
    counts = [used.count(cell) for cell in range(number)]
    assert max(counts) - min(counts) <= 1
    assert sum(counts) == cells.ENTRIES
