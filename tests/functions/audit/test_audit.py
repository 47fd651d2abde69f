"""The audit log."""

from __future__ import annotations

import json
import re

import pytest

from governance.domain.audit import AUDIT_ACTION, InvalidDetails, validate_details
from governance.http import json_array_stream
from governance.models.event import Event
from governance.models.page import JsonArrayStream
from tests.conftest import Clock
from tests.harness.calls import InlinePool, counted
from tests.harness.client import Answer, Client
from tests.harness.world import World, person

MEMBERS = {"_id", "boardId", "actorUser", "action", "details", "createdVia", "createdAt", "updatedAt"}


def log(world: World, client: Client | None = None, **query: object) -> Answer:
    return (client or world.owner.client).get(f"/api/auditlog/{world.board_id}", **query)


def meet(world: World, count: int = 1) -> list[str]:
    path = f"{world.path}/meetings"
    return [world.owner.client.post(path, {"title": f"Meeting {n}"}).data["id"] for n in range(count)]


def test_an_act_leaves_an_entry_with_exactly_the_members_of_the_specification(world: World) -> None:
    (meeting,) = meet(world)
    (entry,) = log(world).json
    assert set(entry) == MEMBERS
    assert entry["boardId"] == world.board_id
    assert entry["actorUser"] == world.owner.id
    assert (entry["action"], entry["createdVia"]) == ("meetingCreate", "web")
    assert entry["details"] == {"id": meeting, "title": "Meeting 0"}


def test_a_token_s_act_is_an_agent_s_and_a_board_token_s_is_nobody_s(world: World) -> None:
    world.personal_token(world.owner).post(f"{world.path}/meetings", {"title": "By token"})
    world.token().post(f"{world.path}/meetings", {"title": "By board token"})
    by_person, by_board = log(world).json
    assert (by_person["actorUser"], by_person["createdVia"]) == (world.owner.id, "agent")
    assert (by_board["actorUser"], by_board["createdVia"]) == (None, "agent")


def test_a_patch_of_status_and_more_makes_both_entries(world: World) -> None:
    (meeting,) = meet(world)
    world.owner.client.patch(f"{world.path}/meetings/{meeting}", {"status": "scheduled", "title": "Renamed"})
    details = {entry["action"]: entry["details"] for entry in log(world).json}
    assert details["meetingStatusChange"] == {"from": "draft", "to": "scheduled"}
    assert details["meetingUpdate"] == {"fields": ["title"]}


def test_an_entry_of_a_change_of_members_says_whose_and_what(world: World) -> None:
    ben = world.member("ben")
    members = world.owner.client.get(f"{world.path}/members").data
    path = next(f"{world.path}/members/{member['id']}" for member in members if member["userId"] == ben.id)
    world.owner.client.patch(path, {"boardPositions": ["Chair"]})
    world.owner.client.delete(path)
    changed, removed = log(world).json
    assert changed["details"] == {"memberEmail": ben.email, "positions": ["Chair"], "fields": ["boardPositions"]}
    assert removed["action"] == "memberDelete"


def test_oldest_first_and_ties_by_id(world: World) -> None:
    meet(world, 5)
    order = [(entry["createdAt"], entry["_id"]) for entry in log(world).json]
    assert order == sorted(order)
    assert len(order) == 5


def test_an_entry_is_gone_on_the_minute_it_is_a_year_old(world: World, clock: Clock) -> None:
    meet(world)
    clock.advance(days=365, minutes=-1)
    assert len(log(world).json) == 1
    clock.advance(days=365)
    assert log(world).json == []


def test_only_admins_and_the_board_s_own_tokens_read_it(world: World) -> None:
    meet(world)
    for name, role in (("ann", "admin"), ("max", "member")):
        who = world.member(name, access_type="manager", admin_role="admin" if role == "admin" else "member")
        assert log(world, who.client).status == (200 if role == "admin" else 403)
    assert log(world, person("stranger").client).failure == (403, "FORBIDDEN")
    assert log(world, world.token("read_only")).status == 200
    assert log(world, Client()).failure == (401, "UNAUTHENTICATED")


def test_a_board_token_elsewhere_and_an_unknown_board_are_the_same_404(world: World) -> None:
    token = world.token("read_only")
    other = world.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    for board in (other, "0" * 24, "nonsense"):
        assert token.get(f"/api/auditlog/{board}").failure == (404, "RESOURCE_NOT_FOUND")


def test_unknown_parameters_are_ignored_a_bad_limit_is_not(world: World) -> None:
    meet(world)
    assert len(log(world, anything="goes").json) == 1
    assert log(world, limit="0").failure == (400, "INVALID_QUERY_PARAMETER")
    assert log(world, cursor="forged").failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_limit_pages_the_log_by_links(world: World) -> None:
    meet(world, 5)
    answer, seen = log(world, limit=2), []
    while True:
        seen += [entry["_id"] for entry in answer.json]
        if "link" not in answer.headers:
            break
        link = re.fullmatch(r'<https://governance\.example\.com([^?]+)\?(.+)>; rel="next"', answer.headers["link"])
        assert link is not None
        answer = world.owner.client.call("GET", link[1], query=link[2])
    assert seen == [entry["_id"] for entry in log(world).json]


@pytest.mark.parametrize("encoding", ["", "gzip", "br, gzip;q=0.5", "*"])
def test_what_passes_an_answer_s_size_stops_at_a_whole_entry_and_says_where(
    world: World, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    meet(world, 30)
    monkeypatch.setattr(json_array_stream, "ANSWER_BYTES", 3000)
    monkeypatch.setattr(json_array_stream, "_CHUNK", 100)
    path, query, seen = f"/api/auditlog/{world.board_id}", "", []
    while True:
        answer = world.owner.client.call("GET", path, query=query, headers={"accept-encoding": encoding})
        assert answer.json
        seen += answer.json
        if "link" not in answer.headers:
            break
        query = answer.headers["link"].partition("?")[2].partition(">")[0]
    assert ("content-encoding" in answer.headers) == bool(encoding)
    assert len({entry["_id"] for entry in seen}) == len(seen) == 30


@pytest.mark.parametrize("compressed", [False, True])
def test_a_hundred_thousand_entries_make_an_answer_that_lambda_carries(compressed: bool) -> None:
    text = json.dumps({"_id": "5" * 24, "details": {"title": '\u00fc"quoted"'}})
    entries = ((f"{n:06}", text.replace("5" * 24, f"{n * 7919:024x}")) for n in range(100_000))
    packed = json_array_stream.pack(JsonArrayStream(entries), compressed=compressed)
    assert len(json.dumps({"body": packed.body})) < 6 * 1024 * 1024
    assert (packed.position is None) == compressed


def test_refused_and_absent_gzip_is_not_sent() -> None:
    assert not any(
        json_array_stream.accepts_gzip(header) for header in ("", "br", "gzip;q=0", "gzip;q=0.0, *", "identity")
    )
    assert all(json_array_stream.accepts_gzip(header) for header in ("gzip", "br, GZIP", "gzip; q=0.1", "*"))


def test_reading_it_costs_the_judgement_and_the_pages(world: World, pool: InlinePool) -> None:
    meet(world)
    with counted(pool) as calls:
        log(world)
    assert calls.sequential == ["BatchGetItem", "Query"]


def test_an_audited_write_costs_no_extra_call(world: World, pool: InlinePool) -> None:
    (meeting,) = meet(world)
    with counted(pool) as calls:
        world.owner.client.patch(f"{world.path}/meetings/{meeting}", {"title": "Renamed"})
    assert calls.sequential == ["BatchGetItem", "TransactWriteItems"]


def test_every_audited_event_has_its_details_and_no_others() -> None:
    subject: dict[str, object] = {"id": "5" * 24, "title": None}
    shapes: list[dict[str, object]] = [
        subject,
        {},
        {"fields": ["a"]},
        {"from": "a", "to": "b"},
        {"memberEmail": "a@b.co", "positions": []},
    ]
    for event in AUDIT_ACTION:
        fitting = [shape for shape in shapes if _fits(event, shape)]
        assert fitting in ([subject, {}], [{"fields": ["a"]}], [shapes[3]], [shapes[4]])
        assert not _fits(event, {**fitting[0], "secret": "x"})


def _fits(event: Event, details: dict[str, object]) -> bool:
    try:
        return validate_details(event, details) == details
    except InvalidDetails:
        return False


def test_an_act_on_a_draft_names_it_to_its_creator_alone(world: World) -> None:
    ada = world.member("ada", admin_role="admin")
    meeting = ada.client.post(f"{world.path}/meetings", {"title": "Hidden"}).data["id"]
    item = f"{world.path}/meetings/{meeting}/action-items"
    assert ada.client.post(item, {"title": "Hidden too"}).status == 201
    ada.client.patch(f"{world.path}/meetings/{meeting}", {"location": "Room 1"})
    own = log(world, ada.client)
    assert [entry["details"].get("title") for entry in own.json] == ["Hidden", "Hidden too", None]
    for other in (world.owner.client, world.token(), world.personal_token(world.owner)):
        read = log(world, other)
        assert [entry["details"] for entry in read.json] == [{}, {}, {"fields": ["location"]}]
        assert [entry["_id"] for entry in read.json] == [entry["_id"] for entry in own.json]
        assert "Hidden" not in read.text
        assert meeting not in read.text
