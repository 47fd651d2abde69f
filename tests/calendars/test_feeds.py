"""Calendar feeds: how they are made and deleted, which boards they show, and when their addresses open nothing."""

from __future__ import annotations

import pytest

from governance.domain.calendars import calendar_feed
from governance.store.calendars import calendars
from governance.store.table import read_one
from governance.usecases.operator import operator
from tests.calendars.feeds import fetch, meeting, subscribe
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import leave

FEEDS = "/api/v1/me/calendar-feeds"


def test_a_feed_is_made_by_a_session_alone_for_it_outlives_a_token(scenario: BoardScenario) -> None:
    for caller in (scenario.personal_token(scenario.owner, "full_access"), scenario.token()):
        assert caller.post(FEEDS, {"name": "Mine"}).failure == (403, "FORBIDDEN")
    made = scenario.owner.client.post(FEEDS, {"name": "Mine"}).data["id"]
    token = scenario.personal_token(scenario.owner, "full_access")
    assert [feed["id"] for feed in token.get(FEEDS).data] == [made]
    assert token.delete(f"{FEEDS}/{made}").status == 200


def test_an_address_is_shown_once_and_only_its_hash_is_kept(scenario: BoardScenario) -> None:
    body = {"boardId": scenario.board_id, "name": "Mine"}
    created = scenario.owner.client.post(FEEDS, body, idempotency_key="k")
    assert created.status == 201
    assert list(created.data) == ["object", "id", "boardId", "name", "url", "createdAt", "lastReadAt"]
    assert (created.data["boardId"], created.data["lastReadAt"]) == (scenario.board_id, None)
    repeat = scenario.owner.client.post(FEEDS, body, idempotency_key="k")
    assert repeat.data == {**created.data, "url": None}
    assert scenario.owner.client.all(FEEDS) == [repeat.data]
    assert fetch(created.data["url"]).status == 200
    assert scenario.owner.client.all(FEEDS)[0]["lastReadAt"] is not None


def test_a_calendar_setting_that_is_left_out_stays_the_same(scenario: BoardScenario) -> None:
    for body in ({"invitations": False}, {"voteRequests": False}):
        changed = scenario.owner.client.put("/api/v1/me/calendar", body).data
    assert (changed["invitations"], changed["voteRequests"]) == (False, False)
    assert scenario.owner.client.get("/api/v1/me/calendar").data == changed


def test_a_user_has_twenty_feeds_at_most(scenario: BoardScenario) -> None:
    for _ in range(20):
        subscribe(scenario.owner)
    refused = scenario.owner.client.post(FEEDS, {})
    assert (refused.status, refused.details) == (409, {"reason": "LIMIT_REACHED"})
    newest = scenario.owner.client.get(FEEDS, limit=1).data[0]["id"]
    assert scenario.owner.client.delete(f"{FEEDS}/{newest}").status == 200
    assert scenario.owner.client.delete(f"{FEEDS}/{newest}").status == 404
    subscribe(scenario.owner)


@pytest.mark.parametrize("board", ["a" * 24, "other"])
def test_a_feed_is_of_a_board_of_the_caller(scenario: BoardScenario, board: str) -> None:
    named = new_board_scenario("oscar").board_id if board == "other" else board
    refused = scenario.owner.client.post(FEEDS, {"boardId": named})
    assert refused.fields == {"boardId": "must be the id of a board that you are a member of"}


def test_every_address_that_opens_nothing_gets_one_404(scenario: BoardScenario) -> None:
    url = subscribe(scenario.owner)
    opened = fetch(url)
    forged = calendar_feed.mint(scenario.owner.id)
    assert opened.status == 200
    answers = [fetch(f"/calendar/{secret}.ics") for secret in ("x", forged, forged[:-1], "svc_pat_" + forged[8:])]
    feed = scenario.owner.client.all(FEEDS)[0]["id"]
    scenario.owner.client.delete(f"{FEEDS}/{feed}")
    answers.append(fetch(url))
    other = subscribe(scenario.owner)
    operator.set_user_status(scenario.owner.id, "suspended")
    answers.append(fetch(other))
    assert {reply.status for reply in answers} == {404}
    assert len({reply.text.replace(reply.headers["x-request-id"], "") for reply in answers}) == 1


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_a_feed_is_only_read(scenario: BoardScenario, method: str) -> None:
    reply = fetch(subscribe(scenario.owner), method)
    assert (reply.status, reply.headers["Allow"]) == (405, "GET, HEAD")


def test_requests_for_feeds_are_counted_by_address(store: str) -> None:
    del store
    answers = [fetch("/calendar/x.ics", x_viewer_address="203.0.113.77").status for _ in range(160)]
    assert answers[:135] == [404] * 135
    assert answers[-1] == 429
    assert fetch("/calendar/x.ics").status == 404


def test_a_secret_of_a_feed_is_no_credential_of_the_api(scenario: BoardScenario) -> None:
    secret = subscribe(scenario.owner).rpartition("/")[2].removesuffix(".ics")
    assert Client(secret).get("/api/v1/me").status == 401


def test_a_board_disappears_with_the_membership_or_its_deletion(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    known = meeting(scenario)
    urls = [subscribe(ben), subscribe(ben, boardId=scenario.board_id)]
    tags = [fetch(url).headers["etag"] for url in urls]
    leave(scenario, ben)
    for url, tag in zip(urls, tags, strict=True):
        reply = fetch(url, if_none_match=tag)
        assert (reply.status, reply.events) == (200, {})
    scenario.join(ben)
    assert [list(fetch(url).events) for url in urls] == [[known]] * 2
    assert scenario.owner.client.delete(scenario.path).status == 200
    assert [fetch(url).events for url in urls] == [{}, {}]


def noted_boards(scenario: BoardScenario) -> list[str]:
    """Returns the boards that the owner's only feed found when it was last read."""
    (feed,) = scenario.owner.client.all(FEEDS)
    return list(calendars.boards_of(read_one(calendars.boards_key(feed["id"]))))


@pytest.mark.parametrize(
    ("of_board", "given", "shown"),
    [(True, "Mine", "Mine"), (True, None, "Board"), (False, None, "Board meetings"), (False, "All", "All")],
)
def test_a_feed_is_called_as_its_user_says_or_after_its_board(
    scenario: BoardScenario, given: str | None, shown: str, *, of_board: bool
) -> None:
    body = {"name": given, "boardId": scenario.board_id if of_board else None}
    url = subscribe(scenario.owner, **{name: value for name, value in body.items() if value is not None})
    assert fetch(url).calendar["X-WR-CALNAME"] == shown


@pytest.mark.usefixtures("pool")
def test_a_reading_begins_with_the_boards_that_the_last_one_found(scenario: BoardScenario) -> None:
    url = subscribe(scenario.owner)
    fetch(url)
    assert noted_boards(scenario) == [scenario.board_id]
    other = new_board_scenario(name="Another")
    fetch(url)
    assert set(noted_boards(scenario)) == {scenario.board_id, other.board_id}


@pytest.mark.usefixtures("pool")
def test_a_feed_of_one_board_shows_no_other_and_notes_none(scenario: BoardScenario) -> None:
    for board in (scenario, new_board_scenario(name="Another")):
        meeting(board)
    url = subscribe(scenario.owner, boardId=scenario.board_id)
    before = noted_boards(scenario)
    meeting(new_board_scenario(name="A third"))
    assert len(fetch(url).events) == 1
    assert noted_boards(scenario) == before
