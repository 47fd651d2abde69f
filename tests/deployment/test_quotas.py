"""The templates stay within the platform's quotas and defaults, which emulators do not have."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from infra.deployment import quota_counts, quotas
from infra.stack.template import ROOT, Template

TEMPLATES = quotas.templates()


@pytest.mark.parametrize("quota", quotas.QUOTAS, ids=lambda quota: f"{quota.service}: {quota.rule}")
def test_no_quota_is_exceeded_and_each_counts_something(quota: quotas.Quota) -> None:
    assert quota.exceeded(TEMPLATES) == []
    assert quota.used(TEMPLATES)[0]


def _more_filters(resources: dict[str, Any]) -> None:
    filters = resources["EventsFunction"]["Properties"]["Events"]["Outbox"]["Properties"]["FilterCriteria"]["Filters"]
    filters.append(filters[0])


def _stops_loops(resources: dict[str, Any]) -> None:
    del resources["PackerFunction"]["Properties"]["RecursiveLoop"]


def _shows_messages_early(resources: dict[str, Any]) -> None:
    resources["Exports"]["Properties"]["VisibilityTimeout"] = 300


def _logs_the_live_channel(resources: dict[str, Any]) -> None:
    channel = resources["LiveChannel"]["Properties"]
    channel["AccessLogSettings"] = channel["AccessLogSettings"]["Fn::If"][1]


def _traces_the_live_channel(resources: dict[str, Any]) -> None:
    resources["LiveChannel"]["Properties"]["DefaultRouteSettings"]["LoggingLevel"] = "INFO"


def _sets_the_role_of_the_account(resources: dict[str, Any]) -> None:
    resources["Account"] = {"Type": "AWS::ApiGateway::Account", "Properties": {}}


def _names_the_budget(resources: dict[str, Any]) -> None:
    resources["Budget"]["Properties"]["Budget"]["BudgetName"] = {"Fn::Sub": "board-governance-${Stage}"}


def _describes_itself(resources: dict[str, Any]) -> None:
    resources["LiveFunction"]["Properties"]["Description"] = "The live channel."


def _forgets_the_window(resources: dict[str, Any]) -> None:
    resources["Leaves"]["Properties"]["VisibilityTimeout"] = 120


def _keeps_messages_as_long_as_dead_letters(resources: dict[str, Any]) -> None:
    resources["Packs"]["Properties"]["MessageRetentionPeriod"] = 1_209_600


def _watches_too_much(resources: dict[str, Any]) -> None:
    resources["LiveFunction"]["Properties"]["DeploymentPreference"]["Alarms"]["Fn::If"][1] *= 6


@pytest.mark.parametrize(
    ("change", "rule", "name"),
    [
        (_logs_the_live_channel, "logs by a role", "LiveChannel"),
        (_traces_the_live_channel, "logs by a role", "LiveChannel"),
        (_sets_the_role_of_the_account, "logs by a role", "AWS::ApiGateway::Account"),
        (_names_the_budget, "fixed names", "Budget.NotificationsWithSubscribers"),
        (_describes_itself, "versions that could equal", "LiveFunction"),
        (_forgets_the_window, "queues hiding too briefly", "Leaves"),
        (_keeps_messages_as_long_as_dead_letters, "dead letters", "Packs"),
        (_watches_too_much, "alarms of a group", "LiveFunction"),
        (_more_filters, "filters of a mapping", "EventsFunction"),
        (_stops_loops, "loops that are stopped", "PackerFunction"),
        (_shows_messages_early, "queues hiding too briefly", "Exports"),
    ],
)
def test_what_an_account_refuses_is_found(change: Callable[[dict[str, Any]], None], rule: str, name: str) -> None:
    service = Template()
    service.document = copy.deepcopy(service.document)
    change(service.document["Resources"])
    (quota,) = [quota for quota in quotas.QUOTAS if quota.rule.startswith(rule)]
    assert quota.exceeded(TEMPLATES | {"service": service}) == [name]


def test_secrets_take_at_most_fifty_references_in_either_form_of_sign_in() -> None:
    """A template may have sixty: a few functions more must fit."""
    used = dict(quota_counts.dynamic_references(TEMPLATES))
    assert 20 < used["service with a key set"] < used["service with a shared secret"] <= 50


def test_a_secret_that_is_made_of_others_takes_their_length_in_an_environment() -> None:
    apart = Template()
    apart.document = copy.deepcopy(apart.document)
    del apart.document["Resources"]["RequestSecrets"]["Properties"]["SecretString"]
    together = dict(quota_counts.environment_bytes(TEMPLATES))
    alone = dict(quota_counts.environment_bytes(TEMPLATES | {"service": apart}))
    assert together["boards"] - alone["boards"] >= 4 * 64
    assert together["sealer"] == alone["sealer"]


def test_a_condition_on_what_eventbridge_publishes_is_found() -> None:
    monitoring = Template(ROOT / "infra/monitoring/template.yaml")
    for statement in monitoring.resources("AWS::SNS::TopicPolicy")["Senders"]["PolicyDocument"]["Statement"]:
        statement["Condition"] = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
    (quota,) = [quota for quota in quotas.QUOTAS if quota.rule.startswith("conditions on what")]
    assert quota.exceeded(TEMPLATES | {"monitoring": monitoring}) == ["Senders"]


def test_each_rule_says_its_source_and_whether_it_was_documented_or_seen() -> None:
    lines = quotas.table(TEMPLATES).splitlines()
    assert len(lines) == len(quotas.QUOTAS)
    assert all(
        ("; documented: docs.aws.amazon.com/" in line) != ("; seen: docs.aws.amazon.com/" in line) for line in lines
    )


def test_only_functions_that_feed_themselves_may_loop() -> None:
    functions = TEMPLATES["service"].resources("AWS::Serverless::Function")
    allowed = {name for name, body in functions.items() if body.get("RecursiveLoop") == "Allow"}
    assert allowed == quota_counts.feeding_themselves(TEMPLATES["service"])
    assert allowed == {
        *("DeliveriesFunction", "ExporterFunction", "MinutesFilesFunction", "PackerFunction"),
        "WebhookSenderFunction",
    }
