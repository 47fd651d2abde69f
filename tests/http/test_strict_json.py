"""Bodies: JSON is read strictly, and may have exactly 256 KiB, as it is sent and after decoding."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import ApiError, invalid_body
from governance.http import strict_json, validation
from governance.http.request import Request
from tests.domain.samples import refusal
from tests.harness.board_scenario import BoardScenario
from tests.harness.meeting_scenario import new_meeting_scenario

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)

REFUSED = {
    "nothing": b"",
    "a word": b"title",
    "a broken object": b'{"title": "A"',
    "two values": b"{} {}",
    "a key twice": b'{"title": "A", "title": "B"}',
    "a key twice, deep": b'{"a": [{"b": 1, "b": 1}]}',
    "NaN": b'{"a": NaN}',
    "Infinity": b"[Infinity]",
    "-Infinity": b"[-Infinity]",
    "beyond a double": b"[1e400]",
    "a number of thousands of digits": b"[" + b"9" * 5000 + b"]",
    "a byte-order mark": b"\xef\xbb\xbf{}",
    "UTF-16": "{}".encode("utf-16"),
    "Latin-1": b'{"title": "\xe9"}',
    "a surrogate in UTF-8": b'{"title": "\xed\xa0\x80"}',
    "a depth of 33": b"[" * 33 + b"]" * 33,
    "a depth beyond the stack": b"[" * 100_000,
    "a comment": b"{} // x",
    "a trailing comma": b"[1,]",
    "single quotes": b"{'a': 1}",
    "a raw newline in a string": b'["a\nb"]',
    "a leading zero": b"[01]",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_strict_json_is_refused(name: str) -> None:
    with pytest.raises(ApiError) as refusal:
        strict_json.parse(REFUSED[name])
    details = refusal.value.details or {}
    assert list(details["fields"]) == ["body"]
    assert details["fields"]["body"].startswith("must ")


@given(JSON)
def test_all_other_json_is_read_as_it_was_written(value: object) -> None:
    parsed, faults = strict_json.parse(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    assert parsed == value
    assert faults == {}


def test_a_depth_of_32_will_do_and_brackets_in_text_do_not_count() -> None:
    deep = b"[" * 32 + b"]" * 32
    assert strict_json.parse(deep)[1] == {}
    assert strict_json.parse(json.dumps({"title": "[" * 100}).encode())[0] == {"title": "[" * 100}


@pytest.mark.parametrize("text", ["\\u0000", "\\ud800", "a\\udfffb"])
def test_nul_and_halves_of_surrogates_are_named_by_their_path(text: str) -> None:
    _, faults = strict_json.parse(f'{{"a": [{{"b": "{text}"}}]}}'.encode())
    assert list(faults) == ["a.0.b"]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"title": "A", "Title": "B", "location_type": "virtual"}, {"Title", "location_type"}),
        ({"title": True, "location": "x" * 256, "startTime": 7}, {"title", "location", "startTime"}),
        ([], {"body"}),
        ("A", {"body"}),
        (None, {"body"}),
    ],
)
def test_every_error_in_a_body_is_named_at_once(scenario: BoardScenario, body: object, fields: set[str]) -> None:
    answer = scenario.owner.client.call("POST", f"{scenario.path}/meetings", raw=json.dumps(body))
    assert answer.failure == (400, "INVALID_REQUEST_BODY")
    assert set(answer.fields) == fields


@pytest.mark.parametrize(("count", "more"), [(100, None), (101, "and 1 more error"), (250, "and 150 more errors")])
def test_a_hundred_errors_are_named_and_the_others_counted(
    scenario: BoardScenario, count: int, more: str | None
) -> None:
    body = {"title": "A"} | {f"x{number}": 1 for number in range(count)}
    named = scenario.owner.client.post(f"{scenario.path}/meetings", body).fields
    told = named.pop("body", None)
    assert told == more
    assert [*named] == [f"x{number}" for number in range(100)]


def test_an_error_of_the_whole_body_is_counted_with_those_that_are_not_named() -> None:
    error = invalid_body({"body": "must not"} | {f"x{number}": "must not" for number in range(100)})
    named = (error.details or {})["fields"]
    assert named == {f"x{number}": "must not" for number in range(100)} | {"body": "and 1 more error"}


def test_sizes_types_and_bodies_where_none_is_expected(scenario: BoardScenario) -> None:
    owner, meetings = scenario.owner.client, f"{scenario.path}/meetings"
    meeting = owner.post(meetings, {"title": "A"}).data["id"]
    for kind in ("text/plain", "", "application/x-www-form-urlencoded"):
        refused = owner.call("POST", meetings, raw="{}", headers={"content-type": kind})
        assert refused.failure == (415, "UNSUPPORTED_MEDIA_TYPE")
    for kind in ("application/json; charset=utf-8", "APPLICATION/JSON", "application/merge-patch+json"):
        assert owner.call("POST", meetings, raw='{"title": "A"}', headers={"content-type": kind}).status == 201
    assert owner.call("POST", meetings, raw=" " * 262_145).failure == (413, "PAYLOAD_TOO_LARGE")
    assert owner.call("POST", meetings, raw=" " * 262_144).failure == (400, "INVALID_REQUEST_BODY")
    for raw in ("[]", "null", '{"a": 1}', "x", " "):
        refused = owner.call("DELETE", f"{meetings}/{meeting}", raw=raw, headers={"content-type": "text/plain"})
        assert (refused.status, refused.fields) == (400, {"body": "must be empty"})
    assert owner.call("DELETE", f"{meetings}/{meeting}", raw=" " * 262_145).status == 413
    other = owner.post(meetings, {"title": "B"}).data["id"]
    assert owner.call("DELETE", f"{meetings}/{other}", raw=" {\n} ").status == 200
    assert owner.call("GET", f"{meetings}/{meeting}", raw="{}").status == 200


@pytest.mark.parametrize("written", ["60", "60.0", "6e1", "6E+1", "60.000", "0.6e2", "600e-1"])
def test_an_integer_may_be_written_with_a_fraction_or_an_exponent(written: str, scenario: BoardScenario) -> None:
    path, owner = new_meeting_scenario(scenario).path, scenario.owner.client
    slot = f'{{"startTime": "2099-01-01T10:00:00Z", "timezone": "UTC", "durationInMinutes": {written}}}'
    made = owner.call("POST", f"{path}/slots", raw=slot)
    assert made.status == 201, made.text
    assert '"durationInMinutes":60,' in made.text


@pytest.mark.parametrize("written", ["60.5", "6e-1", '"60"', "true", "1e400", "[60.0]", "1e300"])
def test_what_is_no_integer_is_refused_where_one_is_wanted(written: str, scenario: BoardScenario) -> None:
    path, owner = new_meeting_scenario(scenario).path, scenario.owner.client
    slot = f'{{"startTime": "2099-01-01T10:00:00Z", "timezone": "UTC", "durationInMinutes": {written}}}'
    refused = owner.call("POST", f"{path}/slots", raw=slot)
    assert refused.failure == (400, "INVALID_REQUEST_BODY")


FULL = 256 * 1024


def request(content: str | bytes) -> Request:
    coded = isinstance(content, bytes)
    text = base64.b64encode(content).decode() if isinstance(content, bytes) else content
    return Request("POST", "/", {}, "", "", {"body": text, "isBase64Encoded": coded})


@pytest.mark.parametrize("unit", ["x", "é", "🗓"])
@pytest.mark.parametrize("coded", [False, True])
def test_a_body_of_256_kib_is_taken_and_one_byte_more_is_413(unit: str, coded: bool) -> None:
    full = unit * (FULL // len(unit.encode()))
    validation.check_size(request(full.encode() if coded else full))
    more = full + "x"
    refused = refusal(validation.check_size, request(more.encode() if coded else more))
    assert refused == (413, "PAYLOAD_TOO_LARGE", None)


def test_a_full_body_is_read_by_a_route(scenario: BoardScenario) -> None:
    body = '{"title": "T"' + " " * (FULL - 14) + "}"
    client, path = scenario.owner.client, f"{scenario.path}/meetings"
    assert client.call("POST", path, raw=body).status == 201
    assert client.call("POST", path, raw=body + " ").failure == (413, "PAYLOAD_TOO_LARGE")
