"""The rules of reports."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from governance.domain.reports import report as report_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.reports.report import ReportStatus, StoredReport
from tests.domain.samples import changed, conflict, refusal

STATUSES: tuple[ReportStatus, ...] = get_args(ReportStatus)
ALLOWED = {("draft", "published"), ("published", "draft"), ("published", "finalized")}
NOW = Instant("2027-01-01T00:00:00.000Z")


def a_report(status: ReportStatus) -> StoredReport:
    return StoredReport(
        id="r",
        board_id=BoardId("b"),
        title="T",
        status=status,
        published_at=None if status == "draft" else Instant("2026-06-01T00:00:00.000Z"),
        created_by_user_id=UserId("u"),
        created_at=Instant("2026-01-01T00:00:00.000Z"),
        updated_at=Instant("2026-06-01T00:00:00.000Z"),
    )


@pytest.mark.parametrize(("old", "new"), list(product(STATUSES, STATUSES)))
def test_every_pair_of_statuses_is_a_transition_or_a_conflict_or_nothing(old: ReportStatus, new: ReportStatus) -> None:
    report = a_report(old)
    if old == "finalized":
        assert refusal(report_rules.patched, report, {"status": new}, NOW) == conflict("REPORT_FINALIZED")
    elif old == new:
        assert report_rules.patched(report, {"status": new}, NOW) is report
    elif (old, new) in ALLOWED:
        assert report_rules.patched(report, {"status": new}, NOW).status == new
    else:
        assert refusal(report_rules.patched, report, {"status": new}, NOW) == conflict("INVALID_TRANSITION")


def test_published_at_is_set_on_publication_kept_when_finalized_and_gone_in_draft() -> None:
    published = report_rules.patched(a_report("draft"), {"status": "published"}, NOW)
    assert published.published_at == NOW
    later = Instant("2027-02-01T00:00:00.000Z")
    assert report_rules.patched(published, {"status": "finalized"}, later).published_at == NOW
    withdrawn = report_rules.patched(published, {"status": "draft"}, later)
    assert withdrawn.published_at is None
    assert report_rules.patched(withdrawn, {"status": "published"}, later).published_at == later


def test_a_new_title_is_a_new_version_and_the_values_that_a_report_has_change_nothing() -> None:
    old = a_report("published")
    for same in ({}, {"status": "published"}):
        assert report_rules.patched(old, {"title": old.title, **same}, NOW) is old
        new = report_rules.patched(old, {"title": "N", **same}, NOW)
        assert changed(old, new) == {"title": "N", "updated_at": NOW, "version": 2}
