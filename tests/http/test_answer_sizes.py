"""Answers end before Lambda refuses them: lists go on in `Link`, others are compressed or a clear error (ADR
limits)."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from governance.http import json_array_stream
from governance.http.json_array_stream import pack, pack_text
from governance.models.invites.invite import ByBoardFrame
from governance.models.page import JsonArrayStream
from governance.sizes import sent_bytes
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person

_SMALL = 1500


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_array_stream, "ANSWER_BYTES", _SMALL)


def numbered(texts: list[str | None]) -> Iterator[tuple[str, str | None]]:
    return ((f"{number:05d}", text) for number, text in enumerate(texts))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("text", ['"' * 800, "é" * 300, "\U0001f600" * 130, "\x7f" * 300])
def test_a_text_is_weighed_as_it_is_sent(text: str) -> None:
    assert len(text) < _SMALL < sent_bytes(text)
    assert pack_text(text, compressed=False) is None
    packed = pack_text(text, compressed=True)
    assert packed is not None
    assert gzip.decompress(base64.b64decode(packed.body)).decode() == text


@pytest.mark.usefixtures("small")
def test_a_text_that_fits_is_not_compressed_and_one_that_never_fits_is_refused() -> None:
    fits = pack_text('"' * (_SMALL // 2 - 1), compressed=True)
    assert fits is not None
    assert not fits.compressed
    unlike = "".join(chr(number) for number in range(0x4E00, 0x4E00 + 2000))
    assert pack_text(unlike, compressed=True) is None


@pytest.mark.usefixtures("small")
def test_a_list_is_cut_where_it_is_full_and_goes_on_behind_its_last_entry() -> None:
    texts: list[str | None] = [json.dumps("x" * 400) for _ in range(10)]
    first = pack(JsonArrayStream(numbered(texts)), compressed=False)
    assert (len(json.loads(first.body)), first.position) == (3, "00002")
    whole = pack(JsonArrayStream(numbered(texts[:3])), compressed=False)
    assert (len(json.loads(whole.body)), whole.position) == (3, None)


def test_hidden_entries_are_passed_over_but_not_for_ever() -> None:
    packed = pack(JsonArrayStream(numbered(["1", None, "2", None])), compressed=False)
    assert (packed.body, packed.position) == ("[1,2]", None)
    limited = pack(JsonArrayStream(numbered(["1", None, "2"]), limit=1), compressed=False)
    assert (limited.body, limited.position) == ("[1]", "00000")  # never that of a hidden entry
    hidden = pack(JsonArrayStream((f"{number:09d}", None) for number in range(20_000)), compressed=False)
    assert hidden.body == "[]"
    assert hidden.position is not None


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], {}),
        ([("a#", "")], {"a": []}),
        ([("a#1", "1"), ("a#2", "2"), ("b#", ""), ("c#3", "3")], {"a": [1, 2], "b": [], "c": [3]}),
    ],
)
def test_entries_are_grouped_by_board(entries: list[tuple[str, str | None]], expected: Any) -> None:
    assert json.loads(pack(JsonArrayStream(iter(entries), frame=ByBoardFrame()), compressed=False).body) == expected


def invite_many(scenario: BoardScenario, number: int) -> None:
    for index in range(number):
        body = {"inviteeEmail": f"guest{index}@example.org", "message": "“Welcome”" * 20}
        assert scenario.owner.client.post(f"/api/invite/{scenario.board_id}", body).status == 200


def test_the_invites_of_all_boards_go_on_within_a_board(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = scenario.owner.client
    others = [new_board_scenario("olivia", name) for name in ("Second", "Third")]
    invite_many(scenario, 5)
    invite_many(others[0], 2)
    whole = client.get("/api/invite/all-boards").json
    assert {board: len(entries) for board, entries in whole.items()} == {
        scenario.board_id: 5,
        others[0].board_id: 2,
        others[1].board_id: 0,
    }
    monkeypatch.setattr(json_array_stream, "ANSWER_BYTES", 4000)
    merged: dict[str, list[Any]] = {}
    parts = [response.json for response in client.linked("/api/invite/all-boards")]
    for part in parts:
        for board, entries in part.items():
            merged.setdefault(board, []).extend(entries)
    assert len(parts) > 1
    assert merged == whole
    assert sum(1 for _ in client.linked("/api/invite/all-boards", "limit=1")) == 8


def test_lists_of_action_items_go_on_in_link(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    client, ben = scenario.owner.client, scenario.member("ben")
    for caller, status in ((client, "scheduled"), (ben.client, "draft"), (client, "draft")):
        meeting = caller.post(f"{scenario.path}/meetings", {"title": "M", "status": status}).data
        for number in range(5):
            body = {"title": f"{status} {number}", "order": -number, "assigneeUserId": scenario.owner.id}
            path = f"{scenario.path}/meetings/{meeting['id']}/action-items"
            assert caller.post(path, body).status == 201
    for path in (f"/api/board/{scenario.board_id}/action-items", "/api/action-items/my"):
        whole = client.get(path).json
        assert whole["totalCount"] == 10
        with monkeypatch.context() as patched:
            patched.setattr(json_array_stream, "ANSWER_BYTES", 2000)
            parts = [response.json for response in client.linked(path, "includeCompleted=true")]
        assert all(part["totalCount"] == len(part["actionItems"]) for part in parts)
        assert len(parts) > 1
        assert [item for part in parts for item in part["actionItems"]] == whole["actionItems"]
        limited = [response.json for response in client.linked(path, "limit=4")]
        assert [item for part in limited for item in part["actionItems"]] == whole["actionItems"]


def test_slots_are_compressed_or_a_clear_error(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    client = scenario.owner.client
    meeting = client.post(f"{scenario.path}/meetings", {"title": "M", "status": "scheduled"}).data
    slots = f"{scenario.path}/meetings/{meeting['id']}/slots"
    slot = client.post(slots, {"startTime": "2059-01-07T09:00:00Z", "timezone": "UTC"}).data
    assert client.put(f"{slots}/{slot['id']}/vote", {"vote": "ok", "comment": "“" * 450}).status == 200
    whole = client.get(slots)
    assert "content-encoding" not in whole.headers
    monkeypatch.setattr(json_array_stream, "ANSWER_BYTES", 2000)
    refused = client.get(slots)
    assert refused.failure == (406, "NOT_ACCEPTABLE")
    assert "gzip" in refused.json["error"]["message"]
    compressed = client.call("GET", slots, headers={"accept-encoding": "gzip"})
    assert (compressed.status, compressed.headers["content-encoding"]) == (200, "gzip")
    assert compressed.text == whole.text


def test_a_write_whose_answer_is_too_large_writes_nothing(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    outsider = person("otto").client
    body = {"name": "B", "description": "“" * 1000}
    with monkeypatch.context() as patched:
        patched.setattr(json_array_stream, "ANSWER_BYTES", 500)
        assert outsider.post("/api/v1/boards", body).failure == (406, "NOT_ACCEPTABLE")
    assert outsider.get("/api/v1/boards").data == []
    assert scenario.owner.client.get("/api/v1/boards").status == 200
