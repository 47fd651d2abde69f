"""What the firewall refuses, and what it leaves alone."""

import json
from typing import Any

from governance.errors import Code
from infra.stack.template import ROOT
from tests.contract.templates import STACKS


def firewall_rules() -> dict[str, Any]:
    (acl,) = STACKS["firewall"].resources("AWS::WAFv2::WebACL").values()
    return {rule["Name"]: rule for rule in acl["Rules"]}


def test_the_firewall_limits_the_catalog_by_address() -> None:
    limit = firewall_rules()["catalog"]["Statement"]["RateBasedStatement"]
    assert (limit["AggregateKeyType"], limit["EvaluationWindowSec"]) == ("IP", 300)
    assert limit["ScopeDownStatement"]["ByteMatchStatement"]["SearchString"] == "/api/ontology"
    assert STACKS["firewall"].document["Parameters"]["RateLimitCatalog"]["Default"] == 1000


def test_who_is_too_fast_is_told_in_the_envelopes_shape() -> None:
    (acl,) = STACKS["firewall"].resources("AWS::WAFv2::WebACL").values()
    error = json.loads(acl["CustomResponseBodies"]["TooMany"]["Content"])["error"]
    code = Code.RATE_LIMITED
    assert error == {
        "code": code.name,
        "message": code.message,
        "status": code.status,
        "requestId": None,
        "details": None,
    }
    for name in ("flood", "catalog"):
        assert firewall_rules()[name]["Action"]["Block"]["CustomResponse"]["ResponseCode"] == code.status


FREE_TEXT_RULES = {
    *("SizeRestrictions_BODY", "CrossSiteScripting_BODY", "CrossSiteScripting_QUERYARGUMENTS"),
    *("EC2MetaDataSSRF_BODY", "EC2MetaDataSSRF_QUERYARGUMENTS", "GenericLFI_BODY", "GenericLFI_QUERYARGUMENTS"),
    *("GenericRFI_BODY", "GenericRFI_QUERYARGUMENTS", "RestrictedExtensions_QUERYARGUMENTS"),
}


RULE_GROUPS_WITHOUT_TEXT = {"AWSManagedRulesAmazonIpReputationList"}


def test_the_firewall_never_blocks_free_text() -> None:
    groups = {
        group["Name"]: {override["Name"]: override["ActionToUse"] for override in group.get("RuleActionOverrides", [])}
        for rule in firewall_rules().values()
        if (group := rule["Statement"].get("ManagedRuleGroupStatement"))
    }
    common = groups.pop("AWSManagedRulesCommonRuleSet")
    assert all(common.get(name) == {"Count": {}} for name in FREE_TEXT_RULES)
    assert common.keys() - FREE_TEXT_RULES == {"NoUserAgent_HEADER", "SizeRestrictions_QUERYSTRING"}
    assert groups.keys() == RULE_GROUPS_WITHOUT_TEXT


def test_no_metric_has_a_name_that_the_firewall_reserves() -> None:
    (acl,) = STACKS["firewall"].resources("AWS::WAFv2::WebACL").values()
    names = [part["VisibilityConfig"]["MetricName"] for part in [acl, *acl["Rules"]]]
    assert not [name for name in names if str(name).lower() in {"all", "default_action"}]


def test_nothing_of_the_firewall_keeps_a_path() -> None:
    text = (ROOT / "infra/firewall/template.yaml").read_text()
    assert "SampledRequestsEnabled: true" not in text
    assert "SampledRequestsEnabled: false" in text


def test_logs_of_the_edge_are_kept_where_they_are_asked_for_without_paths_and_credentials() -> None:
    firewall = STACKS["firewall"]
    assert firewall.document["Parameters"]["EdgeLogs"]["Default"] == "no"
    for name in ("FirewallLog", "FirewallLogging", "CdnLog", "CdnLogSource", "CdnLogDestination", "CdnLogging"):
        assert firewall.document["Resources"][name]["Condition"] in {"LogsFirewall", "LogsCdn"}
    groups = firewall.resources("AWS::Logs::LogGroup")
    assert {name: group["RetentionInDays"] for name, group in groups.items()} == {"FirewallLog": 14, "CdnLog": 14}
    assert groups["FirewallLog"]["LogGroupName"]["Fn::Sub"].startswith("aws-waf-logs-"), "WAF takes no other"
    (logging,) = firewall.resources("AWS::WAFv2::LoggingConfiguration").values()
    hidden = [field.get("SingleHeader", {}).get("Name") or next(iter(field)) for field in logging["RedactedFields"]]
    assert hidden == ["UriPath", "QueryString", "authorization", "cookie", "referer"]
    (kept,) = logging["LoggingFilter"]["Filters"]
    assert (logging["LoggingFilter"]["DefaultBehavior"], kept["Behavior"]) == ("DROP", "KEEP")
    assert kept["Conditions"] == [{"ActionCondition": {"Action": "BLOCK"}}]
    (delivery,) = firewall.resources("AWS::Logs::Delivery").values()
    assert not {"cs-uri-stem", "cs-uri-query", "cs(Referer)", "cs(Cookie)"} & set(delivery["RecordFields"])
