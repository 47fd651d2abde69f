"""Ids that name nothing here, in every path, body and query: a 404, or a 400 that names the member; never a 500."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from governance.http.route import Route
from governance.ids import ID_PATTERN, membership_id, new_id
from tests.boundaries.test_members import Member, body_with, members
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.client import Response
from tests.harness.path_resources import PARAMETER, PathResources
from tests.harness.sample_bodies import counter
from tests.harness.sample_requests import QUERIES, ROUTES_BY_NAME, sample_request

_NAMES_AN_ID = re.compile(r"(?:.*I|i)ds?|mentions")
_OTHERS = {"rogueId", "fieldId", "latestVersionId"}
"""Members that name a KPI, a figure, or a version that another system keeps."""
_NOT_OURS = {"POST /api/v1/access/evaluation", "POST /api/v1/access/evaluations"}
"""Routes whose body has the form of a standard: their answer is a decision."""
_MALFORMED = ["", "x", "A" * 24, "0" * 23, "0" * 25, "0" * 5000, "é" * 24, "a" * 23 + "\n", "0x" + "0" * 22, " " * 24]
_MALFORMED_IN_PATHS = ["A" * 24, "0" * 23, "0" * 25, "%00", "é" * 8, " ", "a" * 5000, "%E2%80%AE"]
_MALFORMED_IN_PATHS += ["'", "*", "null", "-1", "0x" + "0" * 22]
_OTHER_TYPES = [1, True, [], {}, ["0" * 24], {"id": "0" * 24}]
_JUDGED_AT_OPENING = {"voters.0.userId", "rule.castingVoteUserId"}
"""Members that a draft keeps as they are: the people may join before it is opened."""
_KINDS: Mapping[str, str] = {
    "agendaItemId": "agendaItemId",
    "fromMeetingId": "meetingId",
    "id": "agendaItemId",
    "inMeetingId": "meetingId",
    "mentions": "userId",
    "replyToId": "commentId",
    "supersedesId": "resolutionId",
}
"""What members name whose name does not say it."""


class BodyId(NamedTuple):
    """A member of a route's body that is an id."""

    route: str
    member: Member

    @property
    def kind(self) -> str:
        """The parameter of a path that names a thing of the same kind."""
        last: str = [str(part) for part in self.member.path if part != _ITEM][-1]
        if last in _KINDS:
            return _KINDS[last]
        name = last.removesuffix("s")
        return next(str(kind) for kind in _KINDS_OF_PATHS if name.lower().endswith(kind.lower()))


_ITEM = 0
_KINDS_OF_PATHS = sorted(
    {name for route in ROUTES_BY_NAME.values() for name in PARAMETER.findall(route.path) if name.endswith("Id")},
    key=len,
    reverse=True,
)


def schema_of(route: Route) -> Mapping[str, Any]:
    """Returns the schema of a route's body in the API reference."""
    return {"$ref": f"#/components/schemas/{route.body.__name__}"} if route.body else {}


def body_ids() -> Iterator[BodyId]:
    for name, route in ROUTES_BY_NAME.items():
        if route.body and name not in _NOT_OURS:
            ids = (member for member in members(schema_of(route)) if member.schema.get("pattern") == ID_PATTERN)
            yield from (BodyId(name, member) for member in ids)


BODY_IDS = {f"{body_id.route} {body_id.member.name}": body_id for body_id in body_ids()}


def test_every_id_in_a_body_or_query_has_the_form_of_an_id() -> None:
    unformed = set()
    for name, route in ROUTES_BY_NAME.items():
        if name in _NOT_OURS:
            continue
        for member in members(schema_of(route)) if route.body else ():
            names = [str(part) for part in member.path if part != _ITEM]
            is_text = member.schema.get("type") == "string"
            if is_text and _NAMES_AN_ID.fullmatch(names[-1]) and member.schema.get("pattern") != ID_PATTERN:
                unformed.add(names[-1])
    assert unformed == _OTHERS


def _agenda_items(scenario: BoardScenario, *titles: str) -> tuple[str, list[dict[str, Any]]]:
    """Creates a meeting with an agenda; returns the path of the agenda, and its items."""
    path = f"{scenario.path}/meetings"
    path += f"/{scenario.owner.client.post(path, {'title': 'Meeting'}).data['id']}/agenda"
    return path, scenario.owner.client.put(path, {"items": [{"title": title} for title in titles]}).data["items"]


def _agenda_strangers(scenario: BoardScenario) -> dict[str, str]:
    path, (kept, gone) = _agenda_items(scenario, "Kept", "Gone")
    scenario.owner.client.put(path, {"items": [{"id": kept["id"], "title": "Kept"}]})
    return {"unknown": new_id(), "foreign": kept["id"], "deleted": gone["id"]}


def _people_strangers(scenario: BoardScenario, other: BoardScenario) -> dict[str, str]:
    people = {what: _created("unregisteredUserId", scenario, "")["unregisteredUserId"] for what in ("archive", "scrub")}
    for what, id_ in people.items():
        scenario.owner.client.post(f"{scenario.path}/unregistered-users/{id_}/{what}")
    return {"unknown": new_id(), "foreign": _created("unregisteredUserId", other, "")["unregisteredUserId"], **people}


@cache
def _deleting(kind: str) -> str | None:
    """Returns the route that deletes a thing of this kind."""
    found = [name for name in ROUTES_BY_NAME if name.startswith("DELETE ") and name.endswith(f"/{{{kind}}}")]
    return found[0] if found and kind not in {"userId", "boardId"} else None


def _created(kind: str, scenario: BoardScenario, route: str) -> PathResources:
    """Creates a thing of a kind on a board, beside other things than those that a request names."""
    resources = PathResources(scenario, scenario.owner, route)
    _ = resources[kind]
    return resources


def _strangers(kind: str, scenario: BoardScenario, other: BoardScenario, route: str) -> dict[str, str]:
    """Returns ids that name nothing on the board, by what they are: unknown, of another board, of what was deleted."""
    left = scenario.member(f"left{next(counter)}")
    scenario.owner.client.delete(scenario.member_path(left))
    if kind == "userId":
        return {"unknown": new_id(), "foreign": person(f"stranger{next(counter)}").id, "deleted": left.id}
    if kind == "memberId":
        there = membership_id(other.board_id, other.owner.id)
        return {"unknown": new_id(), "foreign": there, "deleted": membership_id(scenario.board_id, left.id)}
    if kind == "boardId":
        theirs = person(f"stranger{next(counter)}").client.post("/api/v1/boards", {"name": "Theirs"}).data["id"]
        gone = scenario.owner.client.post("/api/v1/boards", {"name": "Gone"}).data["id"]
        scenario.owner.client.delete(f"/api/v1/boards/{gone}")
        return {"unknown": new_id(), "foreign": theirs, "deleted": gone}
    if kind == "agendaItemId":
        return _agenda_strangers(scenario)
    strangers = {"unknown": new_id(), "foreign": _created(kind, other, route)[kind]}
    if deleting := _deleting(kind):
        gone_resources = _created(kind, scenario, deleting)
        path = gone_resources.fill(ROUTES_BY_NAME[deleting].path)
        assert scenario.owner.client.delete(path).status == 200, path
        strangers["deleted"] = gone_resources[kind]
    return strangers


def _with(body_id: BodyId, body: Any, value: Any) -> Any:
    """Returns a valid body in which a member has this value."""
    schema = schema_of(ROUTES_BY_NAME[body_id.route])
    wrong = body_with(schema, body_id.member.path, value)
    first = body_id.member.path[0]
    if not isinstance(body, dict):
        return wrong
    return {**copy.deepcopy(body), first: _beside(body.get(first), wrong[first])}


def _beside(sample: Any, wrong: Any) -> Any:
    """Returns wrong items with what the sample has besides: an item may need what its schema leaves optional."""
    if not (isinstance(sample, list) and isinstance(wrong, list) and sample and wrong):
        return wrong
    is_filled = isinstance(sample[0], dict) and isinstance(wrong[0], dict)
    return [{**copy.deepcopy(sample[0]), **wrong[0]}] if is_filled else wrong


def _is_refused(response: Response, member: str) -> bool:
    """Returns whether a response is 404, or 400 and names the member or one that contains it or is in it."""
    if response.status != 400:
        return response.status == 404
    return any(f"{name}.".startswith(f"{member}.") or f"{member}.".startswith(f"{name}.") for name in response.fields)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BODY_IDS))
def test_an_id_in_a_body_that_names_nothing_here_is_refused_by_its_name(name: str, scenario: BoardScenario) -> None:
    body_id, other = BODY_IDS[name], new_board_scenario(name="Other")
    request = sample_request(body_id.route, scenario)
    strangers = _strangers(body_id.kind, scenario, other, body_id.route)
    if body_id.kind == "unregisteredUserId":
        strangers = _people_strangers(scenario, other)
    values = {**strangers, **{repr(value)[:30]: value for value in (*_MALFORMED, *_OTHER_TYPES)}}
    accepted = {}
    for what, value in values.items():
        body = _with(body_id, request.body, value)
        response = scenario.owner.client.call(request.method, request.path, body)
        if response.status < 300 and body_id.member.name in _JUDGED_AT_OPENING:
            response = scenario.owner.client.post(f"{scenario.path}/resolutions/{response.data['id']}/open")
        if not _is_refused(response, body_id.member.name):
            accepted[what] = (response.status, response.text[:300])
    assert accepted == {}


def _query_ids() -> dict[str, tuple[str, str]]:
    """Returns the parameters of queries that are ids of one thing, by route; `after` names an event."""
    return {
        f"{name} {field.alias or key}": (name, str(field.alias or key))
        for name, route in ROUTES_BY_NAME.items()
        if route.query
        for key, field in route.query.model_fields.items()
        if key.endswith("_id") or key == "after"
    }


QUERY_IDS = _query_ids()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(QUERY_IDS))
def test_an_id_in_a_query_that_names_nothing_here_is_refused_or_matches_nothing(
    name: str, scenario: BoardScenario
) -> None:
    route, parameter = QUERY_IDS[name]
    request = sample_request(route, scenario)
    kind = next((kind for kind in _KINDS_OF_PATHS if parameter.lower().endswith(kind.lower())), None)
    strangers = _strangers(kind, scenario, new_board_scenario(name="Other"), route) if kind else {}
    for value in (*strangers.values(), *_MALFORMED):
        response = scenario.owner.client.call(request.method, request.path, query={parameter: value})
        is_empty = route.startswith("GET ") and response.status == 200 and response.data == []
        assert is_empty or _is_refused(response, parameter), (value, response.status, response.text[:300])


_WITH_PARAMETERS = sorted(name for name, route in ROUTES_BY_NAME.items() if "{" in name and not route.answers_always)


@pytest.mark.slow
@pytest.mark.parametrize("name", _WITH_PARAMETERS)
def test_a_malformed_parameter_of_a_path_is_not_found_wherever_it_stands(name: str, scenario: BoardScenario) -> None:
    mismatches = []
    for parameter in PARAMETER.findall(ROUTES_BY_NAME[name].path):
        path, body = _request_with_mark(name, scenario, parameter)
        for bad in _MALFORMED_IN_PATHS:
            response = scenario.owner.client.call(
                ROUTES_BY_NAME[name].method, path.replace("MARK", bad), body, query=QUERIES.get(name, "")
            )
            if response.status != 404 or response.json.keys() not in ({"error"}, {"message", "code"}):
                mismatches.append((parameter, bad[:20], response.status))
    assert mismatches == []


@pytest.mark.slow
def test_an_id_in_a_path_that_names_nothing_there_is_not_found(scenario: BoardScenario) -> None:
    other, mismatches = new_board_scenario(name="Other"), []
    strangers: dict[str, dict[str, str]] = {}
    for name, route in ROUTES_BY_NAME.items():
        kinds = [kind for kind in PARAMETER.findall(route.path) if kind.endswith("Id")]
        for kind in kinds:
            if kind not in strangers:
                strangers[kind] = _strangers(kind, scenario, other, name)
            path, body = _request_with_mark(name, scenario, kind)
            for what, value in strangers[kind].items():
                if (what == "foreign" and "{boardId}" not in route.path) or (what, kind) == ("deleted", "tokenId"):
                    continue  # the caller's own elsewhere; a revoked token stays on its list
                response = scenario.owner.client.call(
                    route.method, path.replace("MARK", value), body, query=QUERIES.get(name, "")
                )
                if response.status != 404 and not (kind == "boardId" and response.status == 403):
                    mismatches.append((name, kind, what, response.status, response.text[:200]))
    assert mismatches == []


def _request_with_mark(name: str, scenario: BoardScenario, kind: str) -> tuple[str, Any]:
    """Returns the path of a valid request with a mark in place of one id, and its body."""
    request = sample_request(name, scenario)
    template = ROUTES_BY_NAME[name].path
    values = dict(zip(PARAMETER.findall(template), _values(template, request.path), strict=True))
    return PARAMETER.sub(lambda match: "MARK" if match[1] == kind else values[match[1]], template), request.body


def _values(template: str, path: str) -> tuple[str, ...]:
    match = re.fullmatch(PARAMETER.sub("([^/]+)", template), path)
    assert match
    return match.groups()
