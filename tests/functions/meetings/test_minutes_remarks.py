"""Members remark on circulated minutes, and collaborators decide about each remark (ADR minutes)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import MINUTES_REMARKS
from governance.ids import BoardId
from governance.store.counters import set_number
from governance.store.schema.minutes import MINUTES_REMARK_COUNT
from governance.store.transactions import transact
from infra.operator.purging import purge_users
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.clock import Clock
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario, stored_events
from tests.harness.stream import event_records, process_records

ITEMS: list[dict[str, Any]] = [
    {"text": "Budget approved 🎉."},
    {"text": "Rent", "decision": {"text": "Pay the rent", "result": "carried"}},
]


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    """Returns a completed meeting whose minutes were circulated."""
    completed = new_meeting_scenario(scenario)
    assert completed.patch(status="completed").status == 200
    put(completed, ITEMS)
    circulate(completed)
    return completed


def put(meeting: MeetingScenario, items: list[dict[str, Any]]) -> None:
    assert meeting.board.owner.client.put(f"{meeting.path}/minutes", {"items": items}).status == 200


def circulate(meeting: MeetingScenario, **members: Any) -> None:
    assert meeting.board.owner.client.post(f"{meeting.path}/minutes/circulation", members).status == 201


def remark(meeting: MeetingScenario, client: Client | None = None, **members: Any) -> Response:
    body = {"version": 1, "text": "Not so", **members}
    return (client or meeting.board.owner.client).post(f"{meeting.path}/minutes/remarks", body)


def remarks(meeting: MeetingScenario, client: Client | None = None, **query: Any) -> list[dict[str, Any]]:
    listed = (client or meeting.board.owner.client).get(f"{meeting.path}/minutes/remarks", **query)
    assert listed.status == 200, listed.text
    data: list[dict[str, Any]] = listed.data
    return data


def dispose(meeting: MeetingScenario, remark_id: str, client: Client | None = None, **members: Any) -> Response:
    body = {"disposition": "accepted", **members}
    path = f"{meeting.path}/minutes/remarks/{remark_id}/disposition"
    return (client or meeting.board.owner.client).put(path, body)


def delete(meeting: MeetingScenario, remark_id: str, client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).delete(f"{meeting.path}/minutes/remarks/{remark_id}")


def reason(response: Response) -> tuple[int, str]:
    return response.status, response.json["error"]["details"]["reason"]


# -- who remarks, on what


def test_guests_remark_on_a_passage(meeting: MeetingScenario) -> None:
    gwen = meeting.board.member("gwen", access_type="guest")
    made = remark(meeting, gwen.client, itemIndex=0, quote="approved 🎉", text="Who approved it?")
    assert made.status == 201, made.text
    assert made.data == {
        "object": "minutes_remark",
        "id": made.data["id"],
        "meetingId": meeting.path.rpartition("/")[2],
        "version": 1,
        "itemIndex": 0,
        "quote": "approved 🎉",
        "text": "Who approved it?",
        "authorUserId": gwen.id,
        "disposition": None,
        "reply": None,
        "disposedByUserId": None,
        "disposedAt": None,
        "createdAt": made.data["createdAt"],
        "updatedAt": made.data["createdAt"],
    }
    assert remarks(meeting) == remarks(meeting, gwen.client) == [made.data]


def test_remarks_are_listed_oldest_first_a_page_at_a_time(meeting: MeetingScenario) -> None:
    for text in "abc":
        assert remark(meeting, text=text).status == 201
    path = f"{meeting.path}/minutes/remarks"
    first = meeting.board.owner.client.get(path, limit=2).json
    rest = meeting.board.owner.client.get(path, limit=2, cursor=first["meta"]["nextCursor"]).json
    assert [[each["text"] for each in page["data"]] for page in (first, rest)] == [["a", "b"], ["c"]]
    assert not rest["meta"]["hasMore"]


def test_access_tokens_remark_and_a_board_token_is_no_author(meeting: MeetingScenario) -> None:
    token = meeting.board.token()
    by_board = remark(meeting, token).data
    assert by_board["authorUserId"] is None
    assert delete(meeting, by_board["id"], token).failure == (403, "FORBIDDEN")
    assert delete(meeting, by_board["id"]).failure == (403, "FORBIDDEN")
    disposed = dispose(meeting, by_board["id"], token)
    assert (disposed.status, disposed.data["disposedByUserId"]) == (200, None)
    ada = meeting.board.member("ada")
    assert remark(meeting, meeting.board.personal_token(ada)).data["authorUserId"] == ada.id


def test_a_repeat_with_the_same_key_makes_one_remark(meeting: MeetingScenario) -> None:
    path, body = f"{meeting.path}/minutes/remarks", {"version": 1, "text": "Once"}
    owner = meeting.board.owner.client
    first, second = (owner.post(path, body, idempotency_key="once") for _ in range(2))
    assert first.data == second.data
    assert remarks(meeting) == [first.data]


@pytest.mark.parametrize(
    ("members", "fields"),
    [
        ({"version": 2}, {"version"}),
        ({"itemIndex": 2}, {"itemIndex"}),
        ({"itemIndex": -1, "quote": ""}, {"itemIndex", "quote"}),
        ({"quote": "Budget"}, {"itemIndex"}),
        ({"itemIndex": 1, "quote": "Budget"}, {"quote"}),
        ({"itemIndex": 0, "quote": "B" * 501, "text": " "}, {"quote", "text"}),
        ({"text": "x" * 4001}, {"text"}),
    ],
)
def test_a_remark_is_on_a_passage_of_the_newest_version(
    meeting: MeetingScenario, members: dict[str, Any], fields: set[str]
) -> None:
    assert remark(meeting, **members).fields.keys() == fields
    assert remarks(meeting) == []


def test_earlier_versions_take_no_remarks_and_keep_theirs(meeting: MeetingScenario) -> None:
    first = remark(meeting, itemIndex=1, quote="Pay the rent").data
    put(meeting, ITEMS[:1])
    assert remark(meeting, itemIndex=1).status == 201
    circulate(meeting)
    assert remark(meeting).fields.keys() == {"version"}
    assert remark(meeting, version=2, itemIndex=1).fields.keys() == {"itemIndex"}
    assert remarks(meeting)[0] == first


def test_what_is_circulated_at_the_same_moment_is_the_newest_version(meeting: MeetingScenario) -> None:
    put(meeting, ITEMS[:1])
    with meanwhile(lambda: circulate(meeting)):
        assert remark(meeting).fields.keys() == {"version"}


# -- what is refused


def test_only_circulated_minutes_take_remarks(scenario: BoardScenario) -> None:
    draft = new_meeting_scenario(scenario)
    assert reason(remark(draft)) == (409, "NOT_CIRCULATED")
    assert remarks(draft) == []


def test_remarks_end_when_the_circulation_says(meeting: MeetingScenario, clock: Clock) -> None:
    circulate(meeting, remarksUntil=from_now(days=1))
    assert remark(meeting).status == 201
    clock.advance(days=1)
    assert reason(remark(meeting)) == (409, "REMARKS_CLOSED")


def test_a_meeting_has_as_many_remarks_as_the_limit_says(meeting: MeetingScenario) -> None:
    kept = remark(meeting).data
    key = MINUTES_REMARK_COUNT.key_for(
        boardId=BoardId(meeting.board.board_id), meetingId=meeting.path.rpartition("/")[2]
    )
    transact([set_number(key, {"changes": 1}, MINUTES_REMARKS)])
    assert reason(remark(meeting)) == (409, "LIMIT_REACHED")
    assert delete(meeting, kept["id"]).status == 200
    assert remark(meeting).status == 201


# -- what is decided


def test_collaborators_decide_and_decide_again(meeting: MeetingScenario) -> None:
    made = remark(meeting, meeting.board.member("gwen", access_type="guest").client).data
    ada = meeting.board.member("ada")
    accepted = dispose(meeting, made["id"], ada.client, reply="Thanks")
    assert accepted.status == 200, accepted.text
    assert accepted.data == {
        **made,
        "disposition": "accepted",
        "reply": "Thanks",
        "disposedByUserId": ada.id,
        "disposedAt": accepted.data["updatedAt"],
        "updatedAt": accepted.data["updatedAt"],
    }
    assert dispose(meeting, made["id"], reply="Thanks").data == accepted.data
    declined = dispose(meeting, made["id"], disposition="declined").data
    assert (declined["disposition"], declined["reply"]) == ("declined", None)
    assert declined["disposedByUserId"] == meeting.board.owner.id
    assert remarks(meeting) == [declined]
    assert len(stored_events(meeting.board, "minutes.disposed")) == 2


def test_guests_decide_nothing(meeting: MeetingScenario) -> None:
    gwen = meeting.board.member("gwen", access_type="guest").client
    made = remark(meeting, gwen).data
    assert dispose(meeting, made["id"], gwen).failure == (403, "FORBIDDEN")
    assert dispose(meeting, "0" * 24).failure == (404, "RESOURCE_NOT_FOUND")
    assert dispose(meeting, made["id"], disposition="open", reply="x" * 2001).fields.keys() == {"disposition", "reply"}


def test_the_author_deletes_a_remark_before_it_is_decided_about(meeting: MeetingScenario) -> None:
    ada, cleo = meeting.board.member("ada").client, meeting.board.member("cleo").client
    made, kept = remark(meeting, ada).data, remark(meeting, ada).data
    for client in (cleo, meeting.board.owner.client):
        assert delete(meeting, made["id"], client).failure == (403, "FORBIDDEN")
    assert delete(meeting, made["id"], ada).data == {"deleted": True}
    assert delete(meeting, made["id"], ada).failure == (404, "RESOURCE_NOT_FOUND")
    dispose(meeting, kept["id"], disposition="noted")
    assert reason(delete(meeting, kept["id"], ada)) == (409, "REMARK_DISPOSED")
    assert [each["id"] for each in remarks(meeting)] == [kept["id"]]


def test_what_is_decided_at_the_same_moment_is_not_deleted(meeting: MeetingScenario) -> None:
    made = remark(meeting).data
    with meanwhile(lambda: dispose(meeting, made["id"])):
        assert reason(delete(meeting, made["id"])) == (409, "REMARK_DISPOSED")


# -- who hears of it, and what is left


def test_the_events_have_ids_and_the_version_alone(meeting: MeetingScenario) -> None:
    made = remark(meeting, text="Secret").data
    dispose(meeting, made["id"], reply="Secret")
    other = remark(meeting).data
    delete(meeting, other["id"])
    for type_, id_ in (("remarked", made["id"]), ("disposed", made["id"]), ("remark_deleted", other["id"])):
        event = stored_events(meeting.board, f"minutes.{type_}")[0]
        assert event.refs == {"meetingId": made["meetingId"], "remarkId": id_}
        assert event.details == {"version": 1}
        assert "Secret" not in event.model_dump_json()


@pytest.mark.usefixtures("outbox")
def test_the_author_of_the_circulation_is_told_of_others_remarks(meeting: MeetingScenario) -> None:
    remark(meeting)
    remark(meeting, meeting.board.member("ada").client)
    assert process_records(event_records(meeting.board.board_id)) == []
    told = [each for each in meeting.board.owner.client.get("/api/notification/").json if each["type"] == "new_comment"]
    assert [each["message"] for each in told] == ["Ada Tester has a remark on the minutes of the meeting “Spring”."]
    assert told[0]["meetingLink"] == f"/boards/{meeting.board.board_id}/meetings/{meeting.path.rpartition('/')[2]}"


@pytest.mark.usefixtures("bucket")
def test_a_purge_takes_the_users_and_leaves_the_words(meeting: MeetingScenario) -> None:
    ada, cleo = meeting.board.member("ada"), meeting.board.member("cleo")
    made = remark(meeting, ada.client).data
    decided = dispose(meeting, made["id"], cleo.client).data
    purge_users([ada.id])
    assert remarks(meeting) == [{**decided, "authorUserId": None}]
    purge_users([cleo.id])
    assert remarks(meeting) == [{**decided, "authorUserId": None, "disposedByUserId": None}]
