"""The distribution's template, compared with the files beside it and with the local gateway."""

import json
import re
import subprocess
from typing import Any

import pytest

from governance.errors import Code
from governance.http.request import VIEWER_ADDRESS
from infra.catalog import edge
from infra.cdn import embed
from infra.openapi.site import installation_files, site
from infra.pages.app.site import CONFIG, app_site, object_path
from infra.publish import CACHED
from infra.stack.template import Template
from tests.harness.programs import program

TEMPLATE = Template(embed.TEMPLATE)
FUNCTIONS = TEMPLATE.resources("AWS::CloudFront::Function")
POLICIES = {
    name: body["CachePolicyConfig"] for name, body in TEMPLATE.resources("AWS::CloudFront::CachePolicy").items()
}
(DISTRIBUTION,) = (body["DistributionConfig"] for body in TEMPLATE.resources("AWS::CloudFront::Distribution").values())
BEHAVIOURS = {behaviour["PathPattern"]: behaviour for behaviour in DISTRIBUTION["CacheBehaviors"]}
FROM_BUCKET = sorted(pattern for pattern, behaviour in BEHAVIOURS.items() if behaviour["TargetOriginId"] == "bucket")
API = DISTRIBUTION["DefaultCacheBehavior"]
ALL_METHODS = {"GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"}
CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
ALL_VIEWER_EXCEPT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac"


def test_the_template_is_what_make_edge_writes_and_has_every_file() -> None:
    comments = {function["FunctionConfig"]["Comment"] for function in FUNCTIONS.values()}
    assert comments == {file.name for file in embed.HERE.glob("*.js")}
    text = embed.TEMPLATE.read_text()
    assert embed.embedded(text) == text


def test_nothing_of_the_api_is_cached_and_credentials_reach_it() -> None:
    assert API["CachePolicyId"] == CACHING_DISABLED
    assert API["OriginRequestPolicyId"] == ALL_VIEWER_EXCEPT_HOST
    assert set(API["AllowedMethods"]) == ALL_METHODS
    assert API["ViewerProtocolPolicy"] == "https-only"


def test_the_api_gets_the_origin_secret() -> None:
    (origin,) = [origin for origin in DISTRIBUTION["Origins"] if origin["Id"] == API["TargetOriginId"]]
    (header,) = origin["OriginCustomHeaders"]
    assert header["HeaderName"] == "x-origin-secret"
    assert header["HeaderValue"] == {"Fn::Sub": "{{resolve:secretsmanager:${OriginSecretArn}}}"}
    assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"


CACHED_ERRORS = {400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504}
"""The errors that CloudFront keeps for ten seconds unless told otherwise, by its documentation."""


def test_no_request_is_logged_and_no_error_is_kept_for_another_client_or_replaced_by_a_page() -> None:
    assert "Logging" not in DISTRIBUTION
    assert {entry["ErrorCode"]: entry for entry in DISTRIBUTION["CustomErrorResponses"]} == {
        code: {"ErrorCode": code, "ErrorCachingMinTTL": 0} for code in CACHED_ERRORS
    }


def test_the_cdn_waits_longer_than_the_api_and_asks_once() -> None:
    (origin,) = [origin for origin in DISTRIBUTION["Origins"] if origin["Id"] == API["TargetOriginId"]]
    integrations = Template().resources("AWS::ApiGatewayV2::Integration").values()
    longest = max(integration["TimeoutInMillis"] for integration in integrations)
    assert origin["CustomOriginConfig"]["OriginReadTimeout"] * 1000 > longest
    assert origin["ConnectionAttempts"] == 1


def test_path_patterns_of_the_bucket_are_invalidated_but_for_the_catalog() -> None:
    assert set(CACHED) == set(FROM_BUCKET) - {"/api/ontology*", "/log/*", "/seal.pem"}


def test_what_the_api_serves_below_a_path_of_the_bucket_is_served_as_all_of_the_api() -> None:
    others = {pattern: behaviour for pattern, behaviour in BEHAVIOURS.items() if pattern not in FROM_BUCKET}
    assert others == {
        "/guest/*/meeting.ics": {"PathPattern": "/guest/*/meeting.ics", **API},
        "/live": {"PathPattern": "/live", **API, "TargetOriginId": "live"},
    }
    patterns = list(BEHAVIOURS)
    assert patterns.index("/guest/*/meeting.ics") < patterns.index("/guest/*")


@pytest.mark.parametrize("pattern", FROM_BUCKET)
def test_functions_get_every_method_and_cache_keys_contain_the_path_only(pattern: str) -> None:
    behaviour = BEHAVIOURS[pattern]
    assert set(behaviour["AllowedMethods"]) == ALL_METHODS
    key = POLICIES[behaviour["CachePolicyId"]["Ref"]]["ParametersInCacheKeyAndForwardedToOrigin"]
    assert key["CookiesConfig"] == {"CookieBehavior": "none"}
    assert key["HeadersConfig"] == {"HeaderBehavior": "none"}
    assert key["QueryStringsConfig"] == {"QueryStringBehavior": "none"}


def test_the_catalog_is_compressed_in_the_bucket_and_nowhere_else() -> None:
    behaviour = BEHAVIOURS["/api/ontology*"]
    policy = POLICIES[behaviour["CachePolicyId"]["Ref"]]
    key = policy["ParametersInCacheKeyAndForwardedToOrigin"]
    assert behaviour["Compress"] is False
    assert (key["EnableAcceptEncodingBrotli"], key["EnableAcceptEncodingGzip"]) == (False, False)
    assert policy["MinTTL"] == 0
    assert [hook["EventType"] for hook in behaviour["FunctionAssociations"]] == ["viewer-request", "viewer-response"]


def test_the_function_of_the_catalog_reads_the_store_that_publishing_writes() -> None:
    (function,) = (body for body in FUNCTIONS.values() if body["FunctionConfig"]["Comment"] == edge.FUNCTION.name)
    arn = {"Fn::GetAtt": ["CatalogPointer", "Arn"]}
    assert function["FunctionConfig"]["KeyValueStoreAssociations"] == [{"KeyValueStoreARN": arn}]
    assert TEMPLATE.document["Outputs"]["CatalogPointer"]["Value"] == arn
    assert list(TEMPLATE.resources("AWS::CloudFront::KeyValueStore")) == ["CatalogPointer"]


def run_function(file: str, uri: str, method: str = "GET", accept: str = "*/*") -> dict[str, Any]:
    """Returns an edge function's result for a request: a request with `uri`, or a response with `statusCode`."""
    sent = {VIEWER_ADDRESS: {"value": "198.51.100.9"}, "accept": {"value": accept}}
    request = {"method": method, "uri": uri, "headers": sent, "querystring": {"i": {"value": "secret"}}}
    event = {"request": request, "viewer": {"ip": "192.0.2.7"}}
    code = (embed.HERE / file).read_text() + f"\nconsole.log(JSON.stringify(handler({json.dumps(event)})));"
    done = subprocess.run([program("node"), "-"], input=code, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("uri", ["/api/v1/me", "/api/v1%2fme"])
def test_the_api_learns_the_address_that_the_cdn_saw(uri: str) -> None:
    assert run_function("api.js", uri)["headers"] == {
        VIEWER_ADDRESS: {"value": "192.0.2.7"},
        "accept": {"value": "*/*"},
    }


@pytest.mark.parametrize(
    ("uri", "asked"),
    [
        ("/api/notification/", "/api/notification"),  # the API has no route with a slash at its end
        ("/api/notification/read/", "/api/notification/read/"),
        ("/api/v1%2fme", "/-"),
        ("/api/v1/me%20", "/api/v1/me%20"),
        ("/api/v1/invite/preview/a%2fb", "/-"),
        ("/api/v1/invite/status/a%20b", "/api/v1/invite/status/a%20b"),
        *(
            (f"/api/v1/invite/status/{code}", "/api/v1/invite/status/-")  # to the probe it is an unknown code
            for code in ("a%2Fb", "a%5cb", "%3F", "a%23", "%00", "..%2f..%2Fme")
        ),
    ],
)
def test_a_path_with_an_encoded_separator_matches_no_route(uri: str, asked: str) -> None:
    assert run_function("api.js", uri)["uri"] == asked


def test_the_edge_knows_every_page_and_nothing_else() -> None:
    (listed,) = re.findall(r"const FILES = \[(.*?)\]", (embed.HERE / "pages.js").read_text(), re.DOTALL)
    assert set(re.findall(r"'(.+?)'", listed)) == site().keys() | installation_files("https://x.example").keys()


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("/docs", "/docs/index.html"),
        ("/docs/", "/docs/index.html"),
        ("/docs/docs.js", "/docs/docs.js"),
        ("/openapi.json", "/openapi.json"),
        ("/asyncapi.json", "/asyncapi.json"),
        ("/arazzo/first-board.arazzo.json", "/arazzo/first-board.arazzo.json"),
    ],
)
def test_a_page_has_its_object_and_the_query_is_dropped(uri: str, expected: str) -> None:
    request = run_function("pages.js", uri)
    assert (request["uri"], request["querystring"]) == (expected, {})


@pytest.mark.parametrize(("method", "uri"), [("GET", "/docsx"), ("GET", "/docs/x.js"), ("POST", "/docs")])
def test_an_unknown_page_is_answered_in_the_error_envelope(method: str, uri: str) -> None:
    answer = run_function("pages.js", uri, method)
    assert answer["statusCode"] == 404
    body = answer["body"]
    assert isinstance(body, dict)
    code = Code.RESOURCE_NOT_FOUND
    expected = {"code": code.name, "message": code.message, "status": code.status, "requestId": None, "details": None}
    assert json.loads(body["data"]) == {"error": expected}


@pytest.mark.slow
def test_the_edge_has_every_object_of_the_pages_under_its_own_address() -> None:
    for path in [*app_site(), CONFIG]:
        assert run_function("app.js", path).get("uri") == path


@pytest.mark.parametrize(
    "uri",
    [
        "/",
        "/boards",
        "/boards/299600e9/meetings/f1b0c5aa",
        "/guest/KZYA6Tu4",
        "/invite/1f50599a",
        "/paper/KZYA6Tu4",
        "/unsubscribe/KZYA6Tu4",
        "/app/sign-in",
        "/app/callback",
    ],
)
def test_every_view_has_the_page_and_the_query_is_dropped(uri: str) -> None:
    request = run_function("app.js", uri)
    assert (request["uri"], request["querystring"]) == (object_path(uri), {})
    assert object_path(uri) == "/app/index.html"


@pytest.mark.parametrize(
    ("method", "uri"),
    [
        ("POST", "/"),
        ("GET", "/boardsx"),
        ("GET", "/boards.json"),
        ("GET", "/guest/a/b"),
        ("GET", "/paper/a/b"),
        ("GET", "/invite/x.js"),
        ("GET", "/app/x"),
        ("GET", "/app/0123456789abcdef/main.js.map"),
        ("GET", "/app/main.js"),
    ],
)
def test_an_unknown_address_beside_the_views_is_answered_in_the_error_envelope(method: str, uri: str) -> None:
    answer = run_function("app.js", uri, method)
    assert answer["statusCode"] == 404
    assert answer["body"] == run_function("pages.js", "/docs/nothing")["body"]
    assert answer["headers"]["cache-control"] == {"value": "no-store"}, "it may be there after the next deployment"


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_a_browser_at_an_unknown_address_gets_a_page_and_a_program_the_envelope() -> None:
    answer = run_function("api.js", "/nothing", accept=BROWSER)
    assert answer["statusCode"] == 404
    page = str(answer["body"])
    assert all(
        text in page for text in ('<html lang="en">', "There is no such page", 'lang="de"', "Diese Seite gibt es")
    )
    for uri in ("/boards.json", "/guest/a/b", "/app/x"):
        assert run_function("app.js", uri, accept=BROWSER)["uri"] == "/app/index.html"
    assert run_function("pages.js", "/docs/nothing", accept=BROWSER)["uri"] == "/app/index.html"
    assert run_function("pages.js", "/docs/index.html", accept=BROWSER)["uri"] == "/docs/index.html"
    for accept in ("application/json", "*/*", "application/json, text/html", "text/html, application/json"):
        assert "statusCode" not in run_function("api.js", "/nothing", accept=accept)
        assert run_function("app.js", "/app/x", accept=accept)["statusCode"] == 404
        assert run_function("pages.js", "/docs/x", accept=accept)["statusCode"] == 404


def test_addresses_of_the_api_never_answer_a_page_and_what_is_not_read_neither() -> None:
    for uri in ("/api/v1/nothing", "/api", "/mcp", "/calendar/x.ics", "/guest/x/meeting.ics"):
        assert "statusCode" not in run_function("api.js", uri, accept=BROWSER), uri
    assert "statusCode" not in run_function("api.js", "/nothing", "POST", BROWSER)
    assert run_function("app.js", "/app/x", "POST", BROWSER)["statusCode"] == 404


def test_a_browser_that_opens_a_one_click_address_is_led_to_the_page_that_asks_first() -> None:
    uri = "/api/v1/unsubscribe/Abc_-09="
    led = run_function("api.js", uri, accept=BROWSER)
    assert (led["statusCode"], led["headers"]["location"]) == (303, {"value": "/unsubscribe/Abc_-09="})
    assert led["headers"]["cache-control"] == {"value": "no-store"}
    assert run_function("api.js", uri, accept="application/json")["uri"] == uri
    assert run_function("api.js", uri, "POST", accept=BROWSER)["uri"] == uri, "a mail program acts at once"
    for other in ("/api/v1/unsubscribe/a/b", "/api/v1/unsubscribe/", "/api/v1/me"):
        assert run_function("api.js", other, accept=BROWSER)["uri"] == other
