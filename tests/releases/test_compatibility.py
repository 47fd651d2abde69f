"""What clients rely on stays: the last released document is held against this one, and "Breaking" excuses what goes."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from infra.openapi.compatibility import OASDIFF, PACKAGES, breaking, changes, incompatible
from infra.openapi.document import FILE, document
from tests.harness.programs import packages

CHANGELOG = (
    "# Changelog\n\n## 2.0.0\n\n### Breaking\n\n- `a` → `b`\n\n### The API\n\n## 1.0.0\n\n### Breaking\n\n- `c`\n"
)
EVENT = ("webhooks", "meeting.created", "post", "requestBody", "content", "application/json", "schema", "properties")


def change(**members: object) -> dict[str, object]:
    return {"id": "request-property-removed", "level": 2, "text": "removed `x`", "operationId": "c"} | members


def test_only_the_newest_version_of_the_changelog_excuses() -> None:
    assert breaking(CHANGELOG) == "- `a` → `b`"
    assert breaking("# Changelog\n\n## 2.0.0\n\n- x\n\n## 1.0.0\n\n### Breaking\n\n- `c`\n") == ""
    assert incompatible([change()], CHANGELOG) == ["c: removed `x`"]
    assert incompatible([change(operationId="a")], CHANGELOG) == []


def test_a_value_that_is_new_in_answers_is_compatible_and_a_name_that_goes_is_not() -> None:
    added = change(id="response-property-enum-value-added")
    mentioned = change(id="endpoint-added", level=1)
    renamed = change(id="api-operation-id-removed", level=1)
    assert incompatible([added, mentioned, renamed], CHANGELOG) == ["c: removed `x`"]


def _at(body: Any, *path: str) -> Any:
    for name in path:
        body = body[name]
    return body


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "subject"),
    [
        (lambda made: _at(made, "paths", "/api/v1/boards").pop("post"), "createBoard"),
        (lambda made: _at(made, "paths", "/api/v1/boards", "post").update(operationId="makeBoard"), "createBoard"),
        (lambda made: _at(made, "paths", "/api/v1/boards", "post").update(tags=["account"]), "createBoard"),
        (lambda made: _at(made, "components", "schemas", "Board", "properties").pop("description"), "getBoard"),
        (
            lambda made: _at(made, "components", "schemas", "BoardCreate", "properties").pop("description"),
            "createBoard",
        ),
        (lambda made: _at(made, "webhooks").pop("meeting.created"), "meeting.created"),
        (lambda made: _at(made, *EVENT, "data", "properties").pop("meetingId"), "onMeetingCreated"),
    ],
)
def test_what_is_gone_is_noticed(tmp_path: Path, spoil: Callable[[Any], object], subject: str) -> None:
    packages(PACKAGES)
    if not OASDIFF.exists():
        pytest.skip("needs oasdiff, which is not installed")
    spoilt = tmp_path / "spoilt.json"
    made = deepcopy(document())
    spoil(made)
    spoilt.write_text(json.dumps(made), encoding="utf-8")
    lines = incompatible(changes(FILE, spoilt), CHANGELOG)
    assert subject in {line.partition(": ")[0] for line in lines}
