"""The distribution of files: nobody reads one without a signature of ours, and none is kept at the edge."""

from __future__ import annotations

from typing import Any

import pytest

from governance.store.documents import papers
from governance.store.exports import export_files
from tests.contract.templates import MAIN, STACKS

TEMPLATE = STACKS["downloads"]
(_DISTRIBUTION,) = TEMPLATE.resources("AWS::CloudFront::Distribution").values()
CONFIG: dict[str, Any] = _DISTRIBUTION["DistributionConfig"]
BEHAVIOURS = [CONFIG["DefaultCacheBehavior"], *CONFIG["CacheBehaviors"]]
CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
SIGNERS = {"DocumentsFunction", "ExportsFunction", "McpFunction"}


def only(kind: str) -> Any:
    """Returns the configuration of the template's one resource of a type of CloudFront."""
    (body,) = TEMPLATE.resources(f"AWS::CloudFront::{kind}").values()
    return body[f"{kind}Config"]


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_every_behaviour_asks_for_a_signature_of_our_keys_over_tls_and_keeps_nothing(behaviour: dict[str, Any]) -> None:
    assert behaviour["TrustedKeyGroups"] == [{"Ref": "Keys"}]
    assert (behaviour["ViewerProtocolPolicy"], behaviour["AllowedMethods"]) == ("https-only", ["GET", "HEAD"])
    assert behaviour["CachePolicyId"] == CACHING_DISABLED
    assert behaviour["OriginRequestPolicyId"] == {"Ref": "Answer"}
    assert behaviour["ResponseHeadersPolicyId"] == {"Ref": "FileHeaders"}


def test_each_folder_is_read_from_its_bucket_by_requests_that_cloudfront_signs() -> None:
    assert (papers.FOLDER, CONFIG["DefaultCacheBehavior"]["TargetOriginId"]) == ("papers/", "papers")
    patterns = {behaviour["PathPattern"]: behaviour["TargetOriginId"] for behaviour in CONFIG["CacheBehaviors"]}
    assert patterns == {f"/{export_files.FOLDER}*": "bucket"}
    hosts = {origin["Id"]: origin["DomainName"] for origin in CONFIG["Origins"]}
    assert hosts == {"papers": {"Ref": "PapersHost"}, "bucket": {"Ref": "BucketHost"}}
    assert all(origin["OriginAccessControlId"] == {"Ref": "BucketAccess"} for origin in CONFIG["Origins"])
    access = only("OriginAccessControl")
    assert (access["SigningBehavior"], access["SigningProtocol"]) == ("always", "sigv4")
    given = MAIN.document["Resources"]["Downloads"]["Properties"]["Parameters"]
    bucket = MAIN.resources("AWS::S3::Bucket")["PapersBucket"]["BucketName"]["Fn::Sub"]
    assert given["PapersHost"] == {"Fn::Sub": f"{bucket}.s3.${{AWS::Region}}.${{AWS::URLSuffix}}"}
    assert given["BucketHost"] == {"Fn::GetAtt": ["StaticBucket", "RegionalDomainName"]}


def test_the_bucket_hears_how_it_is_to_answer_and_nothing_else_of_a_reader() -> None:
    passed = only("OriginRequestPolicy")
    queries = {"response-cache-control", "response-content-disposition", "response-content-type"}
    assert (passed["CookiesConfig"], passed["HeadersConfig"]) == (
        {"CookieBehavior": "none"},
        {"HeaderBehavior": "none"},
    )
    assert passed["QueryStringsConfig"]["QueryStringBehavior"] == "whitelist"
    assert set(passed["QueryStringsConfig"]["QueryStrings"]) == queries


def test_a_file_is_never_taken_for_another_type_and_never_has_the_origin_of_the_pages() -> None:
    assert only("ResponseHeadersPolicy")["SecurityHeadersConfig"]["ContentTypeOptions"] == {"Override": True}
    assert "Aliases" not in CONFIG
    assert CONFIG["ViewerCertificate"] == {"CloudFrontDefaultCertificate": True}


def test_no_error_is_kept_at_the_edge_and_no_address_in_a_log() -> None:
    assert {error["ErrorCachingMinTTL"] for error in CONFIG["CustomErrorResponses"]} == {0}
    assert "Logging" not in CONFIG


def test_two_keys_fit_beside_each_other_and_the_first_that_is_listed_signs() -> None:
    assert [item["Fn::If"][1]["Ref"] for item in only("KeyGroup")["Items"]] == ["PublicKeyA", "PublicKeyB"]
    keys = TEMPLATE.resources("AWS::CloudFront::PublicKey")
    assert {name: body["PublicKeyConfig"]["Name"]["Fn::Sub"][-1] for name, body in keys.items()} == {
        "PublicKeyA": "A",
        "PublicKeyB": "B",
    }
    assert MAIN.document["Parameters"]["DownloadKeys"]["AllowedValues"] == ["A", "AB", "BA", "B"]
    assert MAIN.document["Conditions"]["SignsDownloadsByA"] == {
        "Fn::Or": [{"Fn::Equals": [{"Ref": "DownloadKeys"}, listed]} for listed in ("A", "AB")]
    }


def test_only_functions_that_sign_have_the_private_key_and_none_may_read_exports_for_it() -> None:
    functions = MAIN.resources("AWS::Serverless::Function")
    assert {name for name, body in functions.items() if "DOWNLOAD_KEY" in str(body.get("Environment"))} == SIGNERS
    assert "exports/" not in str(MAIN.resources("AWS::IAM::Role")["ExportsRole"])
