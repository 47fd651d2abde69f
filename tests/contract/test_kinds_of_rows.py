"""Every kind of row is in the listing of the schema, and known to the commands that read rows of every kind.

A new `Entity` also needs an example in tests/store/written_on_boards.py or written_elsewhere.py. With that,
tests/usecases/test_cleanup_kinds.py asks that usecases/cleanup.py deletes it with its board, or why not. What names a
person is deleted by usecases/operator/purge.py; of that, tests/operator/test_purge_kinds.py asks the same.
"""

from __future__ import annotations

import re

import pytest

from governance.store import schema
from governance.store.schema import entities
from governance.store.schema.keys import Entity
from infra.operator import kinds

ENTITIES = {name: value for name, value in vars(entities).items() if isinstance(value, Entity)}
PREFIXES = {"UNDER_MEETING", "GUESTS_OF_MEETING", "GUEST_VOTES_OF_SLOT"}
"""What other keys begin with; there are no such items."""
WITHOUT_MODEL = {
    "ACTION_ITEM_LOCATION",
    "ACTION_ITEM_NOTES",
    "ACTIVE_BOARD_TOKENS",
    "ACTIVE_USER_TOKENS",
    "ASSIGNED",
    "CALENDAR_STAMP",
    "CYCLE_OF_REPORT",
    "DASHBOARD_PAYLOAD",
    "DELETED_DRAFT",
    "DOCUMENT_VIEW",
    "FEED_BOARDS",
    "FIGURES_KEPT",
    "INVITE_LOCATION",
    "INVITE_SENT",
    "LOG_LOCK",
    "MIGRATION",
    "RESOLUTION_OF_MEETING",
    "TOKEN_OWNER",
    "USER_BOARD",
    "WEBHOOK_LOCATION",
    "WEBHOOK_STATE",
}
"""Besides counts: rows that lead to others, instants and texts. No command reads them as a model."""


def _example(template: str) -> str:
    return re.sub(r"\{\w+(?::\.(\d+))?\}", lambda found: "a" * int(found[1] or 24), template)


def _listed() -> list[str]:
    """Returns a pattern for each primary key that the docstring of the schema lists."""
    patterns, partition = [], ""
    for line in (schema.__doc__ or "").splitlines():
        indent, words = len(line) - len(line.lstrip()), line.split()
        if indent == 4 and words:
            partition = words[0]
        elif indent == 8 and words:
            patterns.append(re.sub("<[a-z]+>", "[^# ]+", f"{partition} {words[0]}"))
    return patterns


@pytest.mark.parametrize("name", sorted(ENTITIES.keys() - PREFIXES))
def test_the_docstring_of_the_schema_lists_a_kind_of_row(name: str) -> None:
    key = f"{_example(ENTITIES[name].pk)} {_example(ENTITIES[name].sk)}"
    assert any(re.fullmatch(pattern, key) for pattern in _listed()), "list it in store/schema/__init__.py"


def test_the_operators_commands_know_the_model_of_a_kind_of_row_or_that_it_has_none() -> None:
    modelled = {name for name, entity in ENTITIES.items() if entity in kinds.ENTITY_MODELS}
    others = {name for name in ENTITIES.keys() - PREFIXES - modelled if not name.endswith("_COUNT")}
    assert others == WITHOUT_MODEL, "give it a model in infra/operator/kinds.py, or name it above"
