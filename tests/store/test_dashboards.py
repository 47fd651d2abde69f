"""The rows of a dashboard: they end together, fit together when read, and a page of them fits into a response."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.limits import DASHBOARDS_PAGE_BYTES
from governance.models.reports.dashboard import StoredDashboard
from governance.store.attributes import marshal
from governance.store.paging import Window
from governance.store.reports import dashboards
from governance.store.schema.entities import DASHBOARD_COUNT, payload_key
from governance.store.schema.keys import key_of
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Delete, Put, StaleRead, Write
from tests.harness.counts import count
from tests.harness.fault_injection import hooked
from tests.store.stored_items import BOARD, DASHBOARD, ONE, REPORT

(_FIRST, *_) = dashboards.create(DASHBOARD, "{}")
assert isinstance(_FIRST, Put)
KEY = key_of(_FIRST.item)
PAYLOAD = payload_key(KEY)


def changed(**members: object) -> StoredDashboard:
    return DASHBOARD.model_copy(update={"version": DASHBOARD.version + 1, **members})


@pytest.mark.usefixtures("store")
def test_all_rows_that_a_dashboard_is_created_with_end_with_it() -> None:
    transact(dashboards.create(DASHBOARD, "{}"))
    assert dashboards.find(BOARD, REPORT, ONE) == DASHBOARD
    transact(dashboards.delete(DASHBOARD))
    assert dashboards.find(BOARD, REPORT, ONE) is None
    assert read_one(PAYLOAD) is None
    assert count(DASHBOARD_COUNT.key_for(boardId=BOARD, reportId=REPORT)) == 0


@pytest.mark.usefixtures("store")
def test_a_write_that_needs_the_dashboard_as_it_was_read_fails_once_it_has_changed() -> None:
    transact(dashboards.create(DASHBOARD, "{}"))
    transact([dashboards.check_unchanged(DASHBOARD)])
    transact([dashboards.replace_access(DASHBOARD, changed())])
    with pytest.raises(StaleRead):
        transact([dashboards.check_unchanged(DASHBOARD)])


@pytest.mark.parametrize(
    "change",
    [
        lambda: dashboards.replace(DASHBOARD, changed(payload_version=2), "[]"),
        lambda: dashboards.delete(DASHBOARD),
    ],
    ids=["changed", "deleted"],
)
@pytest.mark.usefixtures("store")
def test_a_dashboard_that_changes_between_the_reads_of_it_and_of_its_payload_makes_the_read_stale(
    change: Callable[[], list[Write]],
) -> None:
    transact(dashboards.create(DASHBOARD, "{}"))
    row = read_one(KEY)
    assert row is not None
    transact(change())
    newer: list[dict[str, Any]] = []

    def read_the_dashboard_before(parsed: dict[str, Any], **_: Any) -> None:
        if not newer:
            newer.append(parsed)
            for items in parsed["Responses"].values():
                items[:] = [marshal(row), *(item for item in items if item["PK"]["S"] == PAYLOAD.pk)]

    with hooked("after-call.dynamodb.BatchGetItem", read_the_dashboard_before), pytest.raises(StaleRead):
        dashboards.get_many([KEY])


@pytest.mark.usefixtures("store")
def test_a_payload_that_is_missing_hides_its_dashboard_unless_it_is_there_when_looked_at_again() -> None:
    transact(dashboards.create(DASHBOARD, "{}"))
    row = read_one(PAYLOAD)
    assert row is not None
    assert dashboards.get_many([KEY]) == [(DASHBOARD, "{}")]
    transact([Delete(PAYLOAD)])
    assert dashboards.get_many([KEY]) == []
    with hooked("after-call.dynamodb.BatchGetItem", lambda **_: transact([Put(row)])), pytest.raises(StaleRead):
        dashboards.get_many([KEY])


@pytest.mark.parametrize(("beyond", "fitting"), [(0, 4), (1, 3)])
@pytest.mark.usefixtures("store")
def test_a_page_ends_exactly_where_its_payloads_outgrow_a_response(beyond: int, fitting: int) -> None:
    quarter = DASHBOARDS_PAGE_BYTES // 4
    for number in range(4):
        size = quarter - 1 + (beyond if number == 3 else 0)
        dashboard = DASHBOARD.model_copy(update={"id": f"{number:024x}", "payload_bytes": size})
        transact(dashboards.create(dashboard, "{}"))
    keys, last = dashboards.list_keys(BOARD, REPORT, None, Window(limit=10, descending=False))
    assert len(keys) == fitting
    assert (last is None) == (fitting == 4)
