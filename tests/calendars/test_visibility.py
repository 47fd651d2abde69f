"""A feed shows exactly what the API lists: no draft of others, no other board, nothing of a board that one left."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.calendars.feeds import fetch, subscribe
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.meeting_scenario import from_now, leave

STATUSES = st.sampled_from(["draft", "scheduled", "in_progress", "completed"])
STEP = st.tuples(
    st.sampled_from(["create", "create", "create", "patch", "slot", "book", "delete", "leave", "join"]),
    st.integers(0, 2),
    st.integers(0, 1),
    STATUSES,
    st.sampled_from([None, 1, 30]),
)


class World:
    """Two boards with the same members, and what was made on them."""

    def __init__(self) -> None:
        self.boards = [new_board_scenario("olivia"), new_board_scenario("oscar")]
        self.people = [board.owner for board in self.boards] + [self.boards[0].member("ben")]
        for board, user in ((0, 1), (1, 0), (1, 2)):
            self.boards[board].join(self.people[user])
        self.paths: list[str] = []
        self.slots: list[str] = []

    def do(self, kind: str, who: int, where: int, status: str, days: int | None) -> None:
        """Tries a step; what the API refuses changes nothing."""
        board, user = self.boards[where], self.people[who]
        start = None if days is None else from_now(days=days)
        if kind == "create":
            body = {"title": f"{status} of {who}", "status": status, "startTime": start}
            response = user.client.post(f"{board.path}/meetings", body)
            if response.status == 201:
                self.paths.append(f"{board.path}/meetings/{response.data['id']}")
        elif kind == "leave" and user.id != board.owner.id and self._is_member(board, user):
            leave(board, user)
        elif kind == "join" and not self._is_member(board, user):
            board.join(user)
        elif self.paths:
            self._change(kind, user, self.paths[-1 - where % len(self.paths)], status, start)

    def _change(self, kind: str, user: Person, path: str, status: str, start: str | None) -> None:
        if kind == "patch":
            user.client.patch(path, {"status": status, "startTime": start})
        elif kind == "slot":
            body = {"startTime": from_now(days=2 + len(self.slots)), "timezone": "Europe/Paris"}
            response = user.client.post(f"{path}/slots", body)
            if response.status == 201:
                self.slots.append(f"{path}/slots/{response.data['id']}")
        elif kind == "book" and self.slots:
            user.client.post(f"{self.slots[-1]}/confirm")
        elif kind == "delete":
            user.client.delete(path)

    @staticmethod
    def _is_member(board: BoardScenario, user: Person) -> bool:
        return user.client.get(board.path).status == 200

    def expected(self, user: Person, board: BoardScenario) -> set[str]:
        """What a user's calendar of a board has, by what the API lists."""
        if not self._is_member(board, user):
            return set()
        listed = set()
        for meeting in user.client.all(f"{board.path}/meetings"):
            if meeting["startTime"] is not None:
                listed.add(meeting["id"])
            if meeting["status"] in {"draft", "scheduled"}:
                slots = user.client.get(f"{board.path}/meetings/{meeting['id']}/slots").data
                booked = any(slot["startTime"] == meeting["startTime"] for slot in slots)
                listed |= set() if booked else {slot["id"] for slot in slots}
        return listed


@pytest.mark.slow
@pytest.mark.usefixtures("_engine")
@settings(max_examples=12, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.lists(STEP, min_size=4, max_size=14))
def test_a_feed_has_what_the_api_lists_and_nothing_else(steps: list[tuple[str, int, int, str, int]]) -> None:
    with engine.fresh_table():
        world = World()
        urls = {
            (who, where): subscribe(world.people[who], boardId=world.boards[where].board_id)
            for who in range(3)
            for where in range(2)
        }
        whole = [subscribe(user) for user in world.people]
        for step in steps:
            world.do(*step)
        for who, user in enumerate(world.people):
            expected = [world.expected(user, board) for board in world.boards]
            for where in range(2):
                assert fetch(urls[who, where]).events.keys() == expected[where]
            assert fetch(whole[who]).events.keys() == expected[0] | expected[1]
