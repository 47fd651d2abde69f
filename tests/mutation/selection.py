"""Which tests must notice a mutant of a module: those where a reader looks for its rules (tests/README.md)."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "shared" / "governance"
PACKAGES = ("domain", "usecases", "store")

_ROUTES = {
    "account": "account",
    "acting": "boards",
    "action_item_counts": "action_items limits",
    "action_items": "action_items limits",
    "agendas": "agendas",
    "audit": "audit",
    "avatars": "notifications",
    "bets": "bets limits",
    "board_lists": "boards",
    "board_order": "boards",
    "boards": "boards limits",
    "calendars": "",
    "checks": "dashboards",
    "chunks": "boards invites",
    "commenting": "comments",
    "comment_subjects": "comments",
    "comments": "comments",
    "committees": "committees limits",
    "context": "boards committees comments",
    "counters": "limits",
    "dashboard_access": "dashboards",
    "dashboard_comments": "comments",
    "dashboard_owners": "dashboards cycles",
    "cycle_sections": "cycles",
    "cycles": "cycles",
    "dashboards": "dashboards limits bets/test_latest.py",
    "declarations": "boards committees",
    "document_comments": "comments",
    "document_versions": "documents",
    "document_views": "documents",
    "documents": "documents limits committees",
    "event_writes": "committees",
    "events": "audit",
    "example_boards": "boards",
    "example_content": "boards",
    "figures": "bets",
    "flags": "dashboards",
    "guards": "slots",
    "guest_links": "guests",
    "guest_votes": "guests",
    "guests": "guests limits",
    "invite_emails": "invites boards/test_example_board.py",
    "invite_endings": "invites",
    "invite_links": "invites",
    "invite_responses": "invites",
    "invites": "invites limits",
    "kpi_formulas": "dashboards",
    "legacy_action_items": "action_items",
    "meeting_comments": "comments",
    "meetings": "meetings limits slots agendas",
    "members": "boards committees limits",
    "minutes": "agendas",
    "notification_references": "notifications",
    "notifications": "notifications",
    "objects": "documents",
    "paging": "boards documents",
    "papers": "documents",
    "payloads": "dashboards action_items",
    "provisioning": "account",
    "quotas": "invites",
    "received_invites": "invites",
    "reports": "reports limits",
    "rsvps": "rsvps",
    "seats": "committees boards",
    "sent_invites": "invites",
    "slots": "slots limits guests",
    "tokens": "account limits",
    "unsubscribing": "notifications/test_unsubscribing.py",
    "users": "account",
    "webhook_secrets": "webhooks",
    "webhooks": "webhooks",
}
"""The folders under tests/functions with the routes that a module of usecases or store is for."""

_OTHERS = {
    "board_packs": "packs",
    "calendar": "calendar",
    "calendar_content": "calendar",
    "calendar_feeds": "calendar",
    "calendar_replies": "calendar",
    "calendar_invitations": "calendar",
    "calendars": "calendar",
    "cleanup": "deliveries functions/documents/test_versions.py functions/guests/test_guest_votes.py "
    "functions/boards/test_example_board.py reminders/test_bets.py",
    "comment_subjects": "exports/test_exports.py",
    "committees": "deliveries/test_announcements.py",
    "cycle_sections": "reminders/test_package_scenario.py",
    "decoding": "releases",
    "due": "reminders store/test_stored_keys.py",
    "due_dates": "reminders",
    "dynamodb": "telemetry",
    "entities": "store/test_stored_keys.py",
    "event_writes": "deliveries",
    "events": "deliveries",
    "export_files": "exports",
    "exports": "exports",
    "guest_calendar": "calendar/test_guest_meetings.py",
    "guests": "calendar/test_guest_meetings.py",
    "history": "store/test_stored_keys.py",
    "invite_emails": "deliveries/test_email_quotas.py",
    "invite_endings": "deliveries/test_announcements.py",
    "invites": "http/test_answer_sizes.py",
    "keys": "store/test_keys.py store/test_stored_keys.py",
    "legacy_action_items": "http/test_answer_sizes.py",
    "lookups": "store/test_stored_keys.py",
    "members": "deliveries/test_announcements.py",
    "meetings": "reminders/test_meetings.py reminders/test_vote_requests.py deliveries/test_delivery.py",
    "notification_references": "deliveries",
    "notifications": "deliveries http/test_answer_sizes.py",
    "operator": "operator",
    "provisioning": "http/test_credentials.py http/test_issuer.py "
    "operator/test_purge.py::test_a_session_brings_no_address_back_while_a_purge_is_interrupted",
    "purge": "operator",
    "purges": "operator",
    "ranges": "store/test_stored_keys.py",
    "rechecks": "operator deliveries/test_flags.py",
    "recorded_answers": "http",
    "revocations": "operator/test_replay.py",
    "slots": "reminders/test_vote_requests.py",
    "table": "functions/audit operator/test_recheck.py",
    "tokens": "http deliveries/test_announcements.py",
    "transactions": "functions/audit telemetry",
    "usage": "store/test_stored_keys.py http",
    "users": "http operator",
    "polls": "reminders calendar/test_polls.py",
    "vote_requests": "reminders",
    "webhook_deliveries": "webhooks",
    "webhook_secrets": "webhooks",
    "webhooks": "webhooks",
    "writes": "functions/audit",
}
"""The other folders of tests that a module is for."""


_OF_ALL_ROUTES = ("tests/contract/test_writes.py", "tests/contract/test_draft_events.py")
"""What each route commits, and tells of a draft; nearly every module of usecases and store has a part in it."""


def selected_tests(file: Path) -> list[str]:
    """Returns the tests of a module, those of its own name first."""
    package, name = file.relative_to(SOURCES).parts[0], file.stem
    own = f"tests/{package}/test_{name}.py"
    importing = [str(test.relative_to(ROOT)) for test in _importing(ROOT / "tests" / package, package, name)]
    if package == "domain":
        return [*([own] if own in importing else []), *(test for test in importing if test != own)]
    routes = [f"tests/functions/{folder}" for folder in _ROUTES.get(name, "").split()]
    others = [f"tests/{folder}" for folder in _OTHERS.get(name, "").split()]
    first = [*([own] if own in importing else []), *(test for test in importing if test != own)]
    return [*first, *_OF_ALL_ROUTES, *routes, *others]


def _importing(folder: Path, package: str, name: str) -> list[Path]:
    imported = re.compile(rf"^from governance\.{package}(\.{name} import | import .*\b{name}\b)", re.MULTILINE)
    return [test for test in sorted(folder.glob("test_*.py")) if imported.search(test.read_text())]
