"""Many requests at once for the same rows, on Amazon's engine: each takes effect once, and none gives up.

Two requests at once are run in every order of their calls elsewhere (`interleavings`); here are more of them, threads
of the store's own pool, and the conflicts of a real engine.
"""

from __future__ import annotations

import json
import time
from functools import partial
from typing import Any

import pytest

from governance.calendars.writer import uid
from governance.ids import BoardId
from governance.instants import now
from governance.mail.received import MailRefused, Refusal
from governance.models.boards.board import Membership
from governance.models.history.event import Event
from governance.store.boards import boards
from governance.store.committees.seats import seats_in
from governance.store.reports import checks
from governance.store.schema.entities import REPORT_CHECKS, seats_key
from governance.store.schema.keys import Key, make_item
from governance.store.schema.lookups import reply_address_key
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from governance.usecases.calendars.calendar_replies import take
from tests.calendars.mails import mail, reply
from tests.functions.reports.test_checks import COST, PROFIT, REVENUE, Report, figure
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response, session
from tests.harness.counts import join_many
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.race import Race

pytestmark = pytest.mark.slow
RACERS, ROUNDS = 8, 5
MEETING = {"title": "Meeting", "status": "scheduled"}
_KPIS = (REVENUE, COST, PROFIT)


def test_eight_requests_with_one_idempotency_key_take_effect_once(scenario: BoardScenario, race: Race) -> None:
    for number in race.rounds(ROUNDS):
        call = partial(
            scenario.owner.client.post, f"{scenario.path}/meetings", MEETING, idempotency_key=f"key-{number}"
        )
        responses = race.run(*[call] * RACERS)
        ((status, _),) = {(response.status, response.text) for response in responses}
        assert status == 201
    assert len(scenario.owner.client.all(f"{scenario.path}/meetings", limit=100)) == number + 1


def test_eight_concurrent_first_requests_create_one_user(race: Race) -> None:
    for number in race.rounds(ROUNDS):
        newcomer = Client(session(f"new{number}@example.com"))
        responses = race.run(*[partial(newcomer.get, "/api/v1/me")] * RACERS)
        assert len({response.text for response in responses}) == 1


def test_eight_concurrent_first_requests_of_a_later_session_are_all_answered(race: Race) -> None:
    for number in race.rounds(ROUNDS):
        eve = Client(session("eve@example.com", iat=int(time.time()) - 86_400 + 60 * number))
        responses = race.run(*[partial(eve.get, "/api/v1/me")] * RACERS)
        assert {response.status for response in responses} == {200}
        assert len({response.text for response in responses}) == 1


def call(client: Client, method: str, path: str, body: Any = None) -> partial[Response]:
    return partial(client.call, method, path, body)


def test_a_member_who_leaves_while_seats_change_keeps_none(scenario: BoardScenario, race: Race) -> None:
    """Two members whose seats share a row are seated while one of them leaves, who is then seen to have no seat."""
    owner, members = scenario.owner.client, join_many(scenario.board_id, 100)
    path = f"{scenario.path}/committees/{scenario.committee()}"
    by_row: dict[Key, list[Membership]] = {}
    for member in members:
        by_row.setdefault(seats_key(member.board_id, member.user_id), []).append(member)
    leaving, staying, *_ = max(by_row.values(), key=len)
    seats = [leaving.id, staying.id]
    for _ in race.rounds(ROUNDS, (200, 200), (400, 200)):
        seated, left = race.run(
            call(owner, "PATCH", path, {"memberIds": seats}),
            call(owner, "DELETE", f"{scenario.path}/members/{leaving.id}"),
        )
        race.saw((seated.status, left.status))
        expected = [staying.id] if seated.status == 200 else []
        assert owner.all(f"{scenario.path}/committees")[0]["memberIds"] == expected
        row = seats_in(read_one(seats_key(scenario.board_id, leaving.user_id)))
        assert (row.of(leaving.user_id), len(row.of(staying.user_id))) == ((), len(expected))
        assert owner.patch(path, {"memberIds": []}).status == 200
        transact(boards.add_member(scenario.stored_board, leaving))


def stated_values(scenario: BoardScenario, report: Report, dashboards: list[str]) -> list[int]:
    """Returns the number that each dashboard states, as the checks of the report have it."""
    board_id = BoardId(scenario.board_id)
    stored = checks.checks_in(
        read_one(REPORT_CHECKS.key_for(boardId=board_id, reportId=report.id)), board_id, report.id
    )
    figures = checks.read_rows(stored, dashboards, ()).figures
    return [int(json.loads(figures[dashboard].figures)[0][2]) for dashboard in dashboards]


def test_editors_of_one_report_follow_each_other_and_none_is_refused(scenario: BoardScenario, race: Race) -> None:
    report = Report(scenario)
    dashboards = [report.create(figure(_KPIS[number % 3], 1)) for number in range(RACERS)]
    for number in race.rounds(ROUNDS):
        values = [10 + number * RACERS + editor for editor in range(RACERS)]
        bodies = [{"uniform": {"fields": [figure(_KPIS[editor % 3], value)]}} for editor, value in enumerate(values)]
        responses = race.run(
            *(
                partial(scenario.owner.client.patch, f"{report.path}/{dashboard}", body)
                for dashboard, body in zip(dashboards, bodies, strict=True)
            )
        )
        assert [response.status for response in responses] == [200] * RACERS
        assert stated_values(scenario, report, dashboards) == values


def test_two_answers_by_mail_at_once_are_one_after_the_other(scenario: BoardScenario, race: Race) -> None:
    """So are mails and requests; a mail that is outdated by then is set aside."""
    ben = scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    meeting_id, token = meeting.path.rpartition("/")[2], "a" * 32
    address = {"userId": ben.id, "boardId": scenario.board_id, "meetingId": meeting_id}
    transact([Put(make_item(reply_address_key(token), address))])
    event = {"uid": uid(meeting_id), "sequence": 0, "organizer": "mailto:x@example.com"}

    def answer(status: str) -> Refusal | None:
        try:
            take(mail(ben.email, f"meetings+{token}@x.org", reply(event, status, ben.email)), now())
        except MailRefused as refused:
            return refused.reason
        return None

    taken = 0
    for _ in race.rounds(ROUNDS, "accepted", "declined", "tentative"):
        calls = [partial(answer, status) for status in ("ACCEPTED", "DECLINED", "TENTATIVE")]
        *mailed, response = race.run(*calls, partial(ben.client.delete, f"{meeting.path}/rsvp"))
        assert set(mailed) <= {None, Refusal.OUTDATED}
        assert response.status == 200
        taken += mailed.count(None)
        if (shown := shown_status(scenario, ben, meeting)) != "noAnswer":  # a withdrawal is seldom last of four
            race.saw(shown)
    assert taken > ROUNDS
    assert_one_after_the_other(scenario, ben, meeting)


def shown_status(scenario: BoardScenario, ben: Person, meeting: MeetingScenario) -> str:
    rsvps = scenario.owner.client.get(f"{meeting.path}/rsvps").data
    (status,) = [rsvp["status"] for rsvp in rsvps if rsvp["userId"] == ben.id]
    return str(status)


def assert_one_after_the_other(scenario: BoardScenario, ben: Person, meeting: MeetingScenario) -> None:
    """Asserts that the events of a member's answers are a way from one to the next, up to the answer that is shown."""
    shown = shown_status(scenario, ben, meeting)
    changes = [event.details for event in stored_events(scenario, Event.RSVP_CHANGED)]
    ends, starts = [change["to"] for change in changes], [change["from"] for change in changes]
    assert all(change["from"] != change["to"] for change in changes)
    for status in ("accepted", "declined", "tentative", "noAnswer"):
        left_over = ends.count(status) - starts.count(status) + (status == "noAnswer")
        assert left_over == (status == shown)
