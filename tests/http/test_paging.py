"""Lists: nothing twice, nothing missed, whatever changes meanwhile; cursors hold for one list and one caller."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Response

STARTS = st.sampled_from([None, "2027-01-01T09:00:00Z", "2027-01-01T10:00:00+01:00", "2027-06-01T09:00:00Z"])
ORDERS = st.sampled_from(["asc", "desc"])
FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


@dataclass(frozen=True)
class Wanted:
    """A meeting to be made: its start, and whether it is a draft."""

    start: str | None
    draft: bool


MEETINGS = st.lists(st.builds(Wanted, STARTS, st.booleans()), max_size=7)


class Board:
    """A fresh board for each example."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.client = scenario.owner.client
        self.path = f"/api/v1/boards/{self.client.post('/api/v1/boards', {'name': 'Board'}).data['id']}/meetings"

    def add(self, wanted: Sequence[Wanted]) -> list[str]:
        bodies = [
            {"title": "M", "startTime": meeting.start, "status": "draft" if meeting.draft else "scheduled"}
            for meeting in wanted
        ]
        return [str(self.client.post(self.path, body).data["id"]) for body in bodies]

    def page(self, cursor: str | None, limit: int, order: str) -> tuple[list[str], str | None]:
        more = {} if cursor is None else {"cursor": cursor}
        answer = self.client.get(self.path, limit=limit, order=order, **more)
        assert answer.status == 200, answer.text
        return [meeting["id"] for meeting in answer.data], answer.json["meta"]["nextCursor"]


@FEW
@given(wanted=MEETINGS, limits=st.lists(st.integers(1, 4), min_size=1, max_size=4), order=ORDERS)
def test_pages_hold_everything_once_and_in_order(
    scenario: BoardScenario, wanted: list[Wanted], limits: list[int], order: str
) -> None:
    board = Board(scenario)
    board.add(wanted)
    seen: list[str] = []
    cursor, turn = None, 0
    while True:
        page, cursor = board.page(cursor, limits[turn % len(limits)], order)
        seen, turn = seen + page, turn + 1
        if cursor is None:
            break
    meetings = {meeting["id"]: meeting for meeting in board.client.get(board.path, limit=100).data}
    assert len(meetings) == len(wanted)
    expected = sorted(meetings, key=lambda id_: (meetings[id_]["startTime"] or "", id_), reverse=order == "desc")
    assert seen == expected


@FEW
@given(wanted=MEETINGS, late=MEETINGS, order=ORDERS, data=st.data())
def test_what_stays_as_it_is_is_seen_once_whatever_else_changes(
    scenario: BoardScenario, wanted: list[Wanted], late: list[Wanted], order: str, data: st.DataObject
) -> None:
    board = Board(scenario)
    first = board.add(wanted)
    moved = data.draw(st.sets(st.sampled_from(first), max_size=2)) if first else set()
    seen, cursor = board.page(None, 2, order)
    board.add(late)
    for meeting in moved:
        board.client.patch(f"{board.path}/{meeting}", {"startTime": data.draw(STARTS), "status": "scheduled"})
    while cursor is not None:
        page, cursor = board.page(cursor, 2, order)
        seen += page
    for meeting in set(first) - moved:
        assert seen.count(meeting) == 1
    assert all(seen.count(meeting) <= 2 for meeting in moved)


def test_the_last_page_says_so_also_when_it_is_exactly_full(scenario: BoardScenario) -> None:
    for title in ("A", "B"):
        scenario.owner.client.post(f"{scenario.path}/meetings", {"title": title})
    for limit in (2, 3):
        meta = scenario.owner.client.get(f"{scenario.path}/meetings", limit=limit).json["meta"]
        assert meta == {"nextCursor": None, "hasMore": False}


def test_limits_are_those_of_the_contract(scenario: BoardScenario) -> None:
    meetings = f"{scenario.path}/meetings"
    for number in range(26):
        scenario.owner.client.post(meetings, {"title": str(number)})
    assert len(scenario.owner.client.get(meetings).data) == 25
    assert len(scenario.owner.client.get(meetings, limit=100).data) == 26
    for bad in (0, 101, -1, "1.0", "01", "+1", "", "x", "1e1", "٣"):
        refused = scenario.owner.client.get(meetings, limit=bad)
        assert (refused.failure, set(refused.fields)) == ((400, "INVALID_QUERY_PARAMETER"), {"limit"})


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("sort=title", {"sort"}),
        ("sort=createdAt", {"sort"}),
        ("order=up", {"order"}),
        ("order=DESC", {"order"}),
        ("status=open", {"status"}),
        ("startAfter=2027-01-01", {"startAfter"}),
        ("startAfter=2027-01-01T00:00:00", {"startAfter"}),
        ("startAfter=2027-01-01T00:00:00+01:00", {"startAfter"}),
        ("limit=1&limit=1", {"limit"}),
        ("q=x", {"q"}),
        ("start_after=2027-01-01T00:00:00Z", {"start_after"}),
        ("status=%ff", {"query"}),
        ("status=a%00", {"status"}),
        ("limit=0&order=up&q=x", {"limit", "order", "q"}),
    ],
)
def test_a_query_that_is_not_understood_is_refused(scenario: BoardScenario, query: str, fields: set[str]) -> None:
    refused = scenario.owner.client.call("GET", f"{scenario.path}/meetings", query=query)
    assert (refused.failure, set(refused.fields)) == ((400, "INVALID_QUERY_PARAMETER"), fields)


@pytest.mark.parametrize("path", ["", "/members/x", "/meetings/x"])
def test_a_resource_takes_no_parameters(scenario: BoardScenario, path: str) -> None:
    assert scenario.owner.client.get(scenario.path + path, expand="all").failure == (400, "INVALID_QUERY_PARAMETER")


def cursor_of(scenario: BoardScenario, **query: str) -> str:
    for title in ("A", "B", "C"):
        scenario.owner.client.post(f"{scenario.path}/meetings", {"title": title, "status": "scheduled"})
    return str(scenario.owner.client.get(f"{scenario.path}/meetings", limit=1, **query).json["meta"]["nextCursor"])


def test_a_cursor_belongs_to_one_list_order_filter_and_caller(scenario: BoardScenario) -> None:
    cursor, ben = cursor_of(scenario), scenario.member("ben")
    other = scenario.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    owner = scenario.owner.client
    assert owner.get(f"{scenario.path}/meetings", limit=50, cursor=cursor).status == 200
    for answer in (
        owner.get(f"{scenario.path}/meetings", cursor=cursor, order="asc"),
        owner.get(f"{scenario.path}/meetings", cursor=cursor, status="scheduled"),
        owner.get(f"{scenario.path}/meetings", cursor=cursor, startAfter="2020-01-01T00:00:00Z"),
        owner.get(f"{scenario.path}/members", cursor=cursor),
        owner.get(f"/api/v1/boards/{other}/meetings", cursor=cursor),
        ben.client.get(f"{scenario.path}/meetings", cursor=cursor),
        scenario.token().get(f"{scenario.path}/meetings", cursor=cursor),
    ):
        assert (answer.failure, set(answer.fields)) == ((400, "INVALID_QUERY_PARAMETER"), {"cursor"})


def test_a_forged_cursor_is_refused(scenario: BoardScenario) -> None:
    cursor = cursor_of(scenario)
    raw = bytearray(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    raw[-1] ^= 1
    changed = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    for forged in ("", "x", changed, cursor + "A", cursor[:-2], "=" * 8, "é", cursor + "\n", "A" * 10_000):
        answer = scenario.owner.client.get(f"{scenario.path}/meetings", cursor=forged)
        assert (answer.failure, set(answer.fields)) == ((400, "INVALID_QUERY_PARAMETER"), {"cursor"})


def test_a_session_and_a_token_of_one_user_share_cursors(scenario: BoardScenario) -> None:
    cursor = cursor_of(scenario)
    assert scenario.personal_token(scenario.owner).get(f"{scenario.path}/meetings", cursor=cursor).status == 200


def test_absent_and_hidden_are_the_same_bytes(scenario: BoardScenario) -> None:
    """A draft of another, a meeting that never was, an id that is none; a board of another token, and no board."""
    ben = scenario.member("ben").client
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Secret"}).data["id"]
    paths = [f"{scenario.path}/meetings/{id_}" for id_ in (draft, "f" * 24, "no id", "%00", "é", "a$b")]
    assert len({_anonymous(ben.get(path)) for path in paths}) == 1
    assert len({_anonymous(ben.patch(path, {"title": "Mine"})) for path in paths}) == 1
    token, other = scenario.token(), person("oscar").client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    boards = [f"/api/v1/boards/{id_}" for id_ in (other, "f" * 24, "x")]
    assert len({_anonymous(token.get(path + rest)) for path in boards for rest in ("", "/meetings", "/tokens")}) == 1


def _anonymous(answer: Response) -> str:
    text, headers = answer.text, answer.headers
    return text.replace(headers["x-request-id"], "")


def test_a_plus_that_arrives_as_a_blank_gets_a_hint(scenario: BoardScenario) -> None:
    for query, hinted in (("startAfter=2027-01-01T00:00:00+01:00", True), ("startBefore=2027-01-01T00:00:00", False)):
        (words,) = scenario.owner.client.call("GET", f"{scenario.path}/meetings", query=query).fields.values()
        assert ("`%2B`" in words) is hinted
