"""What the templates have of alarms, the dashboard, logs and traces."""

import json
from collections.abc import Iterator
from typing import Any

from governance import telemetry
from tests.contract.templates import MAIN, STACKS


def test_an_alarm_tells_the_same_people_when_it_ends() -> None:
    alarms = STACKS["monitoring"].resources("AWS::CloudWatch::Alarm").values()
    topics = [alarm["AlarmActions"] for alarm in alarms]
    assert topics == [alarm["OKActions"] for alarm in alarms]
    assert all(topic in ([{"Ref": "Alarms"}], [{"Ref": "Warnings"}]) for topic in topics)


def test_mails_are_judged_by_the_rates_at_which_the_mail_service_stops_sending() -> None:
    alarms = STACKS["monitoring"].resources("AWS::CloudWatch::Alarm")
    assert alarms["MailBounces"]["Threshold"] < 0.05
    assert alarms["MailComplaints"]["Threshold"] < 0.001


def test_a_clock_that_stands_still_rings_also_where_nothing_is_counted_any_more() -> None:
    alarm = STACKS["monitoring"].resources("AWS::CloudWatch::Alarm")["ClockStopped"]
    assert (alarm["MetricName"], alarm["TreatMissingData"]) == (telemetry.Metric.SWEEPS, "breaching")
    assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("LessThanThreshold", 1)
    (schedule,) = [candidate for candidate in MAIN.schedules() if candidate.group == "deliveries"]
    assert alarm["Period"] * alarm["EvaluationPeriods"] <= 5 * schedule.seconds


def test_what_the_gateway_refuses_itself_is_counted_from_its_log() -> None:
    (metric_filter,) = STACKS["monitoring"].resources("AWS::Logs::MetricFilter").values()
    assert metric_filter["FilterPattern"] == '{ ($.status = "429") && ($.integrationStatus = "-") }'
    (stage,) = MAIN.resources("AWS::ApiGatewayV2::Stage").values()
    written = json.loads(stage["AccessLogSettings"]["Format"])
    assert (written["status"], written["integrationStatus"]) == ("$context.status", "$context.integrationStatus")
    (counted,) = metric_filter["MetricTransformations"]
    assert (
        counted["MetricName"]
        == STACKS["monitoring"].resources("AWS::CloudWatch::Alarm")["GatewayThrottled"]["MetricName"]
    )


def test_the_distribution_the_firewall_and_every_edge_function_have_an_alarm_where_their_metrics_are() -> None:
    alarms = STACKS["firewall"].resources("AWS::CloudWatch::Alarm")
    assert all(alarm["AlarmActions"] == [{"Ref": "Alarms"}] for alarm in alarms.values())
    watched = {(alarm["Namespace"], alarm["MetricName"]) for alarm in alarms.values() if "Namespace" in alarm}
    assert watched == {
        ("AWS/CloudFront", "5xxErrorRate"),
        ("AWS/WAFV2", "BlockedRequests"),
        ("AWS/Route53", "HealthCheckStatus"),
    }
    names = sorted(
        (function["Name"] for function in STACKS["cdn"].resources("AWS::CloudFront::Function").values()), key=str
    )
    computed = [alarm["Metrics"][1:] for alarm in alarms.values() if "Metrics" in alarm]
    failures = {part["MetricStat"]["Metric"]["MetricName"] for parts in computed for part in parts}
    assert failures == {"FunctionExecutionErrors", "FunctionValidationErrors", "FunctionThrottles"}
    for parts in computed:
        assert [part["MetricStat"]["Metric"]["Dimensions"][0]["Value"] for part in parts] == names
    (acl,) = STACKS["firewall"].resources("AWS::WAFv2::WebACL").values()
    assert alarms["FirewallBlocks"]["Dimensions"][0]["Value"] == acl["VisibilityConfig"]["MetricName"]


def test_a_log_that_stopped_stays_an_alarm_until_its_rows_are_sealed() -> None:
    """The sealer notices it when the rows come back, which is less often than once a minute."""
    alarm = STACKS["monitoring"].resources("AWS::CloudWatch::Alarm")["LogStopped"]
    hidden = MAIN.resources("AWS::SQS::Queue")["Leaves"]["VisibilityTimeout"]
    assert alarm["Period"] * alarm["EvaluationPeriods"] > 5 * hidden
    assert alarm["DatapointsToAlarm"] == 1


def dashboard() -> dict[str, Any]:
    (resource,) = STACKS["monitoring"].resources("AWS::CloudWatch::Dashboard").values()
    body: dict[str, Any] = json.loads(resource["DashboardBody"]["Fn::Sub"])
    return body


def test_the_dashboard_shows_every_metric_of_the_functions() -> None:
    drawn = repr(dashboard())
    assert {metric for metric in telemetry.Metric if metric not in drawn} == set()


def own_alarms() -> Iterator[tuple[str, dict[str, str]]]:
    """The functions' own metrics that alarms watch: each with its dimensions."""
    for alarm in STACKS["monitoring"].resources("AWS::CloudWatch::Alarm").values():
        parts = [part["MetricStat"]["Metric"] for part in alarm.get("Metrics", []) if "MetricStat" in part]
        for part in parts or [alarm]:
            if part["Namespace"] == {"Ref": "MetricsNamespace"}:
                yield part["MetricName"], {named["Name"]: named["Value"] for named in part.get("Dimensions", [])}


def test_alarms_watch_metrics_as_the_functions_publish_them() -> None:
    passed = MAIN.resources("AWS::CloudFormation::Stack")["Monitoring"]["Parameters"]["MetricsNamespace"]
    assert passed == MAIN.environment()["POWERTOOLS_METRICS_NAMESPACE"]
    service = MAIN.environment()["POWERTOOLS_SERVICE_NAME"]
    kinds = set()
    for name, dimensions in own_alarms():
        if name == "GatewayThrottled":
            continue  # counted from the log of the API
        assert dimensions.pop("service") == service
        assert set(dimensions) <= {telemetry.DIMENSIONS.get(telemetry.Metric(name))}
        kinds |= {dimensions["kind"]} if "kind" in dimensions else set()
    assert kinds == set(telemetry.StoreFailure)
    assert {name for name, _ in own_alarms()} - {"GatewayThrottled"} == set(telemetry.Metric) - {
        telemetry.Metric.WEBHOOK_ATTEMPTS,  # what receivers do wakes nobody
        telemetry.Metric.WEBHOOKS_DISABLED,
        telemetry.Metric.MAILS_REFUSED,  # nor does what strangers send
    }


def test_traces_are_off_unless_asked_for_and_then_the_roles_may_send_them() -> None:
    assert MAIN.document["Parameters"]["Tracing"]["Default"] == "PassThrough"
    assert MAIN.document["Globals"]["Function"]["Tracing"] == {"Ref": "Tracing"}
    assert MAIN.document["Conditions"]["IsTraced"] == {"Fn::Equals": [{"Ref": "Tracing"}, "Active"]}
    policy = MAIN.document["Resources"]["TracingPolicy"]
    assert policy["Condition"] == "IsTraced"
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]
    assert set(statement["Action"]) == {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}


def test_saved_queries_find_errors_slow_routes_and_one_request_over_all_logs() -> None:
    queries = STACKS["monitoring"].resources("AWS::Logs::QueryDefinition")
    assert queries.keys() == {"ErrorsByRoute", "SlowestRoutes", "OneRequest"}
    groups = MAIN.resources("AWS::Logs::LogGroup")
    written = {body["LogGroupName"]["Fn::Sub"] for name, body in groups.items() if name != "AccessLog"}
    named = [name.get("Fn::Sub") for name in queries["OneRequest"]["LogGroupNames"][1:]]
    assert sorted(named) == sorted(written), "Log Insights refuses a group that is named twice"
    assert len(written) < 50, "Log Insights takes no more"
