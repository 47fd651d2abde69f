"""Documents through their routes: bodies, tiers, links, filters, what is recorded."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import new_id
from governance.instants import now
from governance.limits import DOCUMENT_MEETINGS, DOCUMENT_TITLE, DOCUMENT_TYPE, REFERENCE
from governance.models.meeting import StoredMeeting
from governance.store import meetings
from governance.store.table import transact
from tests.harness.calls import InlinePool, counted
from tests.harness.client import Client
from tests.harness.world import World

UNKNOWN = "f" * 24
MEMBERS = {
    "object", "id", "boardId", "title", "documentType", "meetingIds", "latestVersionId", "mimeType",
    "createdByUserId", "committeeId", "createdAt", "updatedAt",
}  # fmt: skip


def create(world: World, caller: Client | None = None, **body: Any) -> Any:
    answer = (caller or world.owner.client).post(f"{world.path}/documents", {"title": "Minutes", **body})
    assert answer.status == 201, answer.text
    return answer.data


def meeting(world: World, caller: Client, status: str = "scheduled") -> str:
    return str(caller.post(f"{world.path}/meetings", {"title": "Board", "status": status}).data["id"])


def many_meetings(world: World, number: int) -> list[str]:
    """Meetings made at one stroke: one by one they take the in-process engine seconds."""
    one = {"boardId": world.board_id, "title": "Board", "status": "scheduled", "creatorId": None}
    times = {"createdByUserId": world.owner.id, "createdAt": now(), "updatedAt": now()}
    made = [StoredMeeting.model_validate({**one, **times, "id": new_id()}) for _ in range(number)]
    transact([meetings.create(it) for it in made])
    return [it.id for it in made]


def at(world: World, document: Any) -> str:
    return f"{world.path}/documents/{document['id']}"


def audited(world: World, action: str) -> list[Any]:
    entries = world.owner.client.get(f"/api/auditlog/{world.board_id}").json
    return [entry["details"] for entry in entries if entry["action"] == action]


def test_a_document_has_exactly_the_members_of_the_specification(world: World) -> None:
    document = create(world)
    assert document.keys() == MEMBERS
    assert document["meetingIds"] == []
    assert document["createdByUserId"] == world.owner.id
    assert world.owner.client.get(at(world, document)).data == document
    assert world.owner.client.all(f"{world.path}/documents") == [document]


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"title": "x" * DOCUMENT_TITLE}, []),
        ({"title": "x" * (DOCUMENT_TITLE + 1)}, ["title"]),
        ({"title": "é" * DOCUMENT_TITLE}, []),
        ({"title": " \t"}, ["title"]),
        ({"title": None}, ["title"]),
        ({"documentType": "x" * DOCUMENT_TYPE}, []),
        ({"documentType": "x" * (DOCUMENT_TYPE + 1)}, ["documentType"]),
        ({"documentType": ""}, ["documentType"]),
        ({"mimeType": "x" * (REFERENCE + 1), "latestVersionId": 5}, ["mimeType", "latestVersionId"]),
        ({"meetingIds": None, "mimeType": None, "committeeId": None, "latestVersionId": None}, []),
        ({"meetingIds": [UNKNOWN] * (DOCUMENT_MEETINGS + 1)}, ["meetingIds"]),
        ({"meetingIds": [UNKNOWN, "not an id", "../x"]}, ["meetingIds.0", "meetingIds.1", "meetingIds.2"]),
        ({"meetingIds": [1]}, ["meetingIds.0"]),
        ({"committeeId": UNKNOWN, "meetingIds": [UNKNOWN]}, ["committeeId", "meetingIds.0"]),
        ({"createdByUserId": UNKNOWN, "object": "document"}, ["createdByUserId", "object"]),
    ],
)
def test_a_body_at_and_over_each_limit(world: World, body: dict[str, Any], faults: list[str]) -> None:
    answer = world.owner.client.post(f"{world.path}/documents", {"title": "T", **body})
    assert answer.status == (400 if faults else 201)
    if faults:
        assert sorted(answer.fields) == sorted(faults)


def test_a_title_is_required_and_links_are_never_null_in_a_patch(world: World) -> None:
    assert list(world.owner.client.post(f"{world.path}/documents", {}).fields) == ["title"]
    path = at(world, create(world))
    assert world.owner.client.patch(path, {"meetingIds": None, "title": None}).fields.keys() == {"meetingIds", "title"}
    assert list(world.owner.client.patch(path, {}).fields) == ["body"]


def test_collaborators_create_and_creators_or_managers_change(world: World) -> None:
    guest = world.member("gil", access_type="guest").client
    ben = world.member("ben").client
    carl = world.member("carl").client
    manager = world.member("mona", access_type="manager").client
    assert guest.post(f"{world.path}/documents", {"title": "T"}).failure == (403, "FORBIDDEN")
    path = at(world, create(world, ben))
    assert guest.get(path).status == 200
    assert carl.patch(path, {"title": "Carl's"}).failure == (403, "FORBIDDEN")
    assert carl.delete(path).failure == (403, "FORBIDDEN")
    for caller in (ben, manager, world.owner.client, world.token()):
        assert caller.patch(path, {"title": "Changed"}).status == 200
    assert world.token("read_only").delete(path).failure == (403, "FORBIDDEN")
    assert ben.delete(path).data == {"deleted": True}
    assert ben.get(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.all(f"{world.path}/documents") == []


def test_a_tokens_document_names_its_admin_who_is_not_thereby_its_creator(world: World) -> None:
    admin = world.member("ada", admin_role="admin")
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    token = Client(admin.client.post(f"{world.path}/tokens", body).data["secret"])
    document = create(world, token)
    assert document["createdByUserId"] == admin.id
    members = {entry["userId"]: entry["id"] for entry in world.owner.client.all(f"{world.path}/members")}
    demotion = {"adminRole": "member", "accessType": "collaborator"}
    assert world.owner.client.patch(f"{world.path}/members/{members[admin.id]}", demotion).status == 200
    assert admin.client.patch(at(world, document), {"title": "Mine?"}).failure == (403, "FORBIDDEN")


def test_a_hidden_meeting_and_an_absent_one_are_the_same_fault(world: World) -> None:
    ben = world.member("ben").client
    draft = meeting(world, world.owner.client, "draft")
    answers = [ben.post(f"{world.path}/documents", {"title": "T", "meetingIds": [it]}) for it in (draft, UNKNOWN)]
    assert answers[0].fields == answers[1].fields == {"meetingIds.0": "must be the id of a meeting"}
    path = at(world, create(world, ben))
    answers = [ben.patch(path, {"meetingIds": [it]}) for it in (draft, UNKNOWN)]
    assert answers[0].fields == answers[1].fields


def test_links_show_each_reader_the_meetings_that_he_may_see(world: World) -> None:
    ben = world.member("ben")
    owner = world.owner.client
    seen, draft, doomed = meeting(world, owner), meeting(world, owner, "draft"), meeting(world, owner)
    document = create(world, meetingIds=[draft, seen, doomed, seen])
    assert document["meetingIds"] == [draft, seen, doomed]
    owner.delete(f"{world.path}/meetings/{doomed}")
    path = at(world, document)
    for caller, links in ((owner, [draft, seen]), (ben.client, [seen]), (world.token(), [seen])):
        assert caller.get(path).data["meetingIds"] == links
        assert caller.all(f"{world.path}/documents")[0]["meetingIds"] == links
        for filtered in (seen, draft, doomed):
            found = caller.all(f"{world.path}/documents", meetingId=filtered)
            assert [entry["meetingIds"] for entry in found] == ([links] if filtered in links else [])
    owner.patch(f"{world.path}/meetings/{draft}", {"status": "scheduled"})
    assert ben.client.get(path).data["meetingIds"] == [draft, seen]
    owner.patch(f"{world.path}/meetings/{seen}", {"status": "draft"})
    assert ben.client.get(path).data["meetingIds"] == [draft]
    assert ben.client.all(f"{world.path}/documents", meetingId=seen) == []


def test_a_writer_does_not_remove_the_links_that_he_cannot_see(world: World) -> None:
    manager = world.member("mona", access_type="manager").client
    owner = world.owner.client
    draft, other = meeting(world, owner, "draft"), meeting(world, owner)
    path = at(world, create(world, meetingIds=[draft]))
    assert manager.patch(path, {"meetingIds": [other]}).data["meetingIds"] == [other]
    assert owner.get(path).data["meetingIds"] == [other, draft]
    assert owner.patch(path, {"meetingIds": []}).data["meetingIds"] == []


def test_fifty_links_are_replaced_by_fifty_others(world: World) -> None:
    owner = world.owner.client
    first, second = (many_meetings(world, DOCUMENT_MEETINGS) for _ in range(2))
    document = create(world, meetingIds=first)
    answer = owner.patch(at(world, document), {"meetingIds": second})
    assert (answer.status, answer.data["meetingIds"]) == (200, second)
    assert owner.all(f"{world.path}/documents", meetingId=first[-1]) == []
    assert owner.all(f"{world.path}/documents", meetingId=second[-1]) == [answer.data]
    fewer = owner.patch(at(world, document), {"meetingIds": second[:1]}).data
    assert owner.all(f"{world.path}/documents", meetingId=second[-1]) == []
    assert owner.delete(at(world, document)).status == 200
    assert owner.all(f"{world.path}/documents", meetingId=fewer["meetingIds"][0]) == []


def test_filters_alone_and_together_and_a_type_forges_no_range(world: World) -> None:
    one = meeting(world, world.owner.client)
    minutes = create(world, documentType="minutes", meetingIds=[one])
    agenda = create(world, documentType="agenda", meetingIds=[one])
    create(world, documentType="minutes")
    create(world, documentType="minutes#2")
    caller = world.owner.client

    def found(**query: str) -> list[Any]:
        return caller.all(f"{world.path}/documents", **query)

    assert len(found()) == 4
    assert found(meetingId=one) == [agenda, minutes]
    assert found(meetingId=one, documentType="minutes") == [minutes]
    assert len(found(documentType="minutes")) == 2
    assert len(found(documentType="minutes#2")) == 1
    for query in ({"documentType": ""}, {"documentType": "x" * 99}, {"meetingId": "nonsense"}, {"meetingId": UNKNOWN}):
        assert found(**query) == []
    assert found(order="asc", limit="1") == found()[::-1]


@pytest.mark.parametrize("query", [{"sort": "createdAt"}, {"order": "up"}, {"limit": "101"}, {"title": "x"}])
def test_a_bad_parameter_is_refused(world: World, query: dict[str, str]) -> None:
    answer = world.owner.client.get(f"{world.path}/documents", **query)
    assert answer.failure == (400, "INVALID_QUERY_PARAMETER")


def test_reads_deletions_and_dropped_versions_are_recorded(world: World) -> None:
    document = create(world, latestVersionId="v1")
    path, owner = at(world, document), world.owner.client
    named = {"id": document["id"], "title": "Minutes"}
    owner.get(path)
    assert audited(world, "documentView") == [named]
    for version in ("v1", "v2", None, "v3"):
        owner.patch(path, {"latestVersionId": version})
    assert audited(world, "documentVersionDelete") == [named, named]
    owner.delete(path)
    assert audited(world, "documentDelete") == [named]


def test_a_restricted_board_is_read_and_the_reading_recorded(world: World) -> None:
    path = at(world, create(world))
    world.bill("CANCELLED")
    assert world.owner.client.get(path).status == 200
    assert len(audited(world, "documentView")) == 1
    assert world.owner.client.patch(path, {"title": "T"}).failure == (403, "BILLING_RESTRICTED")
    assert world.owner.client.post(f"{world.path}/documents", {}).failure == (403, "BILLING_RESTRICTED")


def test_the_round_trips_of_each_route(world: World, pool: InlinePool) -> None:
    owner = world.owner.client
    plain = create(world)
    linked = create(world, meetingIds=[meeting(world, owner)])

    def sequential(method: str, path: str, body: Any = None) -> list[str]:
        with counted(pool) as calls:
            assert owner.call(method, path, body).status in {200, 201}
        return calls.sequential

    listed = f"{world.path}/documents"
    assert sequential("GET", listed) == ["BatchGetItem", "BatchGetItem"]
    assert sequential("GET", at(world, linked)) == ["BatchGetItem", "BatchGetItem", "TransactWriteItems"]
    assert sequential("GET", at(world, plain)) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("POST", listed, {"title": "T"}) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("PATCH", at(world, plain), {"title": "T"}) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("PATCH", at(world, linked), {"title": "T"})[1:] == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("DELETE", at(world, linked)) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("GET", listed) == ["BatchGetItem"]
