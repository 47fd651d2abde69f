"""Who commits: the http layer commits what a use case decides; the exceptions are those of `usecases/context.py`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from governance.usecases import context
from tests.harness.client import FUNCTIONS

LIBRARY = FUNCTIONS.parent / "shared" / "governance"
HTTP_LAYER = "http/response.py"
EXCEPTIONS = {
    "http/authentication.py",
    "usecases/invites/invite_emails.py",
    "usecases/members/invite_endings.py",
    "usecases/members/merging.py",
    "usecases/members/bounce_flags.py",
    "usecases/notifications/notifications.py",
    "usecases/calendars/calendar_content.py",
    "usecases/operator/operator.py",
    "usecases/reports/rechecks.py",
    "usecases/operator/purge.py",
    "usecases/cleanup.py",
    "usecases/boards/example_boards.py",
    "deliveries/due.py",
    "deliveries/figures.py",
    "deliveries/planning.py",
    "deliveries/merge_recommendations.py",
    "deliveries/personal_links.py",
    "usecases/members/scrubbing.py",
    "deliveries/scans.py",
    "deliveries/uploads.py",
    "deliveries/calendar_invitations.py",
    "usecases/calendars/calendar_replies.py",
    "usecases/boards/board_order.py",
    "deliveries/notifications.py",
    "deliveries/proposed_slots.py",
    "deliveries/notification_emails.py",
    "exports/worker.py",
    "packs/requests.py",
    "webhooks/attempts.py",
    "webhooks/planning.py",
}


def committing() -> Iterator[str]:
    """The modules outside the store that name `transact`."""
    for path in sorted(LIBRARY.rglob("*.py")):
        module = path.relative_to(LIBRARY).as_posix()
        if not module.startswith("store/") and "transact" in set(names(path)):
            yield module


def names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom | ast.Import):
            yield from (alias.name for alias in node.names)


def test_nobody_else_commits() -> None:
    assert set(committing()) == {HTTP_LAYER, *EXCEPTIONS}


def test_every_exception_is_written_down_with_its_reason_and_no_other_module() -> None:
    assert set(re.findall(r"`((?!tests)(?:\w+/)+\w+\.py)`", context.__doc__ or "")) == EXCEPTIONS


def test_a_use_case_leaves_the_check_of_its_board_to_the_commit() -> None:
    """Two checks in a transaction may draw the same guard row, which DynamoDB refuses (ADR table)."""
    asking = {
        path.stem
        for path in sorted((LIBRARY / "usecases").rglob("*.py"))
        if "boards.check_exists(" in path.read_text(encoding="utf-8")
    }
    assert asking == {"context", "invite_emails"}
