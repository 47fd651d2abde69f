"""Functions whose clocks are minutes apart: nothing is lost, done twice, counted twice or let in too long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.harness import engine
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, session
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool
from tests.harness.stream import event_records, process_records

WHOAMI = "/api/v1/whoami"
LIMIT = 20
both_ways = pytest.mark.parametrize("minutes", [-5, 5], ids=["behind", "ahead"])


def signed_in(name: str) -> Client:
    """A user with a session that began some time ago, so that no function finds it to be of the future."""
    return Client(session(f"{name}@example.com", iat=int(time.time()) - 600))


@both_ways
def test_the_last_vote_counts_whatever_the_clocks_say(scenario: BoardScenario, clock: Clock, minutes: int) -> None:
    meeting = new_meeting_scenario(scenario)
    slot, client = meeting.slot(), signed_in("olivia")
    for choice in ("ok", "cant", "ok", "cant"):
        clock.skew("meetings", minutes=minutes if choice == "ok" else 0)
        assert meeting.vote(client, slot, choice).status == 200
    (listed,) = meeting.listed()
    assert [feedback["vote"] for feedback in listed["feedbacks"]] == ["cant"]


@both_ways
def test_a_guests_vote_replaces_the_last_one_whatever_the_clocks_say(
    scenario: BoardScenario, clock: Clock, minutes: int
) -> None:
    meeting = new_meeting_scenario(scenario)
    slot = meeting.slot()
    link = scenario.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    clock.skew("guests", minutes=minutes)
    for choice in ("ok", "cant"):
        body = {"email": "gwen@example.org", "vote": choice}
        assert Client().put(f"/api/v1/guest/{link}/slots/{slot['id']}/vote", body).status == 200
        clock.skew("guests", minutes=0)
    (listed,) = meeting.listed()
    assert [vote["vote"] for vote in listed["feedbacks"] if vote["isGuest"]] == ["cant"]


@both_ways
@pytest.mark.parametrize("function", ["events", "deliveries"])
def test_everyone_is_notified_once_and_gets_one_mail(
    scenario: BoardScenario, outbox: Outbox, clock: Clock, function: str, minutes: int
) -> None:
    ben, meeting = scenario.member("ben"), new_meeting_scenario(scenario)
    item = {"title": "Sign", "assigneeUserId": ben.id}
    assert scenario.owner.client.post(f"{meeting.path}/action-items", item).status == 201
    for skew in (minutes, 0, minutes):
        clock.skew(function, minutes=skew)
        assert process_records(event_records(scenario.board_id)) == []
    assert [row["type"] for row in ben.client.get("/api/notification/").json] == ["task_assignment"]
    assert [str(mail["To"]) for mail in outbox.mails] == [ben.email]


@both_ways
def test_a_request_that_is_repeated_is_not_made_again(scenario: BoardScenario, clock: Clock, minutes: int) -> None:
    send: dict[str, Any] = {"method": "POST", "path": f"{scenario.path}/meetings", "body": {"title": "A"}}
    client = signed_in("olivia")
    first = client.call(**send, headers={"idempotency-key": "k"})
    clock.skew("meetings", minutes=minutes)
    again = client.call(**send, headers={"idempotency-key": "k"})
    assert (again.status, again.text) == (first.status, first.text)
    assert len(client.all(f"{scenario.path}/meetings")) == 1


@pytest.fixture
def small_window(pool: InlinePool) -> Iterator[None]:  # noqa: ARG001 - requested for its effect
    """A table whose rate windows are soon full."""
    with engine.fresh_table(RATE_LIMIT_PRINCIPAL=str(LIMIT), RATE_LIMIT_ADDRESS="1000"):
        yield


@both_ways
@pytest.mark.usefixtures("small_window")
def test_a_rate_window_lets_in_no_more_than_its_limit(clock: Clock, minutes: int) -> None:
    client, statuses = signed_in("eve"), []
    for number in range(LIMIT + 10):
        engine.clear_rate_leases()  # as many environments
        clock.skew("account", minutes=minutes / 2 if number % 2 else 0)
        statuses.append(client.get(WHOAMI).status)
    assert set(statuses) == {200, 429}
    assert statuses.count(200) <= LIMIT


def test_a_token_dies_by_the_clock_of_the_function_that_reads_it(scenario: BoardScenario, clock: Clock) -> None:
    body = {"name": "short", "preset": "read_only", "expiresInDays": 30}
    token = Client(scenario.owner.client.post("/api/v1/me/tokens", body).data["secret"])
    clock.advance(days=30, minutes=-1)
    assert token.get(WHOAMI).status == 200
    clock.skew("account", minutes=2)
    assert token.get(WHOAMI).failure == (401, "INVALID_API_TOKEN")
