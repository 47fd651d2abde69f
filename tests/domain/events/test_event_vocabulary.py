"""Which words of the API specification for notifications and audit entries something produces: the glossary's table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from governance.domain.events.registry import KINDS
from governance.models.history.audit import AuditAction
from governance.models.notifications.notification import SpecifiedNotificationType

GLOSSARY = Path(__file__).parents[3] / "infra" / "GLOSSARY.md"
OF_THE_SPECIFICATION = get_args(SpecifiedNotificationType)


def stated(heading: str) -> dict[str, set[str]]:
    """Returns the rows of a section of the glossary: a word, and the events that produce it."""
    (section,) = re.findall(rf"^### {heading}\n(.*?)(?=^##|\Z)", GLOSSARY.read_text(), re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+?) \|$", section, re.MULTILINE)
    return {word: set(re.findall(r"`([\w.]+)`", events)) for word, events in rows}


def produced() -> Mapping[str, set[str]]:
    producers: dict[str, set[str]] = {}
    for event, kind in KINDS.items():
        for variant, notification in kind.notifications.items():
            if variant not in ("left", "bounced"):
                producers.setdefault(notification.type, set()).add(event.value)
    return producers


def test_the_types_of_notifications_have_the_producers_that_the_glossary_names() -> None:
    told = produced()
    assert stated("Notifications") == {type_: told.get(type_, set()) for type_ in OF_THE_SPECIFICATION}
    assert {*OF_THE_SPECIFICATION} <= told.keys()


def test_the_actions_of_the_audit_log_have_the_producers_that_the_glossary_names() -> None:
    left: dict[str, set[str]] = {action: set() for action in get_args(AuditAction)}
    for event, kind in KINDS.items():
        if kind.audit:
            left[kind.audit].add(event.value)
    assert stated("Audit actions") == left
