"""Random histories of minutes: what was approved never changes, and the last of it is what everybody reads."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import pytest
import rfc8785
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.harness.board_scenario import new_board_scenario
from tests.harness.client import Response
from tests.harness.engine import fresh_table
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario

_HASHED = ("attendance", "createdAt", "items", "meetingId")
_OPEN = {"audience": None, "withheld": False}
ACTS = ("write", "circulate", "remark", "correct", "approve")
_NEXT = {"write": "circulate", "correct": "circulate", "circulate": "approve", "approve": "correct"}
"""What usually follows an act, so that histories go on."""


@dataclass
class History:
    """The minutes of a meeting, and what is expected of them: the open draft, the newest version, what was approved."""

    meeting: MeetingScenario
    approving: str
    draft: str | None = None
    circulated: str | None = None
    approved: list[int] = field(default_factory=list)
    versions: dict[int, dict[str, Any]] = field(default_factory=dict)
    texts: int = 0

    def act(self, name: str) -> None:
        expected, response = getattr(self, f"_{name}")()
        assert (response.status < 300) is expected, f"{name}: {response.text}"
        assert expected or response.status in {404, 409}, f"{name}: {response.text}"

    def _send(self, method: str, part: str, body: Any = None) -> Response:
        return self.meeting.board.owner.client.call(method, f"{self.meeting.path}/minutes{part}", body)

    def _set(self, method: str, part: str, *, is_allowed: bool) -> tuple[bool, Response]:
        self.texts += 1
        text = f"Text {self.texts}"
        if is_allowed:
            self.draft = text
        return is_allowed, self._send(method, part, {"items": [{"text": text}]})

    def _write(self) -> tuple[bool, Response]:
        return self._set("PUT", "", is_allowed=not self.approved)

    def _correct(self) -> tuple[bool, Response]:
        return self._set("POST", "/corrections", is_allowed=bool(self.approved))

    def _circulate(self) -> tuple[bool, Response]:
        response = self._send("POST", "/circulation", {})
        if self.draft is not None and self.draft != self.circulated:
            self.circulated = self.draft
            self.versions[len(self.versions) + 1] = self._version(len(self.versions) + 1)
        return self.draft is not None, response

    def _remark(self) -> tuple[bool, Response]:
        body = {"version": max(len(self.versions), 1), "text": "Not so"}
        return self.circulated is not None, self._send("POST", "/remarks", body)

    def _approve(self) -> tuple[bool, Response]:
        body = {"manner": "as_presented", "inMeetingId": self.approving, "force": True}
        is_allowed = self.draft is not None and self.draft == self.circulated
        if is_allowed:
            self.draft = self.circulated = None
            self.approved.append(len(self.versions))
        return is_allowed, self._send("POST", "/approval", body)

    def _version(self, number: int) -> dict[str, Any]:
        data: dict[str, Any] = self._send("GET", f"/versions/{number}").data
        return data

    def check(self) -> None:
        """Asserts what holds after every act."""
        for number, before in self.versions.items():
            assert self._version(number) == before
            hashed = {name: before[name] for name in _HASHED}
            assert hashlib.sha256(rfc8785.dumps(hashed)).hexdigest() == before["sha256"]
        for place, number in enumerate(self.approved):
            successor = next(iter(self.approved[place + 1 :]), None)
            shown = self.meeting.board.owner.client.get(f"{self.meeting.path}/minutes/approval", version=number).data
            assert (shown["status"], shown["supersededByVersion"]) == (
                "corrected" if successor else "approved",
                successor,
            )
            assert (shown["number"], shown["sha256"]) == (f"2030-{place + 1}", self.versions[number]["sha256"])
            assert shown["supersedesVersion"] == (self.approved[place - 1] if place else None)
        self._check_book()
        if self.approved:
            shown = self._send("GET", "").data
            last = self.versions[self.approved[-1]]
            assert (shown["status"], shown["items"]) == ("final", [{**item, **_OPEN} for item in last["items"]])
            open_draft = self._send("GET", "/corrections")
            assert open_draft.status == (404 if self.draft is None else 200)

    def _check_book(self) -> None:
        """Asserts that the book has each approved version once, by its number, with its hash and its successor."""
        entries = self.meeting.board.owner.client.get(f"{self.meeting.board.path}/minute-book/2030").data["entries"]
        numbers = [f"2030-{place + 1}" for place, _ in enumerate(self.approved)]
        assert [(entry["number"], entry["version"], entry["sha256"], entry["supersededBy"]) for entry in entries] == [
            (number, version, self.versions[version]["sha256"], successor)
            for number, version, successor in zip(numbers, self.approved, [*numbers[1:], None], strict=False)
        ]


def new_history() -> History:
    """Returns the history of a completed meeting, with a later one that may approve its minutes."""
    scenario = new_board_scenario()
    meetings = [new_meeting_scenario(scenario) for _ in range(2)]
    for meeting, month, status in zip(meetings, ("03", "06"), ("completed", "in_progress"), strict=True):
        assert meeting.patch(startTime=f"2030-{month}-05T09:00:00Z").status == 200
        assert meeting.patch(status=status).status == 200
    return History(meetings[0], meetings[1].path.rpartition("/")[2])


@pytest.mark.slow
@pytest.mark.usefixtures("pool")
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.one_of(st.none(), st.none(), st.sampled_from(ACTS)), min_size=8, max_size=16))
def test_what_was_approved_never_changes_and_numbers_have_no_gaps(acts: list[str | None]) -> None:
    """None is the act that usually follows."""
    with fresh_table():
        history, last = new_history(), "write"
        for act in ("write", *acts):
            last = act or _NEXT.get(last, "circulate")
            history.act(last)
            history.check()
