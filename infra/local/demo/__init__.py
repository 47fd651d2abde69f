"""Demo data: people in every role, boards, meetings, tokens; each family of resources has its module."""

from __future__ import annotations

from typing import Any

from governance.settings import Settings
from infra.local.demo import boards, decisions, documents, invites, meetings, people, reports
from infra.local.demo.stage import Stage

_FAMILIES = (people, boards, meetings, decisions, documents, reports, invites)


def seed(settings: Settings) -> dict[str, Any]:
    """Sow an empty table; what `make run` prints and keeps: the users and the boards, with their credentials."""
    stage = Stage(settings)
    for family in _FAMILIES:
        family.seed(stage)
    return {
        "users": people.credentials(stage),
        "boards": boards.tokens(stage),
        "meetings": stage.meetings,
        "walk": stage.walk,
    }
