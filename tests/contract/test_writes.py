"""What each route commits: its writes, the conditions under which they are made, and what its event tells.

`writes.txt` shows what valid requests of the owner to each route commit. Read a difference as a question: is it meant
that a transaction checks less, that an event tells something else?
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from governance.instants import now
from governance.store import dynamodb
from governance.store.attributes import unmarshal
from tests.contract.test_written_tags import BODIES
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.clock import Clock
from tests.harness.path_resources import OUTSIDER_EMAIL
from tests.harness.sample_requests import ROUTE_NAMES, sample_request

_WRITING = os.environ.get("WRITES") == "write"
_FILE = Path(__file__).with_name("writes.txt")
_ANSWERED_BY_INVITEE = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
_PLACEHOLDERS = tuple(
    (re.compile(pattern), placeholder)
    for pattern, placeholder in (
        (r"\b\d{4}-\d\d-\d\dT[\d:.]+Z", "<time>"),
        (r"\b\d{4}-\d\d-\d\d\b", "<day>"),
        (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "<uuid>"),
        (r"\b[0-9a-f]{24}\b", "<id>"),
        (r"\b[0-9a-f]{12}\b", "<half-id>"),
        (r"[\w+/=-]{26,}", "<random>"),
        (r"\b\d{13}\b", "<millis>"),
        (r"\b\d{10}\b", "<epoch>"),
        (r"(?<=^GUARD#<id>#)\d\d", "<shard>"),
        (r"(?<=^DUE#)\d+|(?<=^SEATS#)\d\d", "<shard>"),
        (r"(?<=>#)\d{4}-\d\d$", "<month>"),
        (r"(?<=Committee )\d+|(?<=[a-z])\d+(?=@example)", "<number>"),
    )
)
"""What differs from run to run."""
_LONGEST = 400
_IF_MEANT = "if that is meant, `WRITES=write pytest -p no:xdist tests/contract/test_writes.py` writes writes.txt anew"
Lines = list[str]


def _plain(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
    text = text.encode("unicode_escape").decode().replace(str(now()), "<now>")
    for pattern, placeholder in _PLACEHOLDERS:
        text = pattern.sub(placeholder, text)
    return text if len(text) < _LONGEST else f"{text[:_LONGEST]}…"


def _lines(kind: str, write: Mapping[str, Any]) -> Iterator[str]:
    """Yields the lines of one write of a transaction."""
    item = unmarshal(write.get("Item") or write["Key"])
    yield f"  {kind} {_plain(item.pop('PK'))} {_plain(item.pop('SK'))}"
    names = write.get("ExpressionAttributeNames", {})
    values = unmarshal(write.get("ExpressionAttributeValues", {}))
    for word, field in (("by", "UpdateExpression"), ("if", "ConditionExpression")):
        if field in write:
            text = re.sub(r"#\w+", lambda match: re.sub(r"^u\d+$", "u<position>", names[match[0]]), write[field])
            yield f"    {word} " + re.sub(r":\w+", lambda match: f'"{_plain(values[match[0]])}"', text)
    if "voters" in item:  # in the order of their random ids
        item["voters"] = sorted(item["voters"], key=_plain)
    if members := [f"{name}={_plain(value)}" for name, value in sorted(item.items()) if value is not None]:
        yield f"    {'; '.join(members)}"


@pytest.fixture
def committed(monkeypatch: pytest.MonkeyPatch) -> Lines:
    """The lines of what is committed from now on."""
    lines: Lines = []
    real = dynamodb.raw_call

    def recorded(operation: str, **request: Any) -> Any:
        for write in request.get("TransactItems", ()):
            ((kind, members),) = write.items()
            lines.extend(_lines(kind, members))
        return real(operation, **request)

    monkeypatch.setattr(dynamodb, "raw_call", recorded)
    return lines


@pytest.fixture(scope="module")
def expected() -> Iterator[dict[str, Lines]]:
    """The lines of each route in the file."""
    lines_of_routes: dict[str, Lines] = {}
    for line in _FILE.read_text().splitlines():
        if line.startswith(" "):
            lines_of_routes[next(reversed(lines_of_routes))].append(line)
        else:
            lines_of_routes[line] = []
    yield lines_of_routes
    if _WRITING:
        _FILE.write_text("".join(f"{line}\n" for route in ROUTE_NAMES for line in (route, *lines_of_routes[route])))


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_a_route_commits_what_the_table_says(
    route: str,
    scenario: BoardScenario,
    formulas: object,
    outbox: object,
    clock: Clock,
    committed: Lines,
    expected: dict[str, Lines],
) -> None:
    del formulas, outbox
    clock.stop()
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if route.endswith(_ANSWERED_BY_INVITEE) else scenario.owner
    sample = sample_request(route, scenario, caller)
    committed.clear()
    sent = [sample.body, *(BODIES[route](scenario) if route in BODIES else [])]
    for body in sent:
        response = caller.client.call(sample.method, sample.path, body, query=sample.query)
        assert response.status < 300 or "preview" in route, response.text
    if _WRITING:
        expected[route] = committed[:]
    assert committed == expected.get(route), _IF_MEANT


def test_the_table_names_every_route(expected: dict[str, Lines]) -> None:
    assert sorted(expected) == ROUTE_NAMES
