"""A subject has one name in every layer: the list of subjects, and of what is not a subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.harness.client import FUNCTIONS

ROOT = FUNCTIONS.parent
LIBRARY = ROOT / "shared/governance"
SUBJECTS = {
    "access",  # what a caller may do and see, of every subject
    "account",  # users, their tokens and pictures
    "action_items",  # a group of routes and a page of their own, beside the meetings that they are from
    "boards",
    "calendars",
    "catalog",  # the KPIs that figures name
    "comments",
    "committees",
    "documents",
    "exports",
    "history",  # audit entries, the feed of events, the log that nobody can rewrite, rights that ended
    "invites",
    "live",
    "meetings",  # with slots, votes, answers, agendas, minutes and guests
    "members",  # with people without an account
    "notifications",
    "paper_requests",  # papers that a meeting needs, asked for, delivered and approved
    "packs",  # a worker makes them, of documents of several subjects
    "planning",  # agenda templates, the work plan, the backlog
    "reports",  # with dashboards, figures, checks, cycles and bets
    "resolutions",
    "series",
    "webhooks",
}
ROOMS: Mapping[str, set[str]] = {
    "shared/governance/models": set(),
    "shared/governance/domain": {"events"},  # the records of events: a module for each subject
    "shared/governance/store": {"client", "schema"},
    "shared/governance/usecases": {"operator"},  # what operators do, with any subject
    "shared/governance/http": set(),
    "shared/governance/deliveries": set(),
    "tests/models": set(),
    "tests/domain": {"events"},
    "tests/store": {"client"},
    "tests/usecases": {"operator"},
    "tests/functions": set(),
    "infra/pages/app/web/views": set(),
}
"""The folders of a layer that are not a subject. Its files that stand in no folder serve every subject."""
FRAME: Mapping[str, set[str]] = {
    "shared/governance/models": {"base", "numbers", "page", "queue", "text", "zones"},
    "shared/governance/domain": {"entity_tags", "quota"},
    "shared/governance/usecases": {
        "acting",
        "byte_pages",
        "chunks",
        "cleanup",
        "context",
        "declarations",
        "event_writes",
        "years",
    },
    "shared/governance/domain/events": {"kind", "minutes", "registry", "reminders"},  # minutes are of meetings
    "infra/pages/app/web/views": {"absent", "opened", "ordering", "shown-once"},
}
"""The files of a layer that serve every subject, where there are few."""


def _folders(folder: Path) -> Iterator[str]:
    """Yields the names of the folders in a folder."""
    yield from (path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__")


def _files(folder: Path) -> set[str]:
    """Returns the names of the modules in a folder."""
    return {path.stem for path in folder.iterdir() if path.suffix in {".py", ".js"}} - {"__init__"}


@pytest.mark.parametrize("layer", ROOMS)
def test_a_layer_has_the_folders_of_subjects_and_no_others(layer: str) -> None:
    assert set(_folders(ROOT / layer)) - SUBJECTS == ROOMS[layer]


@pytest.mark.parametrize("layer", ["models", "domain", "store", "usecases", "http", "deliveries"])
def test_a_file_that_serves_every_subject_is_not_named_as_one(layer: str) -> None:
    assert _files(LIBRARY / layer) & SUBJECTS == set()


@pytest.mark.parametrize("layer", FRAME)
def test_a_file_of_a_layer_is_in_the_folder_of_its_subject(layer: str) -> None:
    assert _files(ROOT / layer) - (SUBJECTS if layer.endswith("events") else set()) == FRAME[layer]


def test_a_test_of_the_domain_stands_as_its_module_does() -> None:
    modules = {path.relative_to(LIBRARY / "domain") for path in (LIBRARY / "domain").rglob("*.py")}
    folders = {path.stem: {str(other.parent) for other in modules if other.stem == path.stem} for path in modules}
    tests = {path.relative_to(ROOT / "tests/domain") for path in (ROOT / "tests/domain").rglob("test_*.py")}
    named = {path: folders.get(path.stem.removeprefix("test_"), {str(path.parent)}) for path in tests}
    assert {str(path) for path, expected in named.items() if str(path.parent) not in expected} == set()


def test_every_subject_is_in_a_layer() -> None:
    there = {name for layer in ROOMS for name in _folders(ROOT / layer)}
    assert SUBJECTS - there == set()
