"""The list of resolutions while the clock has closed some of them and their results are not recorded yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from typing import Any

from governance import instants
from governance.instants import seconds_until
from governance.usecases.resolutions.closing import record_by_clock
from tests.functions.resolutions.test_closing import meeting_of
from tests.harness.board_scenario import Person
from tests.harness.clock import Clock
from tests.harness.fault_injection import hooked
from tests.harness.meeting_scenario import from_now
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.table_snapshot import TableSnapshot

_CHOICES = {"carried": ("for", "for", "abstain"), "rejected": ("against", "for", "abstain"), "lapsed": ()}
_QUERIES: list[dict[str, str]] = [
    {**({} if status is None else {"status": status}), "sort": sort, "order": order}
    for status, sort, order in product((None, "open", *_CHOICES), ("createdAt", "closedAt"), ("asc", "desc"))
]


def voted(votes: ResolutionScenario, outcome: str, days: int, ballots: str = "named", **members: Any) -> str:
    """Opens a resolution on which is voted with this outcome; returns its path."""
    path = votes.opened(ballots=ballots, closesAt=from_now(days=days), **members)
    for voter, choice in zip(votes.voters, _CHOICES[outcome], strict=False):
        assert votes.vote(path, voter, choice).status == 200
    return path


class Register:
    """Resolutions of every status, five of which the clock has closed without a record yet: not in the order of ids."""

    def __init__(self, votes: ResolutionScenario, clock: Clock, **members: Any) -> None:
        self.votes, self.members = votes, members
        votes.drafted(**members)
        over = [
            voted(votes, "carried", 2, "secret", **members),
            voted(votes, "lapsed", 3, **members),
            voted(votes, "rejected", 1, "hidden", **members),
        ]
        for outcome in ("carried", "rejected"):
            assert votes.close(voted(votes, outcome, 9, **members)).status == 200
        assert votes.withdraw(votes.opened(**members)).status == 200
        votes.opened(closesAt=from_now(days=8), **members)
        over += [voted(votes, "carried", 1, **members), voted(votes, "carried", 4, **members)]
        votes.opened(closesAt=from_now(days=7), **members)
        clock.move(seconds_until(votes.get(over[-1])["closesAt"], instants.now()) + 5)
        self.over = [path.rpartition("/")[2] for path in over]

    def record(self) -> None:
        for resolution_id in self.over:
            record_by_clock(self.votes.board.board_id, resolution_id)

    def lists(self, by: Person | None = None, **more: Any) -> Mapping[str, list[str]]:
        """Returns the ids of every list, and asserts that what is shown has the status that is asked for."""
        ids = {}
        for query in _QUERIES:
            shown = (by or self.votes.manager).client.all(self.votes.path, **query, **more)
            assert {resolution["status"] for resolution in shown} <= {
                query.get("status", resolution["status"]) for resolution in shown
            }
            ids[str(query)] = [resolution["id"] for resolution in shown]
        return ids


def test_a_list_is_the_same_before_the_record_of_what_the_clock_has_closed_and_after(
    votes: ResolutionScenario, clock: Clock
) -> None:
    register = Register(votes, clock)
    before = {limit: register.lists(limit=limit) for limit in (2, 100)}
    register.record()
    after = register.lists()
    assert before == dict.fromkeys(before, after)
    for query in _QUERIES:
        assert (
            len(after[str(query)])
            == {None: 11, "open": 2, "carried": 4, "rejected": 2, "lapsed": 1}[query.get("status")]
        )
    dates = [
        resolution["closedAt"] or ""
        for resolution in votes.manager.client.all(votes.path, sort="closedAt", order="asc")
    ]
    assert dates == sorted(dates)


def test_no_list_has_a_hole_or_a_repeat_where_a_record_lands_between_its_pages(
    votes: ResolutionScenario, clock: Clock
) -> None:
    register = Register(votes, clock)
    before, expected = TableSnapshot(), register.lists()
    for query in _QUERIES:
        pages = votes.manager.client.pages(votes.path, limit=2, **query)
        first = [*next(pages)]
        register.record()
        assert [resolution["id"] for page in (first, *pages) for resolution in page] == expected[str(query)], query
        before.restore()


def test_no_list_has_a_hole_or_a_repeat_where_a_record_lands_while_it_is_read(
    votes: ResolutionScenario, clock: Clock
) -> None:
    register = Register(votes, clock)
    before, expected = TableSnapshot(), register.lists()
    for query, number in product(_QUERIES[1::2], range(1, 4)):
        with before_query(number, register.record):
            page = votes.manager.client.get(votes.path, limit="9", **query).data
        assert [resolution["id"] for resolution in page] == expected[str(query)][:9], (query, number)
        before.restore()


@contextmanager
def before_query(number: int, act: Callable[[], None]) -> Iterator[None]:
    """Acts before the call of this number that reads a list, if there are so many."""
    calls: list[str] = []

    def act_once(**_: Any) -> None:
        calls.append("")
        if len(calls) == number:
            act()

    with hooked("before-call.dynamodb.Query", act_once):
        yield


def test_what_is_over_is_found_by_its_meeting_and_its_committee_and_by_that_committee_alone(
    votes: ResolutionScenario, clock: Clock
) -> None:
    committee = votes.board.committee(votes.manager, *votes.voters[:2], votes.voters[2])
    meeting = meeting_of(votes, "scheduled")
    register = Register(votes, clock, committeeId=committee, meetingId=meeting)
    filters: list[dict[str, Any]] = [{"committeeId": committee}, {"meetingId": meeting}]
    before = [register.lists(limit=2, **query) for query in filters]
    register.record()
    assert before == [register.lists(**query) for query in filters]
    others = register.lists(votes.board.owner)
    assert [*filter(None, others.values())] == []
    nothing = register.lists(meetingId=meeting_of(votes, "scheduled"))
    assert [*filter(None, nothing.values())] == []
