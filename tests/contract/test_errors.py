"""The error table: each code is declared once, no status is written elsewhere, and every code is provoked."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from governance.errors import ApiError, Code
from tests.harness import faults
from tests.harness.cast import new_cast
from tests.harness.client import Answer, Client
from tests.harness.world import World, person

ROOT = Path(__file__).parents[2]
SOURCES = [file for folder in ("shared", "functions") for file in sorted((ROOT / folder).rglob("*.py"))]
STATUSES = {code.status for code in Code}
# A number that is no status: its line says what it is.
OTHER_MEANINGS = {"limits.py"}


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_status_of_an_error_is_written_outside_the_table(file: Path) -> None:
    if file.name in {"errors.py", *OTHER_MEANINGS}:
        return
    tree = ast.parse(file.read_text(encoding="utf-8"))
    numbers = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int}
    assert not numbers & STATUSES


def test_every_code_has_one_status_and_one_sentence() -> None:
    assert all(400 <= code.status < 600 and code.message.endswith(".") for code in Code)
    assert len({code.message for code in Code}) == len(Code)


def provoked(world: World) -> dict[str, Answer]:
    """One answer for each code that a request can provoke."""
    owner, meetings = world.owner.client, f"{world.path}/meetings"
    cast = new_cast()
    key = {"idempotency-key": "k"}
    owner.call("POST", meetings, {"title": "A"}, headers=key)
    meeting = owner.post(meetings, {"title": "A", "status": "completed"}).data["id"]
    owner.patch(f"{meetings}/{meeting}", {"status": "finalized"})
    answers = {
        "INVALID_REQUEST_BODY": owner.post(meetings, {}),
        "INVALID_QUERY_PARAMETER": owner.get(meetings, limit=0),
        "UNAUTHENTICATED": Client().get("/api/v1/me"),
        "INVALID_API_TOKEN": Client("x").get("/api/v1/me"),
        "ACCOUNT_SUSPENDED": cast.clients["suspended"].get("/api/v1/me"),
        "ACCOUNT_INACTIVE": cast.clients["inactive"].get("/api/v1/me"),
        "FORBIDDEN": person("outsider").client.get(world.path),
        "RESOURCE_NOT_FOUND": owner.get(f"{meetings}/x"),
        "INVALID_INVITE_CODE": owner.put("/api/invite/join/x"),
        "METHOD_NOT_ALLOWED": owner.put(meetings),
        "CONFLICT": owner.patch(f"{meetings}/{meeting}", {"title": "B"}),
        "IDEMPOTENCY_CONFLICT": owner.call("POST", meetings, {"title": "B"}, headers=key),
        "PAYLOAD_TOO_LARGE": owner.call("POST", meetings, raw="x" * 262_145),
        "UNSUPPORTED_MEDIA_TYPE": owner.call("POST", meetings, raw="{}", headers={"content-type": "text/plain"}),
    }
    with faults.throttled("*"):
        answers["SERVICE_UNAVAILABLE"] = owner.get(meetings)
    world.bill("CANCELLED")
    answers["BILLING_RESTRICTED"] = owner.post(meetings, {"title": "A"})
    return answers


def test_every_code_is_provoked_in_the_envelope(world: World) -> None:
    answers = provoked(world)
    elsewhere = {"RATE_LIMITED", "INTERNAL_ERROR"}  # tests/http/test_rate_limit.py and test_logs.py
    assert answers.keys() | elsewhere == Code.__members__.keys()
    for name, answer in answers.items():
        if Code[name].bare:
            assert (answer.status, answer.json["code"]) == (Code[name].status, name)
            continue
        error = answer.json["error"]
        assert (answer.status, error["code"], error["status"]) == (Code[name].status, name, Code[name].status)
        assert error.keys() == {"code", "message", "status", "requestId", "details"}
        assert error["requestId"] == answer.headers["x-request-id"]


def test_an_error_is_named_by_its_code() -> None:
    assert str(ApiError(Code.CONFLICT)) == "CONFLICT"
