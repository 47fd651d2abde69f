"""The routes of documents: bodies, tiers, links, filters and audit entries."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import new_id
from governance.instants import now
from governance.limits import DOCUMENT_MEETINGS
from governance.models.meetings.meeting import StoredMeeting
from governance.store.meetings import meetings
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.store_calls import InlinePool, count_store_calls

UNKNOWN = "f" * 24
MEMBERS = {
    "object", "id", "boardId", "title", "documentType", "meetingIds", "latestVersionId", "mimeType",
    "createdByUserId", "committeeId", "createdAt", "updatedAt",
}  # fmt: skip


def create(scenario: BoardScenario, caller: Client | None = None, **body: Any) -> Any:
    response = (caller or scenario.owner.client).post(f"{scenario.path}/documents", {"title": "Minutes", **body})
    assert response.status == 201, response.text
    return response.data


def meeting(scenario: BoardScenario, caller: Client, status: str = "scheduled") -> str:
    return str(caller.post(f"{scenario.path}/meetings", {"title": "Board", "status": status}).data["id"])


def many_meetings(scenario: BoardScenario, number: int) -> list[str]:
    """Creates many meetings in one transaction; one by one, moto would take seconds."""
    one = {"boardId": scenario.board_id, "title": "Board", "status": "scheduled", "creatorId": None}
    times = {"createdByUserId": scenario.owner.id, "createdAt": now(), "updatedAt": now()}
    made = [StoredMeeting.model_validate({**one, **times, "id": new_id()}) for _ in range(number)]
    transact([write for it in made for write in meetings.create(it)])
    return [it.id for it in made]


def document_path(scenario: BoardScenario, document: Any) -> str:
    return f"{scenario.path}/documents/{document['id']}"


def audited(scenario: BoardScenario, action: str) -> list[Any]:
    entries = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    return [entry["details"] for entry in entries if entry["action"] == action]


def test_a_document_has_exactly_the_specified_fields(scenario: BoardScenario) -> None:
    document = create(scenario)
    assert document.keys() == MEMBERS
    assert document["meetingIds"] == []
    assert document["createdByUserId"] == scenario.owner.id
    assert scenario.owner.client.get(document_path(scenario, document)).data == document
    assert scenario.owner.client.all(f"{scenario.path}/documents") == [document]


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"title": " \t"}, ["title"]),
        ({"meetingIds": None, "mimeType": None, "committeeId": None, "latestVersionId": None}, []),
        ({"meetingIds": [UNKNOWN, "not an id", "../x"]}, ["meetingIds.0", "meetingIds.1", "meetingIds.2"]),
        ({"meetingIds": [1]}, ["meetingIds.0"]),
        ({"committeeId": UNKNOWN, "meetingIds": [UNKNOWN]}, ["committeeId", "meetingIds.0"]),
    ],
)
def test_a_body_is_accepted_or_names_what_is_wrong(
    scenario: BoardScenario, body: dict[str, Any], faults: list[str]
) -> None:
    response = scenario.owner.client.post(f"{scenario.path}/documents", {"title": "T", **body})
    assert response.status == (400 if faults else 201)
    if faults:
        assert sorted(response.fields) == sorted(faults)


def test_a_title_is_required_and_links_are_never_null_in_a_patch(scenario: BoardScenario) -> None:
    assert list(scenario.owner.client.post(f"{scenario.path}/documents", {}).fields) == ["title"]
    path = document_path(scenario, create(scenario))
    assert scenario.owner.client.patch(path, {"meetingIds": None, "title": None}).fields.keys() == {
        "meetingIds",
        "title",
    }
    assert list(scenario.owner.client.patch(path, {}).fields) == ["body"]


def test_collaborators_create_and_creators_or_managers_change(scenario: BoardScenario) -> None:
    guest = scenario.member("gil", access_type="guest").client
    ben = scenario.member("ben").client
    carl = scenario.member("carl").client
    manager = scenario.member("mona", access_type="manager").client
    assert guest.post(f"{scenario.path}/documents", {"title": "T"}).failure == (403, "FORBIDDEN")
    path = document_path(scenario, create(scenario, ben))
    assert guest.get(path).status == 200
    assert carl.patch(path, {"title": "Carl's"}).failure == (403, "FORBIDDEN")
    assert carl.delete(path).failure == (403, "FORBIDDEN")
    for caller in (ben, manager, scenario.owner.client, scenario.token()):
        assert caller.patch(path, {"title": "Changed"}).status == 200
    assert scenario.token("read_only").delete(path).failure == (403, "FORBIDDEN")
    assert ben.delete(path).data == {"deleted": True}
    assert ben.get(path).failure == (404, "RESOURCE_NOT_FOUND")
    assert ben.all(f"{scenario.path}/documents") == []


def test_a_board_tokens_document_names_the_admin_but_not_as_creator(scenario: BoardScenario) -> None:
    admin = scenario.member("ada", admin_role="admin")
    body = {"name": "robot", "preset": "read_write", "expiresInDays": None}
    token = Client(admin.client.post(f"{scenario.path}/tokens", body).data["secret"])
    document = create(scenario, token)
    assert document["createdByUserId"] == admin.id
    members = {entry["userId"]: entry["id"] for entry in scenario.owner.client.all(f"{scenario.path}/members")}
    demotion = {"adminRole": "member", "accessType": "collaborator"}
    assert scenario.owner.client.patch(f"{scenario.path}/members/{members[admin.id]}", demotion).status == 200
    assert admin.client.patch(document_path(scenario, document), {"title": "Mine?"}).failure == (403, "FORBIDDEN")


def test_a_link_to_a_hidden_meeting_fails_like_an_absent_one(scenario: BoardScenario) -> None:
    ben = scenario.member("ben").client
    draft = meeting(scenario, scenario.owner.client, "draft")
    responses = [ben.post(f"{scenario.path}/documents", {"title": "T", "meetingIds": [it]}) for it in (draft, UNKNOWN)]
    assert responses[0].fields == responses[1].fields == {"meetingIds.0": "must be the id of a meeting of this board"}
    path = document_path(scenario, create(scenario, ben))
    responses = [ben.patch(path, {"meetingIds": [it]}) for it in (draft, UNKNOWN)]
    assert responses[0].fields == responses[1].fields


def test_each_reader_sees_only_links_to_visible_meetings(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    owner = scenario.owner.client
    seen, draft, doomed = meeting(scenario, owner), meeting(scenario, owner, "draft"), meeting(scenario, owner)
    document = create(scenario, meetingIds=[draft, seen, doomed, seen])
    assert document["meetingIds"] == [draft, seen, doomed]
    owner.delete(f"{scenario.path}/meetings/{doomed}")
    path = document_path(scenario, document)
    for caller, links in ((owner, [draft, seen]), (ben.client, [seen]), (scenario.token(), [seen])):
        assert caller.get(path).data["meetingIds"] == links
        assert caller.all(f"{scenario.path}/documents")[0]["meetingIds"] == links
        for filtered in (seen, draft, doomed):
            found = caller.all(f"{scenario.path}/documents", meetingId=filtered)
            assert [entry["meetingIds"] for entry in found] == ([links] if filtered in links else [])
    owner.patch(f"{scenario.path}/meetings/{draft}", {"status": "scheduled"})
    assert ben.client.get(path).data["meetingIds"] == [draft, seen]
    owner.patch(f"{scenario.path}/meetings/{seen}", {"status": "draft"})
    assert ben.client.get(path).data["meetingIds"] == [draft]
    assert ben.client.all(f"{scenario.path}/documents", meetingId=seen) == []


def test_a_writer_cannot_remove_links_to_hidden_meetings(scenario: BoardScenario) -> None:
    manager = scenario.member("mona", access_type="manager").client
    owner = scenario.owner.client
    draft, other = meeting(scenario, owner, "draft"), meeting(scenario, owner)
    path = document_path(scenario, create(scenario, meetingIds=[draft]))
    assert manager.patch(path, {"meetingIds": [other]}).data["meetingIds"] == [other]
    assert owner.get(path).data["meetingIds"] == [other, draft]
    assert owner.patch(path, {"title": "Links stay"}).data["meetingIds"] == [other, draft]
    assert owner.patch(path, {"meetingIds": []}).data["meetingIds"] == []


def test_fifty_links_are_replaced_at_once(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    first, second = (many_meetings(scenario, DOCUMENT_MEETINGS) for _ in range(2))
    document = create(scenario, meetingIds=first)
    response = owner.patch(document_path(scenario, document), {"meetingIds": second})
    assert (response.status, response.data["meetingIds"]) == (200, second)
    assert owner.all(f"{scenario.path}/documents", meetingId=first[-1]) == []
    assert owner.all(f"{scenario.path}/documents", meetingId=second[-1]) == [response.data]
    fewer = owner.patch(document_path(scenario, document), {"meetingIds": second[:1]}).data
    assert owner.all(f"{scenario.path}/documents", meetingId=second[-1]) == []
    assert owner.delete(document_path(scenario, document)).status == 200
    assert owner.all(f"{scenario.path}/documents", meetingId=fewer["meetingIds"][0]) == []


def test_filters_combine_and_a_type_cannot_escape_its_range(scenario: BoardScenario) -> None:
    one = meeting(scenario, scenario.owner.client)
    minutes = create(scenario, documentType="minutes", meetingIds=[one])
    agenda = create(scenario, documentType="agenda", meetingIds=[one])
    create(scenario, documentType="minutes")
    create(scenario, documentType="minutes#2")
    caller = scenario.owner.client

    def found(**query: str) -> list[Any]:
        return caller.all(f"{scenario.path}/documents", **query)

    assert len(found()) == 4
    assert found(meetingId=one) == [agenda, minutes]
    assert found(meetingId=one, documentType="minutes") == [minutes]
    assert len(found(documentType="minutes")) == 2
    assert len(found(documentType="minutes#2")) == 1
    for query in ({"documentType": ""}, {"documentType": "x" * 99}, {"meetingId": "nonsense"}, {"meetingId": UNKNOWN}):
        assert found(**query) == []
    assert found(order="asc", limit="1") == found()[::-1]


@pytest.mark.parametrize("query", [{"sort": "createdAt"}, {"order": "up"}, {"limit": "101"}, {"title": "x"}])
def test_an_invalid_parameter_is_refused(scenario: BoardScenario, query: dict[str, str]) -> None:
    response = scenario.owner.client.get(f"{scenario.path}/documents", **query)
    assert response.failure == (400, "INVALID_QUERY_PARAMETER")


def test_views_deletions_and_replaced_versions_are_audited(scenario: BoardScenario) -> None:
    document = create(scenario, latestVersionId="v1")
    path, owner = document_path(scenario, document), scenario.owner.client
    named = {"id": document["id"], "title": "Minutes"}
    owner.get(path)
    assert audited(scenario, "documentView") == [named]
    for version in ("v1", "v2", None, "v3"):
        owner.patch(path, {"latestVersionId": version})
    assert audited(scenario, "documentVersionDelete") == [named, named]
    owner.delete(path)
    assert audited(scenario, "documentDelete") == [named]


def test_a_view_is_recorded_once_an_hour_for_each_caller_and_document(scenario: BoardScenario, clock: Clock) -> None:
    path, other = document_path(scenario, create(scenario)), document_path(scenario, create(scenario))
    for _ in range(3):
        assert scenario.owner.client.get(path).status == 200
    assert len(audited(scenario, "documentView")) == 1
    token = scenario.token()
    for caller in (scenario.member("ben").client, token, token):
        assert caller.get(path).status == 200
    scenario.owner.client.get(other)
    assert len(audited(scenario, "documentView")) == 4
    clock.advance(minutes=59)
    scenario.owner.client.get(path)
    assert len(audited(scenario, "documentView")) == 4
    clock.advance(minutes=61)
    scenario.owner.client.get(path)
    assert len(audited(scenario, "documentView")) == 5


def test_a_document_of_a_restricted_board_is_readable_and_the_view_audited(scenario: BoardScenario) -> None:
    path = document_path(scenario, create(scenario))
    scenario.set_billing_state("CANCELLED")
    assert scenario.owner.client.get(path).status == 200
    assert len(audited(scenario, "documentView")) == 1
    assert scenario.owner.client.patch(path, {"title": "T"}).failure == (403, "BILLING_RESTRICTED")
    assert scenario.owner.client.post(f"{scenario.path}/documents", {}).failure == (403, "BILLING_RESTRICTED")


def test_each_route_makes_no_more_round_trips_than_these(scenario: BoardScenario, pool: InlinePool) -> None:
    owner = scenario.owner.client
    plain = create(scenario)
    linked = create(scenario, meetingIds=[meeting(scenario, owner)])

    def sequential(method: str, path: str, body: Any = None) -> list[str]:
        with count_store_calls(pool) as calls:
            assert owner.call(method, path, body).status in {200, 201}
        return calls.sequential

    listed = f"{scenario.path}/documents"
    assert sequential("GET", listed) == ["BatchGetItem", "BatchGetItem"]
    assert sequential("GET", document_path(scenario, linked)) == ["BatchGetItem", "BatchGetItem", "TransactWriteItems"]
    assert sequential("GET", document_path(scenario, plain)) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("POST", listed, {"title": "T"}) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("PATCH", document_path(scenario, plain), {"title": "T"}) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("PATCH", document_path(scenario, linked), {"title": "T"})[1:] == [
        "BatchGetItem",
        "TransactWriteItems",
    ]
    assert sequential("DELETE", document_path(scenario, linked)) == ["BatchGetItem", "TransactWriteItems"]
    assert sequential("GET", listed) == ["BatchGetItem"]
    with count_store_calls(pool) as calls:
        assert owner.get(listed, meetingId="no id, and longer than a key may be" * 50).data == []
    assert "Query" not in calls.concurrent
