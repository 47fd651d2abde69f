"""Shapes of items are numbered, upgraded when they are read, and brought up to date by `boardctl migrate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from governance.models.base import SHAPE
from governance.models.reports.report import StoredReport
from governance.store.schema.entities import MIGRATION, REPORT
from governance.store.table import read_one
from infra.operator import migration
from tests.harness.board_scenario import BoardScenario


def _louder(item: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**item, "title": item["title"].upper()}


@pytest.fixture
def _second_shape(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A release whose reports have a second shape."""
    monkeypatch.setattr(StoredReport, "upgrades", (_louder,))
    StoredReport.model_rebuild(force=True)
    yield
    monkeypatch.undo()
    StoredReport.model_rebuild(force=True)


def _report(scenario: BoardScenario, title: str) -> str:
    return str(scenario.owner.client.post(f"{scenario.path}/reports", {"title": title}).data["id"])


def _stored(scenario: BoardScenario, report_id: str) -> Mapping[str, Any]:
    return read_one(REPORT.key_for(boardId=scenario.board_id, reportId=report_id)) or {}


def test_an_item_of_the_first_shape_has_no_number(scenario: BoardScenario) -> None:
    assert SHAPE not in _stored(scenario, _report(scenario, "First"))


@pytest.mark.usefixtures("_second_shape")
def test_a_new_item_has_the_number_of_its_shape(scenario: BoardScenario) -> None:
    assert _stored(scenario, _report(scenario, "First"))[SHAPE] == 2


def test_an_item_is_upgraded_when_it_is_read_and_stays_so_when_it_is_written(
    scenario: BoardScenario, request: pytest.FixtureRequest
) -> None:
    path = f"{scenario.path}/reports/{_report(scenario, 'First')}"
    request.getfixturevalue("_second_shape")
    assert scenario.owner.client.get(path).data["title"] == "FIRST"
    assert [report["title"] for report in scenario.owner.client.all(f"{scenario.path}/reports")] == ["FIRST"]
    scenario.owner.client.patch(path, {"status": "published"})
    scenario.owner.client.patch(path, {"title": "small"})
    assert scenario.owner.client.get(path).data["title"] == "small"


def test_migrate_upgrades_every_item_once_and_a_dry_run_none(
    scenario: BoardScenario, request: pytest.FixtureRequest
) -> None:
    ids = [_report(scenario, "First"), _report(scenario, "Second")]
    request.getfixturevalue("_second_shape")
    assert migration.upgrade_all(dry_run=True) == {"StoredReport": 2}
    assert [_stored(scenario, id_)["title"] for id_ in ids] == ["First", "Second"]
    assert migration.upgrade_all(dry_run=False) == {"StoredReport": 2}
    assert [(_stored(scenario, id_)["title"], _stored(scenario, id_)[SHAPE]) for id_ in ids] == [
        ("FIRST", 2),
        ("SECOND", 2),
    ]
    assert migration.upgrade_all(dry_run=False) == {}
    assert len(scenario.owner.client.all(f"{scenario.path}/reports")) == 2


def test_an_interrupted_migration_goes_on_where_it_was(
    scenario: BoardScenario, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        _report(scenario, f"r{number}")
    request.getfixturevalue("_second_shape")
    monkeypatch.setattr(migration, "_PAGE", 5)
    monkeypatch.setattr(migration, "_PAGES_PER_SECOND", 1000.0)
    done = 0
    upgrade = migration._upgrade

    def killed_after_two(*args: Any) -> None:
        nonlocal done
        if done == 2:
            raise KeyboardInterrupt
        done += 1
        upgrade(*args)

    monkeypatch.setattr(migration, "_upgrade", killed_after_two)
    with pytest.raises(KeyboardInterrupt):
        migration.upgrade_all(dry_run=False)
    assert read_one(MIGRATION.key_for()) is not None
    monkeypatch.setattr(migration, "_upgrade", upgrade)
    assert migration.upgrade_all(dry_run=False) == {"StoredReport": 2}
    assert read_one(MIGRATION.key_for()) is None
