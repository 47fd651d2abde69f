"""Salts end with their board: then nobody can open its entries of the log any more, and the log stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from governance.models.history.event import StoredEvent
from governance.sealing import sealer
from governance.store.history import leaves, log_files
from governance.store.schema.keys import key_of
from governance.usecases import cleanup
from governance.usecases.cleanup import delete_leftovers
from infra.operator import restore
from infra.operator.log import unlike
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.crash_injection import ends_before
from tests.harness.history import audit_items
from tests.harness.meeting_scenario import stored_events
from tests.harness.restored_table import restored_table
from tests.operator.commands import boardctl
from tests.sealing.test_sealing import meetings

pytestmark = pytest.mark.usefixtures("bucket")


def record(scenario: BoardScenario) -> None:
    """Records entries that have rows of their own, and some that share one."""
    meetings(scenario, 2)
    scenario.committee(*map(scenario.member, ("ada", "ben")))


def delete(scenario: BoardScenario) -> StoredEvent:
    assert scenario.owner.client.delete(scenario.path).status == 200
    (event,) = stored_events(scenario, "board.deleted")
    return event


def salts(scenario: BoardScenario) -> list[str]:
    return [leaf.salt for row in audit_items(scenario.board_id) for leaf in leaves.leaves_of(row) if leaf.salt]


def indexes(scenario: BoardScenario) -> list[int]:
    places = [leaf.index for row in audit_items(scenario.board_id) for leaf in leaves.leaves_of(row)]
    return [place for place in places if place is not None]


def test_the_salts_of_a_deleted_board_end_with_it_and_no_others(scenario: BoardScenario) -> None:
    other = new_board_scenario("otto")
    record(scenario)
    record(other)
    sealing.seal(scenario.board_id)
    sealing.seal(other.board_id)
    texts = [leaf.text for row in audit_items(scenario.board_id) for leaf in leaves.leaves_of(row)]
    event = delete(scenario)
    sealing.seal(scenario.board_id)
    before, kept = sealing.public("checkpoint"), salts(other)
    assert delete_leftovers(event)
    assert salts(scenario) == []
    assert salts(other) == kept != []
    now = [leaf.text for row in audit_items(scenario.board_id) for leaf in leaves.leaves_of(row)]
    assert now[: len(texts)] == texts, "the entries stay for their 365 days"
    assert sealing.public("checkpoint") == before
    assert sealing.everything(sealing.checkpoint().checkpoint.size) == sealing.checkpoint().checkpoint.root


def test_what_is_sealed_after_the_deletion_is_logged_and_its_salt_ends_then(scenario: BoardScenario) -> None:
    record(scenario)
    event = delete(scenario)
    assert delete_leftovers(event)
    assert salts(scenario) != []
    sealing.seal(scenario.board_id)
    assert salts(scenario) == []
    assert indexes(scenario) == [*range(sealing.checkpoint().checkpoint.size)]
    assert delete_leftovers(event)
    assert salts(scenario) == []


def test_an_entry_of_an_earlier_release_that_is_sealed_after_the_deletion_keeps_no_salt(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("governance.store.history.audit.salted", lambda members: members)
    record(scenario)
    assert delete_leftovers(delete(scenario))
    sealing.seal(scenario.board_id)
    assert salts(scenario) == []
    assert indexes(scenario) == [*range(sealing.checkpoint().checkpoint.size)] != []


def test_a_row_that_is_sealed_while_its_salt_is_about_to_end_keeps_none(scenario: BoardScenario) -> None:
    """Between the cleanup's read and its write, and between the sealer's."""
    record(scenario)
    rows = audit_items(scenario.board_id)
    sealing.seal(scenario.board_id)
    leaves.end_salts(rows)
    assert salts(scenario) == []


@pytest.mark.parametrize("step", ["stage", "create"])
def test_a_salt_that_ends_while_its_row_is_sealed_does_not_stay(
    scenario: BoardScenario, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(scenario)
    rows = audit_items(scenario.board_id)
    real = getattr(log_files, step)

    def after_the_cleanup(*given: Any) -> Any:
        leaves.end_salts(rows)
        return real(*given)

    monkeypatch.setattr(log_files, step, after_the_cleanup)
    sealer.seal(map(key_of, rows))
    assert salts(scenario) == []
    assert indexes(scenario) == [*range(sealing.checkpoint().checkpoint.size)] != []


def test_salts_end_wherever_the_sealer_or_the_cleanup_died(scenario: BoardScenario) -> None:
    record(scenario)
    event = delete(scenario)
    keys = [key_of(row) for row in audit_items(scenario.board_id)]

    def work() -> None:
        assert delete_leftovers(event)
        sealer.seal(keys)

    call = 1
    while not ends_before(call, work):
        call += 1
    work()
    assert salts(scenario) == []
    assert sorted(indexes(scenario)) == [*range(sealing.checkpoint().checkpoint.size)]
    assert call > len(keys)


def test_migrate_ends_the_salts_of_boards_that_an_earlier_release_deleted(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_board_scenario("otto")
    record(scenario)
    record(other)
    sealing.seal(scenario.board_id)
    sealing.seal(other.board_id)
    monkeypatch.setattr(cleanup, "_end_salts", lambda _: True)
    assert delete_leftovers(delete(scenario))
    sealing.seal(scenario.board_id)
    kept = salts(other)
    assert "Would end the salts of 3 row(s) of deleted boards." in boardctl("migrate", "--dry-run").output
    assert salts(scenario) != []
    assert "Ended the salts of 3 row(s) of deleted boards." in boardctl("migrate").output
    assert (salts(scenario), salts(other)) == ([], kept)
    assert "of deleted boards" not in boardctl("migrate").output


def test_a_board_that_is_restored_has_the_salts_again_that_it_had_then(scenario: BoardScenario) -> None:
    record(scenario)
    sealing.seal(scenario.board_id)
    had = salts(scenario)
    with restored_table() as earlier:
        event = delete(scenario)
        assert delete_leftovers(event)
        restore.restore_board(earlier, scenario.board_id)
        sealing.seal(scenario.board_id)
    assert salts(scenario) == had
    size = sealing.checkpoint().checkpoint.size
    entries = [leaf.entry for row in audit_items(scenario.board_id) for leaf in leaves.leaves_of(row) if leaf.salt]
    assert [*unlike(iter(audit_items(scenario.board_id)), [*entries, *[bytes(32)] * (size - len(entries))])] == []
    assert delete_leftovers(event) is True
    assert salts(scenario) == had, "the deletion is of before: the board exists"


def test_an_entry_without_a_salt_is_suspicious_unless_its_salt_has_ended(scenario: BoardScenario) -> None:
    record(scenario)
    sealing.seal(scenario.board_id)
    row = audit_items(scenario.board_id)[0]
    (leaf,) = leaves.leaves_of(row)
    without = {name: value for name, value in row.items() if name != leaves.SALT}
    assert [*unlike(iter([without]), [leaf.entry])] != []
    assert [*unlike(iter([{**without, leaves.ENDED: True}]), [leaf.entry])] == []
