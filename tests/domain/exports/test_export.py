"""The rules of exports: how long one runs and is kept, and how far it has been read."""

from __future__ import annotations

import pytest

from governance.domain.exports import export as export_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.exports.export import ExportPart, StoredExport
from tests.domain.samples import conflict, refusal

NOW = Instant("2031-01-07T09:00:00.000Z")
USER, BOARD = UserId("a" * 24), BoardId("b" * 24)
HALF = ExportPart(name="meetings.ndjson", count=3, pieces=1)


def requested() -> StoredExport:
    return export_rules.requested(USER, BOARD, NOW)


def test_a_new_export_is_pending_and_its_id_begins_with_its_instant() -> None:
    export = requested()
    assert (export.user_id, export.board_id, export.status, export.parts) == (USER, BOARD, "pending", ())
    assert export_rules.requested(USER, BOARD, shift(NOW, seconds=1)).id > export.id
    assert export.created_at == NOW


def test_no_other_export_is_asked_for_while_one_runs_and_for_a_day_at_most() -> None:
    lock = export_rules.running(requested())
    assert lock.until == shift(NOW, hours=24)
    export_rules.check_none_runs(None, NOW)
    export_rules.check_none_runs(lock, shift(NOW, hours=24))
    assert refusal(export_rules.check_none_runs, lock, shift(NOW, hours=23)) == conflict("EXPORT_RUNNING")


def test_an_export_that_has_not_ended_in_a_day_has_failed_and_one_that_has_ended_stays_what_it_is() -> None:
    export = requested()
    assert export_rules.status_at(export, shift(NOW, hours=23)) == "pending"
    assert export_rules.status_at(export, shift(NOW, hours=24)) == "failed"
    assert export_rules.status_at(export_rules.ended(export, 7), shift(NOW, hours=24)) == "ready"


def test_what_was_read_follows_what_was_read_before() -> None:
    first = export_rules.read_on(requested(), HALF, "after", {"UTC 2031"})
    assert (first.parts, first.after, first.version) == ((HALF,), "after", 2)
    more = HALF.model_copy(update={"count": 5, "pieces": 2})
    second = export_rules.read_on(first, more, None, {"Europe/Paris 2031", "UTC 2031"})
    assert (second.parts, second.after) == ((more,), None)
    assert second.zones == ("Europe/Paris 2031", "UTC 2031")
    other = ExportPart(name="slots.ndjson")
    assert export_rules.read_on(second, other, None, set()).parts == (more, other)


def test_an_export_ends_with_its_size_or_as_failed_without() -> None:
    export = export_rules.read_on(requested(), HALF, "after", set())
    for size, status in ((7, "ready"), (None, "failed")):
        ended = export_rules.ended(export, size)
        assert (ended.status, ended.size, ended.after, ended.version) == (status, size, None, 3)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Plan 2027.pdf", "Plan 2027.pdf"),
        ("Übersicht, Łódź.pdf", "Übersicht, Łódź.pdf"),
        ("CON.pdf", "_CON.pdf"),
        ("Aux.tar.gz", "_Aux.tar.gz"),
        ("com1 .txt", "_com1 .txt"),
        ("LPT\u00b9.txt", "_LPT\u00b9.txt"),
        ("contract.pdf", "contract.pdf"),
        ("plan.pdf. . ", "plan.pdf"),
        ("...", "file"),
        ("a\u202efdp.exe", "afdp.exe"),
        ("a\u200bb\ufeffc\u2060.pdf", "abc.pdf"),
        ("a\x1b[2J\u0085.pdf", "a[2J.pdf"),
        ('a:b?c*d|e<f>g".pdf', "a-b-c-d-e-f-g-.pdf"),
        ("..\\up/x.pdf", "..-up-x.pdf"),
        ("\u4f1a" * 190 + ".xlsx", "\u4f1a" * 78 + ".xlsx"),
        ("\U0001f600" * 100, "\U0001f600" * 60),
        ("a" + "\u00e9" * 150 + "." + "b" * 20, "a" + "\u00e9" * 119),
    ],
)
def test_no_system_takes_the_name_of_a_file_in_an_archive_for_something_else(name: str, shown: str) -> None:
    assert export_rules.archive_name(name) == shown
