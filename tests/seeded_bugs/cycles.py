"""Bugs in which report a cycle has, in who is told of it, and in what a bet shows."""

from __future__ import annotations

from governance.deliveries import reminders
from governance.domain.reports import bet, cycle, figures
from governance.store.reports import cycles
from tests.seeded_bugs.bug import Bug

_CYCLES, _REMINDERS = "tests/functions/cycles/test_cycles.py", "tests/reminders/test_cycles.py"
_LATEST = "tests/functions/bets/test_latest.py"

BUGS = (
    Bug(
        "a report is in two cycles at once",
        cycles._take_report,
        '{"cycleId": cycle.id}), ABSENT, taken)',
        '{"cycleId": cycle.id}))',
        f"{_CYCLES}::test_a_report_is_in_one_cycle_that_is_not_published",
    ),
    Bug(
        "a report is published with open flags",
        cycle.is_complete,
        'section.review_status == "internally_reviewed" and section.open_flags == 0',
        'section.review_status == "internally_reviewed"',
        "tests/domain/test_cycle.py",
    ),
    Bug(
        "who owned a section when it was due is reminded after they have finished it",
        reminders._owner_of_section,
        "if found is None or is_finished(found):",
        "if found is None:",
        f"{_REMINDERS}::test_a_section_that_is_finished_after_the_sweep_reminds_nobody",
    ),
    Bug(
        "a bet shows the figure of a report that went back to draft",
        figures.is_current,
        'report.status != "draft" and report.published_at == figure.published_at',
        "report.published_at == figure.published_at or not report.published_at",
        f"{_LATEST}::test_what_is_taken_back_is_not_shown_any_more_before_anything_is_delivered",
    ),
    Bug(
        "a bet of a member who leaves stays theirs",
        bet.without_owner,
        'changes = {"owner_user_id": None, ',
        "changes = {",
        "tests/reminders/test_bets.py::test_a_bet_of_a_member_who_leaves_is_nobodys_and_stays_so_when_they_come_back",
    ),
)
