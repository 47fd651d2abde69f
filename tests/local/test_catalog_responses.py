"""The catalog's paths, served locally as the CDN serves them."""

import gzip
import json
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest

from infra.catalog import releases
from infra.catalog.page import build
from infra.catalog.pointer import CACHE_CONTROL
from infra.catalog.publish import IMMUTABLE
from infra.local.bucket_origin import StoredObject
from tests.harness.catalog import StaticResponse, catalog_site, published, serve

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
    return serve(method, path, named, catalog_site(bucket.get))


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_the_response_is_the_cdns(bucket: dict[str, StoredObject], case: dict[str, Any]) -> None:
    headers = {"origin": "https://example.com", **case.get("headers", {})}
    response = serve(case.get("method", "GET"), case["path"], headers, catalog_site(bucket.get))
    assert response.status == case["status"]
    if "key" in case:
        assert response.headers["etag"] == bucket[case["key"]].etag
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["x-content-type-options"] == "nosniff"


def test_an_unknown_path_gets_the_error_envelope(bucket: dict[str, StoredObject]) -> None:
    response = get(bucket, "/api/ontology/nothing.json")
    assert json.loads(response.body) == {
        "error": {
            "code": "RESOURCE_NOT_FOUND",
            "message": "No such resource.",
            "status": 404,
            "requestId": None,
            "details": None,
        }
    }


def test_another_method_gets_the_allowed_ones(bucket: dict[str, StoredObject]) -> None:
    response = get(bucket, method="PATCH")
    assert response.headers["allow"] == "GET, HEAD, OPTIONS"
    assert json.loads(response.body)["error"]["code"] == "METHOD_NOT_ALLOWED"


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
def test_paths_of_a_version_are_immutable_and_others_are_cached_for_minutes(
    bucket: dict[str, StoredObject], path: str, policy: str
) -> None:
    assert get(bucket, path).headers["cache-control"] == policy


@pytest.mark.parametrize(("accepted", "encoding"), [("br", "br"), ("gzip", "gzip"), ("identity", "")])
def test_each_encoding_unpacks_to_the_same_bytes(bucket: dict[str, StoredObject], accepted: str, encoding: str) -> None:
    response = get(bucket, accept_encoding=accepted)
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[encoding]
    assert response.headers.get("content-encoding", "") == encoding
    assert unpack(response.body) == get(bucket).body
    assert response.headers["vary"] == "Accept-Encoding"
    assert response.headers["etag"].startswith('"')


@pytest.mark.parametrize("condition", ["{etag}", "W/{etag}", '"other", {etag}', "*"])
def test_a_matching_etag_gets_no_body(bucket: dict[str, StoredObject], condition: str) -> None:
    etag = get(bucket).headers["etag"]
    response = get(bucket, if_none_match=condition.format(etag=etag))
    assert (response.status, response.body, response.headers["etag"]) == (304, b"", etag)


def test_the_etag_differs_by_encoding(bucket: dict[str, StoredObject]) -> None:
    assert len({get(bucket, accept_encoding=encoding).headers["etag"] for encoding in ("br", "gzip", "identity")}) == 3


@pytest.mark.parametrize(
    ("requested", "status", "part"),
    [
        ("bytes=0-9", 206, slice(0, 10)),
        ("bytes=5-", 206, slice(5, None)),
        ("bytes=-7", 206, slice(-7, None)),
        ("bytes=999999-", 416, slice(0, 0)),
        ("bytes=-0", 416, slice(0, 0)),
        *(
            (invalid, 200, slice(None))
            for invalid in ("bytes=9-5", "bytes=-", "bytes=a-b", "items=0-1", "bytes=0-1,4-5")
        ),
    ],
)
def test_a_valid_range_gets_a_part_and_an_invalid_one_is_ignored(
    bucket: dict[str, StoredObject], requested: str, status: int, part: slice
) -> None:
    full, response = get(bucket).body, get(bucket, range=requested)
    assert (response.status, response.body) == (status, full[part])
    first, end, _ = part.indices(len(full))
    said = {206: f"bytes {first}-{end - 1}/{len(full)}", 416: f"bytes */{len(full)}"}
    assert response.headers.get("content-range") == said.get(status)


def test_a_range_of_a_changed_object_gets_the_whole(bucket: dict[str, StoredObject]) -> None:
    etag = get(bucket).headers["etag"]
    assert get(bucket, range="bytes=0-1", if_range=etag).status == 206
    assert get(bucket, range="bytes=0-1", if_range='"other"').status == 200
