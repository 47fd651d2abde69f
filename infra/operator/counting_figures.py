"""Counts the figures that a release wrote which did not count their changes: a part of `boardctl migrate`."""

from __future__ import annotations

from governance.models.reports.figure import StoredFigure
from governance.store.reports import figures, newest_figures
from governance.store.transactions import transact
from governance.store.writes import StaleRead, if_unchanged
from infra.operator.kinds import model_of
from infra.operator.log import all_rows


def count_older(*, dry_run: bool) -> int:
    """Writes each row of a figure again that is in a list of such a release; returns how many there are.

    A row that another writer changes meanwhile is left to that writer.
    """
    number = 0
    for row in all_rows():
        if model_of(row) is not StoredFigure:
            continue
        figure = StoredFigure.model_validate(row)
        write = figures.put(figure)
        if write.item == row:
            continue
        number += 1
        if not dry_run:
            try:
                transact([if_unchanged(write, row), newest_figures.count_change(figure.board_id)])
            except StaleRead:
                continue
    return number
