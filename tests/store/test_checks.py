"""Flags that were read together with the checks are not written over what changed since."""

from __future__ import annotations

import pytest

from governance.ids import BoardId
from governance.models.reports.check import StoredChecks, StoredFigures, StoredFlags
from governance.store.reports import checks
from governance.store.schema.entities import DASHBOARD_FLAGS
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead

BOARD, REPORT, DASHBOARD = BoardId("1" * 24), "2" * 24, "3" * 24
CHECKS = StoredChecks(board_id=BOARD, report_id=REPORT)
FIRST, SECOND, THIRD = (StoredFlags(dashboard_id=DASHBOARD, flags=(), version=number) for number in (1, 2, 3))


def test_flags_replace_those_that_were_read_and_no_newer_ones(store: str) -> None:
    del store
    transact([checks.write_flags(CHECKS, DASHBOARD, FIRST)])
    transact([checks.replace_flags(CHECKS, FIRST, SECOND)])
    with pytest.raises(StaleRead):
        transact([checks.replace_flags(CHECKS, FIRST, THIRD)])
    stored = read_one(DASHBOARD_FLAGS.key_for(boardId=BOARD, reportId=REPORT, dashboardId=DASHBOARD))
    assert checks.flags_in(stored) == SECOND
    transact([checks.write_flags(CHECKS, DASHBOARD, None)])
    assert read_one(DASHBOARD_FLAGS.key_for(boardId=BOARD, reportId=REPORT, dashboardId=DASHBOARD)) is None


def test_rows_that_are_not_there_are_left_out_whichever_others_are(store: str) -> None:
    del store
    figures = StoredFigures(dashboard_id=DASHBOARD, data_anchor_date=None, figures="[]")
    transact([checks.write_flags(CHECKS, DASHBOARD, FIRST), checks.write_figures(CHECKS, DASHBOARD, figures)])
    other = "4" * 24
    rows = checks.read_rows(CHECKS, [DASHBOARD, other], [other, DASHBOARD])
    assert (rows.figures, rows.flags) == ({DASHBOARD: figures}, {DASHBOARD: FIRST})
