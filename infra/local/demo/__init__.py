"""The demo data of `make run`: users in every role, boards, meetings and more. Each resource type has its module."""

from __future__ import annotations

from typing import Any

from governance.settings import Settings
from infra.local.demo import boards, content, invites, people
from infra.local.demo.scenario import Scenario

_MODULES = (people, boards, content, invites)


def seed(settings: Settings) -> dict[str, Any]:
    """Seeds an empty table. Returns what `make run` prints and keeps: ids and credentials of users and boards."""
    scenario = Scenario(settings)
    for module in _MODULES:
        module.seed(scenario)
    return {
        "users": people.credentials(scenario),
        "boards": boards.tokens(scenario),
        "meetings": scenario.meetings,
        "examples": scenario.examples,
    }
