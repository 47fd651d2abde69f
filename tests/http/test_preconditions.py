"""Entity tags: a client that has a resource is not sent it again, and does not overwrite what it has not seen."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.entity_tags import EntityTags, entity_tag
from governance.errors import ApiError
from governance.http.preconditions import IF_MATCH, entity_tags
from governance.http.request import Request
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import ROUTES, Client, Response, gateway_event
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.sample_requests import SampleRequest, sample_request
from tests.harness.table_snapshot import TableSnapshot

TAGGED = {
    route.path: f"GET {route.path}"
    for route in ROUTES
    if route.tagged and not re.search("/preview/|/content$", route.path)
}
"""Without the route that takes a secret from a mail, and the one whose answer is a new address each time."""
CHANGES = sorted(
    f"{route.method} {route.path}"
    for route in ROUTES
    if route.path in TAGGED and route.method in {"PATCH", "PUT", "DELETE"}
)
MALFORMED = ("", "abc", '"abc', "W/*", '"a" "b"', '*, "a"', '"a", b', 'w/"a"', '"a\x7f"')


_OTHER_CHANGES = {
    "/calendar": "PUT",
    "/poll": "PUT",
    "/people": "PUT",
    "/agenda": "PUT",
    "/minutes": "PUT",
    "/cancellation": "PUT",
    "/unregistered-assignee": "PUT",
    "{unsubscribeToken}": "POST",
}
"""The method that changes a resource which no PATCH changes, by the end of its path."""


def send(request: SampleRequest, client: Client, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.call(request.method, request.path, request.body, query=request.query, headers=named)


@dataclass
class Change:
    """A request that changes a resource, and the requests around it."""

    scenario: BoardScenario
    name: str

    def __post_init__(self) -> None:
        self.method, _, self.route = self.name.partition(" ")
        self.request = sample_request(self.name, self.scenario)
        self.client = self.scenario.owner.client
        if self.name.startswith("PUT ") and self.route.endswith("/unregistered-assignee"):
            self.by_another()  # an item has no such assignee at first
        if self.name.startswith("PUT ") and self.route.endswith("/cancellation"):
            assert self.client.put(self.request.path, {}).status == 200  # a meeting takes place at first

    def tag(self) -> str:
        response = self.client.get(self.request.path)
        assert response.status == 200, response.text
        return response.headers["etag"]

    def send(self, **headers: str) -> Response:
        return send(self.request, self.client, **headers)

    def by_another(self) -> None:
        """Changes the resource by another request without a precondition."""
        if self.route.endswith("{versionId}"):
            assert self.client.post(f"{self.request.path}/complete").status == 200
            return
        if self.route.endswith("/minutes-signers"):
            others = [{**signer, "role": "Secretary"} for signer in self.request.body["signers"]]
            assert self.client.put(self.request.path, {"signers": others}).status == 200
            return
        method = next((method for end, method in _OTHER_CHANGES.items() if self.route.endswith(end)), "PATCH")
        name = f"{method} {self.route}"
        sample = sample_request(name, self.scenario, None, **_ids(self.route, self.request.path))
        assert sample.by(self.client).status == 200


def _ids(route: str, path: str) -> dict[str, str]:
    pairs = zip(route.split("/"), path.split("/"), strict=True)
    return {name[1:-1]: value for name, value in pairs if name.startswith("{")}


@pytest.fixture(params=CHANGES)
def change(request: pytest.FixtureRequest, scenario: BoardScenario) -> Change:
    return Change(scenario, request.param)


# -- reading


@pytest.mark.parametrize("path", TAGGED)
def test_a_resource_has_a_strong_tag_and_is_not_sent_again(path: str, scenario: BoardScenario) -> None:
    request = sample_request(TAGGED[path], scenario)
    first = request.by(scenario.owner.client)
    assert first.status == 200, first.text
    assert first.headers["etag"] == entity_tag(first.text)
    for known in (first.headers["etag"], f"W/{first.headers['etag']}", '"other", ' + first.headers["etag"], "*"):
        again = send(request, scenario.owner.client, if_none_match=known)
        assert (again.status, again.text, again.headers["etag"]) == (304, "", first.headers["etag"])
        assert "x-request-id" in again.headers
    assert send(request, scenario.owner.client, if_none_match='"other"').text == first.text


def test_lists_have_no_tag_and_a_refused_caller_gets_none(scenario: BoardScenario) -> None:
    for caller, path, status in (
        (scenario.owner.client, f"{scenario.path}/meetings", 200),
        (person("stranger").client, scenario.path, 403),
    ):
        answer = send(SampleRequest("GET", path), caller, if_none_match="*")
        assert (answer.status, "etag" in answer.headers) == (status, False)


# -- changing


def test_a_change_of_any_present_state_is_made(change: Change) -> None:
    change.tag()
    assert change.send(if_match="*").status == 200


def test_a_change_that_another_overtakes_is_refused(change: Change) -> None:
    tag = change.tag()
    with meanwhile(change.by_another):
        refused = change.send(if_match=tag)
    assert refused.failure == (412, "PRECONDITION_FAILED")


def test_a_change_is_made_only_if_both_headers_hold(change: Change) -> None:
    present = change.tag()
    before = TableSnapshot()
    for given_tag in ('"other"', f"W/{present}"):
        assert change.send(if_match=given_tag).failure == (412, "PRECONDITION_FAILED")
        assert change.send(if_match=given_tag, if_none_match='"other"').failure == (412, "PRECONDITION_FAILED")
    for known in ("*", present, f"W/{present}", f'"other", {present}'):
        assert change.send(if_none_match=known).failure == (412, "PRECONDITION_FAILED")
        assert change.send(if_match=present, if_none_match=known).failure == (412, "PRECONDITION_FAILED")
    assert not before.changes()
    assert change.send(if_match=f'"other", {present}', if_none_match='"other", W/"another"').status == 200


def test_a_change_that_another_overtakes_is_checked_by_what_that_left(scenario: BoardScenario) -> None:
    client, path = scenario.owner.client, "/api/v1/me/calendar"
    client.put(path, {"invitations": True})
    switched_on = client.get(path).headers["etag"]
    client.put(path, {"invitations": False})
    with meanwhile(lambda: client.put(path, {"invitations": True})):
        refused = send(SampleRequest("PUT", path, {"invitations": False}), client, if_none_match=switched_on)
    assert refused.failure == (412, "PRECONDITION_FAILED")
    assert client.get(path).data["invitations"] is True


@pytest.mark.parametrize(
    ("method", "name", "code"),
    [
        ("GET", "If-None-Match", "INVALID_QUERY_PARAMETER"),
        ("PATCH", "If-Match", "INVALID_REQUEST_BODY"),
        ("PATCH", "If-None-Match", "INVALID_REQUEST_BODY"),
    ],
)
def test_a_malformed_condition_is_refused_by_name(method: str, name: str, code: str, scenario: BoardScenario) -> None:
    request = SampleRequest(method, scenario.path, None if method == "GET" else {"name": "Renamed"})
    for header in MALFORMED:
        refused = send(request, scenario.owner.client, **{name: header})
        assert (refused.failure, [*refused.fields]) == ((400, code), [name]), header
        expected = f"Correct the header `{name}`: it must be * or a list of entity tags"
        assert refused.json["error"]["message"].startswith(expected)


def test_authorization_the_body_and_the_state_are_checked_before_the_precondition(scenario: BoardScenario) -> None:
    final = new_meeting_scenario(scenario)
    final.finalize()
    for caller, path, body, status in (
        (person("stranger").client, scenario.path, {"name": "Renamed"}, 403),
        (scenario.owner.client, scenario.path, {"name": ""}, 400),
        (scenario.owner.client, final.path, {"title": "Later"}, 409),
    ):
        assert send(SampleRequest("PATCH", path, body), caller, if_match='"other"').status == status


def test_where_nothing_is_read_by_the_same_address_the_headers_say_nothing(scenario: BoardScenario) -> None:
    request = SampleRequest("POST", f"{scenario.path}/documents", {"title": "New"})
    assert send(request, scenario.owner.client, if_match='"other"', if_none_match="*").status == 201


def test_every_resource_of_the_versioned_surface_is_tagged() -> None:
    untagged = {
        route.path
        for route in ROUTES
        if route.admission.versioned and route.method == "GET" and route.shape not in {"collection", "array"}
    } - TAGGED.keys()
    assert untagged == {
        "/api/v1/boards/{boardId}/documents/{documentId}/versions/{versionId}/content",
        "/api/v1/invite/preview/{inviteCode}",
        "/api/v1/invite/status/{inviteCode}",
    }
    assert {route.path for route in ROUTES if route.path in untagged and not route.tagged} == {
        "/api/v1/invite/status/{inviteCode}"
    }


def test_every_change_of_a_tagged_address_honours_the_precondition() -> None:
    assert {f"{route.method} {route.path}" for route in ROUTES if route.current is not None} == set(CHANGES)


# -- the header


def parsed(header: str) -> EntityTags | None:
    event = gateway_event("PATCH", "/", "", {IF_MATCH: header}, None)
    return entity_tags(Request.from_event(event), IF_MATCH)


opaque = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters='"'), max_size=8)
tags = st.builds(lambda weak, text: f'{"W/" if weak else ""}"{text}"', st.booleans(), opaque)


@given(st.lists(tags, min_size=1, max_size=5), st.sampled_from([",", ", ", " ,\t", ",,", ", ,"]))
def test_a_list_of_tags_is_read_as_it_was_written(written: list[str], separator: str) -> None:
    named = parsed(separator.join(written))
    assert named is not None
    assert named.tags == frozenset(written)


@given(st.text(st.characters(max_codepoint=0xFF), max_size=20))
def test_any_header_is_read_or_refused(text: str) -> None:
    with suppress(ApiError):
        assert parsed(text) is not None


LONG = [separator * 20_000 for separator in (",", ", ", " ,\t", ",    ", "\t \t,", ', "a"', ',"a" ', ' , W/"a"\t')]
"""What may follow a tag; a pattern that can read one of the blanks in two places would never end on it."""


@pytest.mark.parametrize("more", LONG)
def test_a_long_list_is_read(more: str) -> None:
    assert parsed(f'"b"{more}') is not None
    assert parsed(f'{more}, "b"') is not None


@pytest.mark.parametrize("more", LONG)
@pytest.mark.parametrize(("start", "end"), [('"a"', "x"), ('"a"', '"'), ("*", ""), ("", ' "a" x'), ("x", "")])
def test_a_long_malformed_header_is_refused(start: str, more: str, end: str) -> None:
    with pytest.raises(ApiError):
        parsed(start + more + end)
