"""The templates stay within the platform's quotas and defaults, which emulators do not have."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from infra.deployment import quota_counts, quotas
from infra.stack.template import Template

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


@pytest.mark.parametrize(
    ("change", "rule", "name"),
    [
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


def test_only_functions_that_feed_themselves_may_loop() -> None:
    functions = TEMPLATES["service"].resources("AWS::Serverless::Function")
    allowed = {name for name, body in functions.items() if body.get("RecursiveLoop") == "Allow"}
    assert allowed == quota_counts.feeding_themselves(TEMPLATES["service"])
    assert allowed == {"DeliveriesFunction", "ExporterFunction", "PackerFunction", "WebhookSenderFunction"}
