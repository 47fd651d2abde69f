"""A restored table takes the place of the stack's own by a parameter (infra/RUNBOOK.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from infra.policy.simulation import RESTORED, Policies
from tests.contract.templates import MAIN


def _uses_of_the_table(part: Any) -> Iterator[Any]:
    """The references to the stack's own table, except where another one takes its place by a parameter."""
    if isinstance(part, dict):
        if part.get("Fn::If", [None])[0] == "TableIsRestored":
            return
        named = str(part.get("Ref") or part.get("Fn::Sub") or part.get("Fn::GetAtt"))
        if re.search(r"(^|\{|\[')Table\b", named):
            yield part
    for member in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _uses_of_the_table(member)


def test_a_restored_table_takes_the_place_of_the_own_one_everywhere() -> None:
    assert list(_uses_of_the_table(MAIN.document)) == []
    roles = Policies(MAIN, {"TableIsRestored"}).roles()
    own = Policies(MAIN).arn("Table")
    assert own in str(Policies(MAIN).roles())
    assert own not in str(roles)
    for group, policy in roles.items():
        of_tables = [statement for statement in policy["Statement"] if "dynamodb:" in str(statement["Action"])]
        assert all(arn.startswith(RESTORED) for statement in of_tables for arn in _list(statement["Resource"])), group
    events = MAIN.resources("AWS::Serverless::Function")["EventsFunction"]["Events"]
    (stream,) = [event["Properties"]["Stream"] for event in events.values() if event["Type"] == "DynamoDB"]
    assert stream["Fn::If"][:2] == ["TableIsRestored", {"Ref": "RestoredTableStream"}]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_a_restored_table_is_named_with_its_stream() -> None:
    rule = MAIN.document["Rules"]["ARestoredTableHasItsStream"]
    assert rule["RuleCondition"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "RestoredTable"}, ""]}]}
    assert rule["Assertions"][0]["Assert"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "RestoredTableStream"}, ""]}]}
