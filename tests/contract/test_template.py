"""The template deploys what the code says: its table, its routes, its functions; and what no linter sees."""

import re

import pytest

from governance.store.schema import keys
from infra.local.routing import select
from infra.stack.template import Template
from tests.harness.client import APIS, FUNCTIONS

TEMPLATE = Template()


def test_every_folder_of_functions_is_deployed_and_nothing_else() -> None:
    assert sorted(TEMPLATE.functions().values()) == sorted(file.parent.name for file in FUNCTIONS.glob("*/handler.py"))


@pytest.mark.parametrize("group", sorted(APIS.keys() - {"fallback"}))
def test_every_declared_route_reaches_its_own_function(group: str) -> None:
    for route in APIS[group].routes:
        path = re.sub(r"\{\w+\}", "0123456789abcdef01234567", route.path)
        match = select(TEMPLATE.routes(), route.method, path.removesuffix("/"))  # as the edge function sends it
        assert match is not None
        assert match.route.group == group, f"{route.method} {route.path}"


def test_what_no_group_owns_falls_back_into_the_envelope() -> None:
    for path in ("/", "/api", "/api/v2/me", "//api/v1/me", "/api/v1/boards//members", "/api/v1/me/"):
        match = select(TEMPLATE.routes(), "GET", path)
        assert match is not None
        assert match.route.group == "fallback", path


def test_no_route_ends_with_a_slash_because_the_api_would_refuse_it() -> None:
    assert not [route.key for route in TEMPLATE.routes() if route.path.endswith("/")]


def test_the_table_is_the_schemas() -> None:
    table = TEMPLATE.table()
    names = {keys.PK, keys.SK, *keys.INDEXES}
    assert {entry["AttributeName"]: entry["AttributeType"] for entry in table["AttributeDefinitions"]} == dict.fromkeys(
        names, "S"
    )
    assert _keys(table) == [(keys.PK, "HASH"), (keys.SK, "RANGE")]
    indexes = {index["IndexName"]: index for index in table["LocalSecondaryIndexes"]}
    assert set(indexes) == {keys.index_name(name) for name in keys.INDEXES}
    for name, projection in keys.INDEXES.items():
        index = indexes[keys.index_name(name)]
        assert _keys(index) == [(keys.PK, "HASH"), (name, "RANGE")]
        assert index["Projection"] == {"ProjectionType": projection}
    assert table["TimeToLiveSpecification"] == {"AttributeName": keys.TTL, "Enabled": True}


def _keys(holder: dict[str, list[dict[str, str]]]) -> list[tuple[str, str]]:
    return [(key["AttributeName"], key["KeyType"]) for key in holder["KeySchema"]]


def test_the_table_can_be_neither_lost_nor_read_from_a_disk() -> None:
    table = TEMPLATE.table()
    assert table["DeletionProtectionEnabled"] is True
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["SSESpecification"] == {"SSEEnabled": False}, "encrypted by DynamoDB's own key, which costs nothing"
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["StreamSpecification"] == {"StreamViewType": "NEW_IMAGE"}


def test_the_access_log_holds_no_path_no_query_and_no_header() -> None:
    (stage,) = TEMPLATE.resources("AWS::ApiGatewayV2::Stage").values()
    logged = set(re.findall(r"\$context\.([\w.]+)", stage["AccessLogSettings"]["Format"]))
    assert logged == {
        *("requestId", "requestTime", "routeKey", "status", "responseLength", "responseLatency"),
        *("integrationLatency", "integrationStatus", "integrationErrorMessage"),
    }


def test_every_function_logs_where_retention_is_set() -> None:
    groups = TEMPLATE.resources("AWS::Logs::LogGroup")
    for name, function in TEMPLATE.resources("AWS::Serverless::Function").items():
        group = groups[function["LoggingConfig"]["LogGroup"]["Ref"]]
        assert group["RetentionInDays"] == {"Ref": "LogRetentionDays"}, name


def test_the_account_has_a_budget_where_one_is_given_and_somebody_is_told() -> None:
    budget = TEMPLATE.document["Resources"]["Budget"]
    assert budget["Condition"] == "HasBudget"
    assert {"Ref": "MonthlyBudget"} in budget["Properties"]["Budget"]["BudgetLimit"].values()
    told = budget["Properties"]["NotificationsWithSubscribers"]
    assert {notice["Notification"]["NotificationType"] for notice in told} == {"ACTUAL", "FORECASTED"}
    assert {notice["Subscribers"][0]["Address"]["Ref"] for notice in told} == {"AlarmEmail"}


def test_the_table_serves_no_more_than_is_asked_for_and_without_a_bound_what_comes() -> None:
    condition, bounded, otherwise = TEMPLATE.table()["OnDemandThroughput"]["Fn::If"]
    assert condition == "TableIsBounded"
    assert bounded == {
        "MaxReadRequestUnits": {"Ref": "TableMaximumReads"},
        "MaxWriteRequestUnits": {"Ref": "TableMaximumWrites"},
    }
    assert otherwise == {"Ref": "AWS::NoValue"}
