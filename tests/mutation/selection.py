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
    "action_items": "functions/agendas/test_minutes.py functions/rsvps/test_rsvps.py reminders/test_due_dates.py "
    "deliveries/test_delivery.py operator/test_purge.py",
    "board_packs": "packs",
    "calendar": "calendar",
    "calendar_content": "calendar",
    "calendar_feeds": "calendar",
    "calendar_replies": "calendar",
    "calendar_invitations": "calendar",
    "bets": "reminders/test_bets.py",
    "calendars": "calendar",
    "cleanup": "deliveries functions/documents/test_versions.py functions/guests/test_guest_votes.py "
    "functions/boards/test_example_board.py reminders/test_bets.py",
    "comment_subjects": "exports/test_exports.py",
    "comments": "exports/test_exports.py functions/documents/test_versions.py functions/dashboards/test_access.py",
    "committees": "deliveries/test_announcements.py",
    "cycle_sections": "reminders/test_package_scenario.py",
    "cycles": "reminders/test_cycles.py",
    "dashboards": "reminders/test_cycles.py",
    "decoding": "releases",
    "documents": "operator/test_doctor.py",
    "due": "reminders",
    "due_dates": "reminders",
    "dynamodb": "telemetry",
    "entities": "store/test_partitions.py store/test_guest_votes.py operator/test_doctor.py "
    "deliveries/test_delivery.py",
    "event_writes": "deliveries",
    "events": "deliveries operator/test_purge.py",
    "export_files": "exports",
    "exports": "exports",
    "guest_calendar": "calendar/test_guest_meetings.py",
    "guests": "calendar/test_guest_meetings.py",
    "invite_emails": "deliveries/test_email_quotas.py",
    "invite_endings": "deliveries/test_announcements.py",
    "invites": "http/test_answer_sizes.py deliveries/test_delivery.py operator/test_purge.py",
    "legacy_action_items": "http/test_answer_sizes.py",
    "members": "deliveries/test_announcements.py",
    "meetings": "reminders/test_meetings.py reminders/test_vote_requests.py reminders/test_cycles.py "
    "deliveries/test_delivery.py calendar/test_feeds.py calendar/test_polls.py",
    "notification_references": "deliveries",
    "notifications": "deliveries http/test_answer_sizes.py",
    "operator": "operator",
    "papers": "exports/test_exports.py packs",
    "provisioning": "http/test_credentials.py http/test_issuer.py "
    "operator/test_purge.py::test_a_session_brings_no_address_back_while_a_purge_is_interrupted",
    "purge": "operator",
    "purges": "operator",
    "ranges": "functions/bets/test_latest.py functions/dashboards/test_dashboards.py calendar/test_polls.py",
    "rechecks": "operator deliveries/test_flags.py",
    "recorded_answers": "http",
    "reports": "functions/bets/test_latest.py",
    "revocations": "operator/test_replay.py",
    "sent_invites": "operator/test_purge.py",
    "slots": "reminders/test_vote_requests.py calendar/test_polls.py deliveries/test_announcements.py "
    "functions/rsvps/test_rsvps.py",
    "table": "functions/audit operator/test_recheck.py",
    "tokens": "http deliveries/test_announcements.py",
    "usage": "http",
    "transactions": "functions/audit telemetry",
    "users": "http operator",
    "polls": "reminders calendar/test_polls.py",
    "vote_requests": "reminders",
    "webhook_deliveries": "webhooks",
    "webhook_secrets": "webhooks",
    "webhooks": "webhooks",
    "writes": "functions/audit",
}
"""The other folders of tests that a module is for."""


_KEYS_OF_THE_STORE = "tests/store/test_stored_keys.py"
_OF_ALL_ROUTES = ("tests/contract/test_writes.py", "tests/contract/test_draft_events.py")
"""What each route commits, and tells of a draft; nearly every module of usecases and store has a part in it."""


def selected_tests(file: Path) -> list[str]:
    """Returns the tests of a module, those of its own name first."""
    package, name = file.relative_to(SOURCES).parts[0], file.stem
    own = f"tests/{package}/test_{name}.py"
    importing = [str(test.relative_to(ROOT)) for test in _importing(ROOT / "tests" / package, package, name)]
    first = [*([own] if (ROOT / own).exists() else []), *(test for test in importing if test != own)]
    if package == "domain":
        return first
    routes = [f"tests/functions/{folder}" for folder in _ROUTES.get(name, "").split()]
    others = [f"tests/{folder}" for folder in _OTHERS.get(name, "").split()]
    keys = [_KEYS_OF_THE_STORE] if package == "store" else []
    return [*first, *keys, *_OF_ALL_ROUTES, *routes, *others]


def _importing(folder: Path, package: str, name: str) -> list[Path]:
    imported = re.compile(
        rf"^from governance\.{package}(\.{name} import | import (.*|\([^)]*)\b{name}\b)", re.MULTILINE
    )
    return [test for test in sorted(folder.glob("test_*.py")) if imported.search(test.read_text())]
