"""The version of the project is shown where clients and operators look for it."""

from __future__ import annotations

import re

from infra.openapi.document import document
from infra.stack.template import ROOT, Template
from infra.version import VERSION
from tests.operator.commands import boardctl


def test_reference_stack_and_operators_tool_show_the_version() -> None:
    assert document()["info"]["version"] == VERSION
    assert f" {VERSION} " in Template().document["Description"]
    assert boardctl("--version").output == f"boardctl, version {VERSION}\n"


def test_the_changelog_begins_with_the_version() -> None:
    headings = re.findall(r"^## (\S+) \((.+)\)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    released, _, in_preparation = VERSION.partition(".dev")
    assert headings[0][0] == released
    assert (headings[0][1] == "in preparation") == bool(in_preparation)
    assert [version for version, _ in headings] == sorted({version for version, _ in headings}, reverse=True)
