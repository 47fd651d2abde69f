"""What a repeat with an idempotency key does not show any more: what is hidden from its caller by now, or gone."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import BoardId, membership_id
from tests.harness.board_scenario import BoardScenario
from tests.harness.sample_requests import ROUTES_BY_NAME, sample_request


def test_a_repeat_is_not_found_where_the_caller_sees_no_more_what_the_path_names(scenario: BoardScenario) -> None:
    ann, owner = scenario.member("ann").client, scenario.owner.client
    meeting = owner.post(f"{scenario.path}/meetings", {"title": "A", "status": "scheduled"}).data["id"]
    path = f"{scenario.path}/meetings/{meeting}"
    slot, comment = {"startTime": "2098-01-01T00:00:00Z", "timezone": "UTC"}, {"text": "Why?"}
    requests: list[tuple[str, Any]] = [
        (f"{path}/slots", slot),
        (f"{path}/comments", comment),
        (f"{path}/guest-link", None),
        (f"{path}/action-items", {"title": "Ask"}),
    ]
    first = [ann.post(to, body, idempotency_key="k") for to, body in requests]
    assert {response.status for response in first} == {201}
    assert {ann.post(to, body, idempotency_key="k").status for to, body in requests} == {201}
    assert owner.patch(path, {"status": "draft"}).status == 200
    assert {ann.post(to, body, idempotency_key="k").failure for to, body in requests} == {(404, "RESOURCE_NOT_FOUND")}
    assert owner.delete(path).status == 200
    assert {ann.post(to, body, idempotency_key="k").status for to, body in requests} == {404}


def test_a_repeat_is_not_found_where_the_caller_sees_no_more_what_was_created(scenario: BoardScenario) -> None:
    ann, ben, owner = scenario.member("ann"), scenario.member("ben"), scenario.owner.client
    committee = scenario.committee(ann, ben)
    requests: list[tuple[str, Any]] = [
        (f"{scenario.path}/documents", {"title": "Terms", "committeeId": committee}),
        (f"{scenario.path}/resolutions", {"title": "Terms", "text": "Agreed.", "committeeId": committee}),
    ]
    first = [ann.client.post(to, body, idempotency_key="k") for to, body in requests]
    assert [response.status for response in first] == [201, 201]
    repeats = [ann.client.post(to, body, idempotency_key="k") for to, body in requests]
    assert [response.text for response in repeats] == [response.text for response in first]
    left = {"memberIds": [membership_id(scenario.board_id, ben.id)]}
    assert owner.patch(f"{scenario.path}/committees/{committee}", left).status == 200
    repeats = [ann.client.post(to, body, idempotency_key="k") for to, body in requests]
    assert {response.failure for response in repeats} == {(404, "RESOURCE_NOT_FOUND")}


_LASTING = {"/api/v1/boards", "/api/v1/me/tokens", "/api/v1/boards/{boardId}/tokens"}
"""What a DELETE does not make unseen: a revoked token stays on its list. Boards have a test of their own."""
_DELETED = sorted(
    list_
    for method, _, path in (name.partition(" ") for name in ROUTES_BY_NAME)
    if method == "DELETE" and f"POST {(list_ := path.rpartition('/')[0])}" in ROUTES_BY_NAME and list_ not in _LASTING
)


@pytest.mark.parametrize("of_list", _DELETED)
def test_a_repeat_is_not_found_where_what_was_created_is_gone(scenario: BoardScenario, of_list: str) -> None:
    request, owner = sample_request(f"POST {of_list}", scenario), scenario.owner.client
    first = owner.post(request.path, request.body, idempotency_key="k")
    assert first.status == 201, first.text
    assert owner.post(request.path, request.body, idempotency_key="k").status == 201
    id_ = first.data.get("id") or first.data["_id"]
    assert owner.delete(f"{request.path}/{id_}").status == 200
    assert owner.post(request.path, request.body, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("path", ["/api/v1/boards", "/api/v1/me/example-board"])
@pytest.mark.parametrize("end", ["left", "deleted"])
def test_a_repeat_of_a_boards_creation_is_not_found_once_its_maker_is_no_member(
    scenario: BoardScenario, path: str, end: str
) -> None:
    ann, ben = scenario.member("ann"), scenario.member("ben")
    body = {"name": "Fund"} if path.endswith("boards") else None
    made = ann.client.post(path, body, idempotency_key="k")
    assert made.status == 201
    assert ann.client.post(path, body, idempotency_key="k").text == made.text
    own = BoardScenario(ann, BoardId(made.data["id"]))
    if end == "left":
        own.join(ben)
        heir = {"memberId": membership_id(own.board_id, ben.id)}
        assert ann.client.post(f"{own.path}/ownership-transfer", heir).status == 200
        assert ann.client.delete(own.member_path(ann)).status == 200
    else:
        assert ann.client.delete(own.path).status == 200
    assert ann.client.post(path, body, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


def test_a_repeat_does_not_name_a_person_whose_data_was_removed(scenario: BoardScenario) -> None:
    people, owner = f"{scenario.path}/unregistered-users", scenario.owner.client
    body = {"firstName": "Anna", "email": "anna@example.com"}
    anna = owner.post(people, body, idempotency_key="k").data
    assert owner.post(people, body, idempotency_key="k").data == anna
    assert owner.post(f"{people}/{anna['id']}/scrub").status == 200
    assert owner.post(people, body, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("act", ["archive", "unarchive"])
def test_a_repeat_of_a_change_does_not_name_a_person_whose_data_was_removed(scenario: BoardScenario, act: str) -> None:
    people, owner = f"{scenario.path}/unregistered-users", scenario.owner.client
    path = f"{people}/{owner.post(people, {'firstName': 'Anna'}).data['id']}"
    first = owner.post(f"{path}/{act}", idempotency_key="k")
    assert owner.post(f"{path}/{act}", idempotency_key="k").text == first.text
    scrubbed = owner.post(f"{path}/scrub", idempotency_key="s")
    assert owner.post(f"{path}/{act}", idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")
    assert owner.post(f"{path}/scrub", idempotency_key="s").text == scrubbed.text


@pytest.mark.parametrize("end", ["left", "scrubbed"])
def test_a_repeat_of_a_merge_is_not_found_once_the_member_has_left_or_the_persons_data_was_removed(
    scenario: BoardScenario, end: str
) -> None:
    people, owner, ben = f"{scenario.path}/unregistered-users", scenario.owner.client, scenario.member("ben")
    path = f"{people}/{owner.post(people, {'firstName': 'Anna'}).data['id']}"
    body = {"memberId": membership_id(scenario.board_id, ben.id), "dryRun": end == "scrubbed"}
    first = owner.post(f"{path}/merge", body, idempotency_key="k")
    assert first.status == 200
    assert owner.post(f"{path}/merge", body, idempotency_key="k").text == first.text
    ended = owner.delete(scenario.member_path(ben)) if end == "left" else owner.post(f"{path}/scrub")
    assert ended.status == 200
    assert owner.post(f"{path}/merge", body, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


def test_a_repeat_of_a_transfer_does_not_name_who_has_left(scenario: BoardScenario) -> None:
    owner, ben, path = scenario.owner, scenario.member("ben"), f"{scenario.path}/ownership-transfer"
    to_ben, back = ({"memberId": membership_id(scenario.board_id, who.id)} for who in (ben, owner))
    first = owner.client.post(path, to_ben, idempotency_key="k")
    assert ben.client.post(path, back).status == 200
    assert owner.client.post(path, to_ben, idempotency_key="k").text == first.text
    assert owner.client.delete(scenario.member_path(ben)).status == 200
    assert owner.client.post(path, to_ben, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


def _carried_over(scenario: BoardScenario, anna: str, paper: str) -> tuple[str, dict[str, Any]]:
    """Creates a meeting whose agenda has a paper and a presenter; returns the request that carries it over."""
    owner, meetings = scenario.owner.client, f"{scenario.path}/meetings"
    earlier, later = (owner.post(meetings, {"title": title}).data["id"] for title in ("Earlier", "Later"))
    item = {"title": "Open", "presenterUnregisteredUserId": anna, "documentIds": [paper]}
    assert owner.put(f"{meetings}/{earlier}/agenda", {"items": [item]}).status == 200
    return f"{meetings}/{later}/agenda/carry-over", {"fromMeetingId": earlier}


@pytest.mark.parametrize("end", ["scrubbed", "off the committee"])
def test_a_repeat_of_carrying_over_names_no_hidden_paper_and_no_person_whose_data_was_removed(
    scenario: BoardScenario, end: str
) -> None:
    owner, people, ben = scenario.owner, f"{scenario.path}/unregistered-users", scenario.member("ben")
    anna = owner.client.post(people, {"firstName": "Anna"}).data["id"]
    committee = scenario.committee(owner, ben)
    terms = {"title": "Terms", "committeeId": committee}
    paper = owner.client.post(f"{scenario.path}/documents", terms).data["id"]
    path, body = _carried_over(scenario, anna, paper)
    first = owner.client.post(path, body, idempotency_key="k")
    assert "Anna" in first.text
    assert paper in first.text
    assert owner.client.post(path, body, idempotency_key="k").text == first.text
    if end == "scrubbed":
        assert owner.client.post(f"{people}/{anna}/scrub").status == 200
    else:
        others = {"memberIds": [membership_id(scenario.board_id, ben.id)]}
        assert owner.client.patch(f"{scenario.path}/committees/{committee}", others).status == 200
    assert owner.client.post(path, body, idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")


@pytest.mark.parametrize("end", ["scrubbed", "deleted again"])
def test_a_repeat_of_a_restoration_names_no_person_whose_data_was_removed_and_shows_no_deleted_minutes(
    scenario: BoardScenario, end: str
) -> None:
    owner, people = scenario.owner.client, f"{scenario.path}/unregistered-users"
    anna = owner.post(people, {"firstName": "Anna"}).data["id"]
    meeting = owner.post(f"{scenario.path}/meetings", {"title": "A", "status": "completed"}).data["id"]
    minutes = f"{scenario.path}/meetings/{meeting}/minutes"
    there = {"attendance": [{"unregisteredUserId": anna, "present": "remote"}], "items": []}
    assert owner.put(minutes, there).status == 200
    assert owner.delete(minutes).status == 200
    first = owner.post(f"{minutes}/restoration", idempotency_key="k")
    assert "Anna" in first.text
    assert owner.post(f"{minutes}/restoration", idempotency_key="k").text == first.text
    ended = owner.post(f"{people}/{anna}/scrub") if end == "scrubbed" else owner.delete(minutes)
    assert ended.status == 200
    assert owner.post(f"{minutes}/restoration", idempotency_key="k").failure == (404, "RESOURCE_NOT_FOUND")
