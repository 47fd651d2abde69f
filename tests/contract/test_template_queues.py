"""The stream, the queues and the clock of the stack: what fails is kept, and what is slow holds up nothing else."""

import re
from typing import Any

import pytest

from governance.limits import LIVE_OPENING_SECONDS, RING_SECONDS
from infra.deployment import concurrency
from tests.contract.templates import MAIN, STACKS

FUNCTIONS = MAIN.resources("AWS::Serverless::Function")


def _mapping(kind: str, name: str) -> dict[str, Any]:
    """Returns the properties of a function's one event source mapping of this kind."""
    events = FUNCTIONS[name]["Events"].values()
    (properties,) = [event["Properties"] for event in events if event["Type"] == kind]
    return dict(properties)


def _of_queue(name: str) -> dict[str, Any]:
    """Returns the properties of the one event source mapping of a queue."""
    events = [event["Properties"] for function in FUNCTIONS.values() for event in function.get("Events", {}).values()]
    (properties,) = [source for source in events if source.get("Queue") == {"Fn::GetAtt": [name, "Arn"]}]
    return dict(properties)


_BOUNDED = ("Deliveries", "Emails", "Cleanups", "WebhookDeliveries", "SlowWebhookDeliveries")


def test_a_failed_record_keeps_no_other_from_its_function() -> None:
    stream = _mapping("DynamoDB", "EventsFunction")
    assert stream["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert stream["BisectBatchOnFunctionError"] is True
    assert stream["StartingPosition"] == "TRIM_HORIZON"
    assert stream["DestinationConfig"]["OnFailure"]["Type"] == "SQS"


def test_a_record_is_retried_for_as_long_as_the_stream_keeps_it_and_shards_are_read_in_parallel() -> None:
    stream = _mapping("DynamoDB", "EventsFunction")
    assert stream["MaximumRetryAttempts"] == 10_000
    assert 20 * 3600 < stream["MaximumRecordAgeInSeconds"] < 24 * 3600
    assert stream["ParallelizationFactor"] == {"Ref": "EventsParallelism"}


def test_a_new_account_with_ten_concurrent_executions_has_some_left_for_the_api() -> None:
    parameters = {name: body.get("Default") for name, body in MAIN.document["Parameters"].items()}
    bounds = {queue: _of_queue(queue)["ScalingConfig"]["MaximumConcurrency"] for queue in _BOUNDED}
    assert bounds == {
        "Deliveries": {"Ref": "DeliveriesConcurrency"},
        "Emails": {"Fn::If": ["EmailsHaveAQueue", {"Ref": "EmailsConcurrency"}, 2]},
        "Cleanups": {"Fn::If": ["CleanupsHaveAQueue", {"Ref": "CleanupsConcurrency"}, 2]},
        "WebhookDeliveries": {"Ref": "WebhooksConcurrency"},
        "SlowWebhookDeliveries": {"Fn::If": ["SlowWebhooksHaveAQueue", {"Ref": "SlowWebhooksConcurrency"}, 2]},
    }
    always = parameters | dict.fromkeys(concurrency.ON_DEMAND, 0)
    assert concurrency.reserved(always) < 10, "what runs all the time"


def test_whatever_a_queue_or_the_stream_may_run_is_counted() -> None:
    """Also exports and board packs, which run only while somebody waits for one."""
    parameters: dict[str, object] = dict.fromkeys((*concurrency.QUEUES, "EventsParallelism"), 0)
    bounds = [_of_queue(mapping.queue)["ScalingConfig"]["MaximumConcurrency"] for mapping in MAIN.queue_mappings()]
    named = {re.search(r"'Ref': '(\w+)'", repr(bound)) for bound in bounds if isinstance(bound, dict)}
    assert {match[1] for match in named if match} == set(concurrency.QUEUES)
    assert concurrency.reserved(parameters | dict.fromkeys(concurrency.QUEUES, 3)) == 3 * len(concurrency.QUEUES)


def test_mails_and_cleanups_have_queues_of_their_own_unless_their_concurrency_is_zero() -> None:
    """SQS bounds a queue at two invocations at least: seven queues and four shards do not fit into ten."""
    variables = MAIN.environment("deliveries")
    for queue in ("Emails", "Cleanups"):
        own, shared = {"Ref": queue}, {"Ref": "Deliveries"}
        assert variables[f"{queue.upper()}_QUEUE_URL"] == {"Fn::If": [f"{queue}HaveAQueue", own, shared]}
    for queue in ("Emails", "Cleanups", "SlowWebhooks"):
        has_queue = {"Fn::Not": [{"Fn::Equals": [{"Ref": f"{queue}Concurrency"}, "0"]}]}
        assert MAIN.document["Conditions"][f"{queue}HaveAQueue"] == has_queue
        pattern = MAIN.document["Parameters"][f"{queue}Concurrency"]["AllowedPattern"]
        accepted = [number for number in range(1100) if re.fullmatch(pattern, str(number))]
        assert accepted == [0, *range(2, 1001)], "SQS takes no bound of 1"


def test_an_event_of_the_clock_that_fails_is_not_tried_again() -> None:
    for function in FUNCTIONS.values():
        if any(event["Type"] == "Schedule" for event in function.get("Events", {}).values()):
            assert function["EventInvokeConfig"] == {"MaximumRetryAttempts": 0}


def test_dead_letters_are_kept_as_long_as_queues_can_and_messages_half_as_long() -> None:
    """The time of a dead letter is counted from when it was first sent: with the same time it could be gone at once."""
    for name, queue in MAIN.resources("AWS::SQS::Queue").items():
        days = 7 if "RedrivePolicy" in queue else 14
        assert queue["MessageRetentionPeriod"] == days * 24 * 3600, name
        assert queue["SqsManagedSseEnabled"] is True, name


@pytest.mark.parametrize(
    ("group", "name", "kept"),
    [
        *(("deliveries", name, f"Dead{name}") for name in ("Deliveries", "Emails", "Cleanups", "Revocations")),
        ("exporter", "Exports", "DeadExports"),
        ("inbound", "MailFeedback", "FailedMails"),
        ("sealer", "Leaves", "DeadLeaves"),
        ("packer", "Packs", "DeadPacks"),
        *(("webhook_sender", f"{lane}WebhookDeliveries", "DeadWebhookDeliveries") for lane in ("", "Slow")),
    ],
)
def test_a_message_is_hidden_longer_than_its_function_runs_and_a_dead_one_is_kept(
    group: str, name: str, kept: str
) -> None:
    assert [mapping.group for mapping in MAIN.queue_mappings() if mapping.queue == name] == [group]
    queue, mapping = MAIN.resources("AWS::SQS::Queue")[name], _of_queue(name)
    assert queue["VisibilityTimeout"] >= 6 * MAIN.timeout(group) + mapping.get("MaximumBatchingWindowInSeconds", 0)
    assert queue["RedrivePolicy"]["deadLetterTargetArn"] == {"Fn::GetAtt": [kept, "Arn"]}
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_a_ring_that_failed_or_waited_too_long_is_kept_with_the_deliveries_that_failed() -> None:
    """Which have an alarm; Lambda drops an event from its queue without a word otherwise."""
    ringer = FUNCTIONS["RingerFunction"]
    assert ringer["DeadLetterQueue"] == {"Type": "SQS", "TargetArn": {"Fn::GetAtt": ["DeadDeliveries", "Arn"]}}
    assert ringer["EventInvokeConfig"] == {"MaximumEventAgeInSeconds": RING_SECONDS, "MaximumRetryAttempts": 2}
    (policy,) = MAIN.document["Resources"]["RingerRole"]["Properties"]["Policies"]
    sends = [right for right in policy["PolicyDocument"]["Statement"] if right["Action"] == "sqs:SendMessage"]
    assert [right["Resource"] for right in sends] == [{"Fn::GetAtt": ["DeadDeliveries", "Arn"]}]


def test_a_connection_counts_as_open_when_its_handshake_cannot_go_on() -> None:
    (channel,) = MAIN.resources("AWS::Serverless::WebSocketApi").values()
    assert channel["Routes"]["$connect"]["IntegrationTimeout"] < LIVE_OPENING_SECONDS * 1000


def test_what_fails_for_good_is_kept_in_a_queue_that_wakes_somebody() -> None:
    consumed = {mapping.queue for mapping in MAIN.queue_mappings()}
    passed = MAIN.resources("AWS::CloudFormation::Stack")["Monitoring"]["Parameters"]
    alarms = STACKS["monitoring"].resources("AWS::CloudWatch::Alarm").values()
    watched = {
        alarm["Dimensions"][0]["Value"]["Ref"]
        for alarm in alarms
        if (alarm.get("MetricName"), alarm.get("Threshold")) == ("ApproximateNumberOfMessagesVisible", 0)
    }
    for name in MAIN.resources("AWS::SQS::Queue").keys() - consumed:
        assert passed[f"{name}Name"] == {"Fn::GetAtt": [name, "QueueName"]}
        assert f"{name}Name" in watched
    assert FUNCTIONS["InboundFunction"]["EventInvokeConfig"]["DestinationConfig"] == {
        "OnFailure": {"Type": "SQS", "Destination": {"Fn::GetAtt": ["FailedMails", "Arn"]}}
    }


def test_rows_to_be_logged_are_gathered_and_a_stopped_log_waits_for_its_operator() -> None:
    mapping = _of_queue("Leaves")
    assert (mapping["MaximumBatchingWindowInSeconds"], mapping["ScalingConfig"]) == (10, {"MaximumConcurrency": 2})
    queue = MAIN.resources("AWS::SQS::Queue")["Leaves"]
    assert queue["VisibilityTimeout"] * queue["RedrivePolicy"]["maxReceiveCount"] > 86_400
    assert _mapping("Schedule", "SealerFunction")["State"] == {"Fn::If": ["HasWitnesses", "ENABLED", "DISABLED"]}
