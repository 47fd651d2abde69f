"""The catalog's paths, answered on a laptop as the CDN answers them."""

import gzip
import json
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest

from infra.catalog import releases
from infra.catalog.page import build
from infra.catalog.pointer import BUCKET_KEY, CACHE_CONTROL
from infra.catalog.publish import IMMUTABLE
from infra.local.static import StaticResponse, StoredObject, serve
from tests.harness.catalog import published

NEWEST = releases.load()[0].version
PAGE = build(NEWEST).digest
_WRITTEN = (Path(__file__).parents[1] / "cdn" / "cases.json").read_text()
CASES = json.loads(_WRITTEN.replace("{current}", NEWEST).replace("{page}", PAGE))
RECORD = "/api/ontology/finance/revenue.json"


@pytest.fixture(scope="module")
def bucket() -> dict[str, StoredObject]:
    return published(releases.load())


def get(bucket: dict[str, StoredObject], path: str = RECORD, method: str = "GET", **headers: str) -> StaticResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return serve(method, path, named, bucket.get)


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_answers_like_the_cdn(bucket: dict[str, StoredObject], case: dict[str, Any]) -> None:
    answer = serve(case.get("method", "GET"), case["path"], case.get("headers", {}), bucket.get)
    assert answer.status == case["status"]
    if "key" in case:
        assert answer.headers["etag"] == bucket[case["key"]].etag
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_unknown_path_is_answered_in_the_error_envelope(bucket: dict[str, StoredObject]) -> None:
    answer = get(bucket, "/api/ontology/nothing.json")
    assert json.loads(answer.body) == {
        "error": {
            "code": "RESOURCE_NOT_FOUND",
            "message": "No such resource.",
            "status": 404,
            "requestId": None,
            "details": None,
        }
    }


def test_another_method_is_told_which_ones_there_are(bucket: dict[str, StoredObject]) -> None:
    answer = get(bucket, method="PATCH")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert json.loads(answer.body)["error"]["code"] == "METHOD_NOT_ALLOWED"


def test_a_query_string_is_ignored(bucket: dict[str, StoredObject]) -> None:
    assert get(bucket, RECORD + "?anything=1").body == get(bucket).body


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        (RECORD, CACHE_CONTROL),
        ("/api/ontology", CACHE_CONTROL),
        ("/api/ontology/browse/", CACHE_CONTROL),
        ("/api/ontology/v/1.0.0/finance.json", IMMUTABLE),
        ("/api/ontology/v/1.0.0", IMMUTABLE),
        (f"/api/ontology/browse/{PAGE}/browse.js", IMMUTABLE),
    ],
)
def test_what_names_a_version_is_kept_for_ever_and_what_follows_the_pointer_for_minutes(
    bucket: dict[str, StoredObject], path: str, policy: str
) -> None:
    assert get(bucket, path).headers["cache-control"] == policy


@pytest.mark.parametrize("path", [RECORD, "/api/ontology", "/api/ontology/v/1.0.0/", "/api/ontology/browse/"])
def test_nothing_is_found_while_nothing_is_published(bucket: dict[str, StoredObject], path: str) -> None:
    unpointed = {key: stored for key, stored in bucket.items() if key != BUCKET_KEY}
    assert get(unpointed, path).status == 404


def test_the_pointer_is_read_once_for_a_request(bucket: dict[str, StoredObject]) -> None:
    asked: list[str] = []

    def read(key: str) -> StoredObject | None:
        asked.append(key)
        return bucket.get(key)

    assert serve("GET", RECORD, {"accept-encoding": "br"}, read).status == 200
    assert asked.count(BUCKET_KEY) == 1


@pytest.mark.parametrize(("accepted", "encoding"), [("br", "br"), ("gzip", "gzip"), ("identity", "")])
def test_each_encoding_unpacks_to_the_same_bytes(bucket: dict[str, StoredObject], accepted: str, encoding: str) -> None:
    answer = get(bucket, accept_encoding=accepted)
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[encoding]
    assert answer.headers.get("content-encoding", "") == encoding
    assert unpack(answer.body) == get(bucket).body
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", [RECORD, "/api/ontology/nothing.json"])
def test_head_is_answered_like_get(bucket: dict[str, StoredObject], path: str) -> None:
    full = get(bucket, path)
    assert get(bucket, path, method="HEAD") == full
    assert full.headers["content-length"] == str(len(full.body))


@pytest.mark.parametrize("condition", ["{etag}", "W/{etag}", '"other", {etag}', "*"])
def test_what_the_client_has_is_not_sent_again(bucket: dict[str, StoredObject], condition: str) -> None:
    etag = get(bucket).headers["etag"]
    answer = get(bucket, if_none_match=condition.format(etag=etag))
    assert (answer.status, answer.body, answer.headers["etag"]) == (304, b"", etag)


def test_another_etag_gets_the_body(bucket: dict[str, StoredObject]) -> None:
    assert get(bucket, if_none_match='"other"').status == 200


def test_the_etag_is_strong_and_differs_by_encoding(bucket: dict[str, StoredObject]) -> None:
    etags = {get(bucket, accept_encoding=each).headers["etag"] for each in ("br", "gzip", "identity")}
    assert len(etags) == 3
    assert all(etag.startswith('"') for etag in etags)


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [("bytes=0-9", 0, 9), ("bytes=5-", 5, None), ("bytes=-7", -7, None), ("bytes=0-999999", 0, None)],
)
def test_a_range_is_a_part(bucket: dict[str, StoredObject], asked: str, first: int, last: int | None) -> None:
    full, answer = get(bucket).body, get(bucket, range=asked)
    expected = full[first:] if last is None else full[first : last + 1]
    start = first % len(full)
    assert (answer.status, answer.body) == (206, expected)
    assert answer.headers["content-range"] == f"bytes {start}-{start + len(expected) - 1}/{len(full)}"


@pytest.mark.parametrize("asked", ["bytes=999999-", "bytes=-0"])
def test_a_range_beyond_the_end_cannot_be_satisfied(bucket: dict[str, StoredObject], asked: str) -> None:
    answer = get(bucket, range=asked)
    assert (answer.status, answer.body) == (416, b"")
    assert answer.headers["content-range"] == f"bytes */{len(get(bucket).body)}"


@pytest.mark.parametrize(
    "asked", ["bytes=9-5", "bytes=-", "bytes=a-b", "items=0-1", "bytes=0-1,4-5", "bytes=" + "9" * 9999]
)
def test_a_senseless_range_is_ignored(bucket: dict[str, StoredObject], asked: str) -> None:
    assert get(bucket, range=asked) == get(bucket)


def test_a_range_of_what_has_changed_gets_the_whole(bucket: dict[str, StoredObject]) -> None:
    etag = get(bucket).headers["etag"]
    assert get(bucket, range="bytes=0-1", if_range=etag).status == 206
    assert get(bucket, range="bytes=0-1", if_range='"other"').status == 200


def test_a_preflight_allows_any_header(bucket: dict[str, StoredObject]) -> None:
    answer = get(bucket, method="OPTIONS", origin="https://example.com", access_control_request_method="GET")
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert answer.headers["access-control-allow-headers"] == "*"
