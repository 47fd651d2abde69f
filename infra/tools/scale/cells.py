"""A simulation of cells (ADR growth): how even their load is, and how much of what users see lies in another cell.

Run `python -m infra.tools.scale.cells`. The first two digits of an id name one of the 256 entries of a table, and each
entry names a cell.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

ENTRIES = 256
_BOARDS = 200_000
_BOARDS_PER_USER = 3
_TAIL = 1.5
"""Exponent of the activity of boards: one in a hundred is more than twenty times as busy as the least busy."""
_SEED = 156
_HEAD = (
    (
        "| cells | busiest cell, mean 1 | boards that a new cell takes | memberships in another cell"
        " | users in several cells |"
    ),
    "|--:|--:|--:|--:|--:|",
)


@dataclass(frozen=True)
class Figures:
    """What a number of cells leads to; shares are of one."""

    cells: int
    busiest: float
    """Load of the busiest cell, of which the mean is one."""
    moved: float
    """Boards that move when a cell is added."""
    foreign: float
    """Memberships whose board is in another cell than the home of the user."""
    scattered: float
    """Users whose list of boards needs rows from more than one cell."""


def cell_of(entry: int, cells: int) -> int:
    """Returns the cell that an entry names: cells are dealt out in turn."""
    return entry % cells


def simulate(cells: int) -> Figures:
    """Returns the figures for boards and users at random, the same in each run."""
    at_random = random.Random(_SEED)  # noqa: S311 - a simulation
    load = [0.0] * cells
    for _ in range(_BOARDS):
        load[cell_of(at_random.randrange(ENTRIES), cells)] += at_random.paretovariate(_TAIL)
    homes = [
        [cell_of(at_random.randrange(ENTRIES), cells) for _ in range(1 + _BOARDS_PER_USER)] for _ in range(_BOARDS)
    ]
    foreign = sum(board != home for home, *boards in homes for board in boards)
    scattered = sum(len(set(boards)) > 1 for _, *boards in homes)
    return Figures(
        cells,
        busiest=max(load) * cells / sum(load),
        moved=_moved(cells),
        foreign=foreign / (_BOARDS * _BOARDS_PER_USER),
        scattered=scattered / _BOARDS,
    )


def _moved(cells: int) -> float:
    """Returns the share of entries that a new cell takes: as many as it is due, from the cells in turn."""
    return round(ENTRIES / (cells + 1)) / ENTRIES


def table() -> Iterator[str]:
    """Yields the lines of the table in ADR growth."""
    yield from _HEAD
    for figures in map(simulate, (2, 10, 50)):
        shares = (figures.moved, figures.foreign, figures.scattered)
        yield f"| {figures.cells} | {figures.busiest:.2f} | " + " | ".join(f"{share:.0%}" for share in shares) + " |"


if __name__ == "__main__":
    print("\n".join(table()))
