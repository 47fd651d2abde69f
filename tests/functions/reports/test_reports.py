"""Reports through their routes."""

from __future__ import annotations

from typing import Any

import pytest

from governance.limits import REPORT_TITLE
from tests.harness.calls import InlinePool, counted
from tests.harness.world import World


def create(world: World, title: str = "Q1") -> Any:
    answer = world.owner.client.post(f"{world.path}/reports", {"title": title})
    assert answer.status == 201, answer.text
    return answer.data


def at(world: World, report: Any) -> str:
    return f"{world.path}/reports/{report['id']}"


def set_status(world: World, report: Any, *statuses: str) -> Any:
    for status in statuses:
        answer = world.owner.client.patch(at(world, report), {"status": status})
        assert answer.status == 200, answer.text
    return answer.data


def audited(world: World) -> list[Any]:
    entries = world.owner.client.get(f"/api/auditlog/{world.board_id}").json
    return [entry["details"] for entry in entries if entry["action"] == "reportStatusChange"]


def test_a_report_has_exactly_the_members_of_the_specification_and_begins_as_a_draft(world: World) -> None:
    report = create(world)
    assert report.keys() == {
        "object", "id", "boardId", "title", "status", "publishedAt", "createdByUserId", "createdAt", "updatedAt",
    }  # fmt: skip
    assert (report["object"], report["status"], report["publishedAt"]) == ("report", "draft", None)
    assert world.owner.client.get(at(world, report)).data == report
    assert world.owner.client.all(f"{world.path}/reports") == [report]


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"title": "x" * REPORT_TITLE, "status": "draft"}, []),
        ({"title": "x" * (REPORT_TITLE + 1)}, ["title"]),
        ({"title": "\n"}, ["title"]),
        ({"status": None}, []),
        ({"status": "published"}, ["status"]),
        ({"publishedAt": None}, ["publishedAt"]),
    ],
)
def test_a_body_at_and_over_each_limit(world: World, body: dict[str, Any], faults: list[str]) -> None:
    answer = world.owner.client.post(f"{world.path}/reports", {"title": "T", **body})
    assert answer.status == (400 if faults else 201)
    if faults:
        assert list(answer.fields) == faults


def test_managers_write_and_everybody_reads(world: World) -> None:
    ben, guest = world.member("ben").client, world.member("gil", access_type="guest").client
    manager = world.member("mona", access_type="manager").client
    path = at(world, create(world))
    for caller in (ben, guest, world.token("read_only")):
        assert caller.get(path).status == 200
        assert caller.post(f"{world.path}/reports", {"title": "T"}).failure == (403, "FORBIDDEN")
        assert caller.patch(path, {"title": "T"}).failure == (403, "FORBIDDEN")
        assert caller.delete(path).failure == (403, "FORBIDDEN")
    for caller in (manager, world.token()):
        assert caller.post(f"{world.path}/reports", {"title": "T"}).status == 201
        assert caller.patch(path, {"title": "T"}).status == 200
    assert manager.delete(path).data == {"deleted": True}
    assert manager.get(path).failure == (404, "RESOURCE_NOT_FOUND")


def test_publication_withdrawal_and_finalization(world: World) -> None:
    report = create(world)
    published = set_status(world, report, "published")
    assert published["publishedAt"] == published["updatedAt"]
    assert set_status(world, report, "draft")["publishedAt"] is None
    final = set_status(world, report, "published", "finalized")
    assert final["status"] == "finalized"
    path, owner = at(world, report), world.owner.client
    for body in ({"title": "T"}, {"status": "finalized"}, {"status": "draft"}):
        answer = owner.patch(path, body)
        assert (answer.failure, answer.details) == ((409, "CONFLICT"), {"reason": "REPORT_FINALIZED"})
    assert owner.delete(path).details == {"reason": "REPORT_FINALIZED"}
    changes = [("draft", "published"), ("published", "draft"), ("draft", "published"), ("published", "finalized")]
    assert audited(world) == [{"from": old, "to": new} for old, new in changes]


def test_the_same_status_again_is_nothing_at_all(world: World, pool: InlinePool) -> None:
    report = set_status(world, create(world), "published")
    with counted(pool) as calls:
        assert set_status(world, report, "published") == report
    assert calls.sequential == ["BatchGetItem"]
    skipped = world.owner.client.patch(at(world, create(world)), {"status": "finalized"})
    assert (skipped.failure, skipped.details) == ((409, "CONFLICT"), {"reason": "INVALID_TRANSITION"})


def test_the_list_follows_the_status_and_the_update(world: World) -> None:
    first, second, third = (create(world, title) for title in "abc")
    set_status(world, first, "published")
    listed = world.owner.client.all(f"{world.path}/reports", limit=1)
    assert [report["id"] for report in listed] == [first["id"], third["id"], second["id"]]
    assert [r["id"] for r in world.owner.client.all(f"{world.path}/reports", status="published")] == [first["id"]]
    drafts = world.owner.client.all(f"{world.path}/reports", status="draft", order="asc", limit=1)
    assert [report["id"] for report in drafts] == [second["id"], third["id"]]
    assert world.owner.client.all(f"{world.path}/reports", status="finalized") == []
    bad = world.owner.client.get(f"{world.path}/reports", status="archived")
    assert bad.failure == (400, "INVALID_QUERY_PARAMETER")


def test_the_round_trips_of_each_route(world: World, pool: InlinePool) -> None:
    path = at(world, create(world))

    def sequential(method: str, path: str, body: Any = None) -> list[str]:
        with counted(pool) as calls:
            assert world.owner.client.call(method, path, body).status in {200, 201}
        return calls.sequential

    assert sequential("GET", path) == ["BatchGetItem"]
    assert sequential("GET", f"{world.path}/reports") == ["BatchGetItem"]
    for method, body in (("PATCH", {"status": "published"}), ("DELETE", None)):
        assert sequential(method, path, body) == ["BatchGetItem", "TransactWriteItems"]
