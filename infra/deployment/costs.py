"""What an installation costs without any request, counted in the templates. infra/RUNBOOK.md has the same table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from governance.store.schema.jobs import due_partitions
from infra.stack.template import Template

SECONDS = 365 * 24 * 3600 / 12
"""Seconds of a month."""
_POLLERS = 5
"""Pollers of a queue with a maximum concurrency: Lambda never uses fewer, and each waits 20 seconds for messages."""
_POLL_SECONDS = 20
SIGN = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True)
class Cost:
    """A line of the bill: what it is for, the arithmetic, and US dollars a month at the prices of us-east-1."""

    what: str
    arithmetic: str
    dollars: float


def idle(service: Template, firewall: Template, monitoring: Template) -> list[Cost]:
    """Returns the costs of a month without requests, with every alarm and without a user pool or received mail."""
    (acl,) = firewall.resources("AWS::WAFv2::WebACL").values()
    rules = len(acl["Rules"])
    of_downloads = 1  # which `make deploy` makes
    secrets = len(service.resources("AWS::SecretsManager::Secret")) + of_downloads
    alarms = sum(_alarm_metrics(monitoring)) + sum(_alarm_metrics(firewall))
    queues = sum(not mapping.optional for mapping in service.queue_mappings())
    polls = queues * _POLLERS * SECONDS / _POLL_SECONDS / 1e6
    (schedule,) = [entry for entry in service.schedules() if entry.group != "sealer"]  # whose clock only witnesses need
    runs = SECONDS / schedule.seconds / 1e6
    units = len(due_partitions())  # a consistent query that finds nothing takes one
    return [
        Cost("firewall", f"5.00 + {rules} rules * 1.00", 5 + rules),
        Cost("alarms", f"{alarms} metrics * 0.10", alarms * 0.10),
        Cost("heartbeat of the clock", "1 metric * 0.30", 0.30),
        Cost("secrets", f"{secrets} * 0.40", secrets * 0.40),
        Cost("keys of the webhooks' secrets, of the log and of the seals", "3 * 1.00", 3),
        Cost(
            "polling of the queues", f"{queues} queues * {_POLLERS} pollers, {polls:.2f} M calls * 0.40/M", polls * 0.40
        ),
        Cost(
            "clock of what is due",
            f"{runs:.3f} M runs * (0.20/M + 30 ms * 0.0000133334/s + {units} units * 0.125/M"
            " + 0.5 KB of logs * 0.50/GB)",
            runs * (0.20 + 0.030 * 13.3334 + units * 0.125 + 0.5 * 0.50),
        ),
    ]


def _alarm_metrics(template: Template) -> Iterator[int]:
    """Yields the number of metrics of each alarm that is there by default; an alarm is paid for by its metrics."""
    for name, alarm in template.resources("AWS::CloudWatch::Alarm").items():
        if template.document["Resources"][name].get("Condition") == "IsCheckedFromOutside":
            continue
        yield len([metric for metric in alarm.get("Metrics", []) if "MetricStat" in metric]) or 1


def table(costs: list[Cost]) -> str:
    """Returns the rows of a Markdown table, with the sum."""
    lines = [f"| {cost.what} | {cost.arithmetic.replace('*', SIGN)} | {cost.dollars:.2f} |" for cost in costs]
    return "\n".join([*lines, f"| **sum** | | **{total(costs):.2f}** |"])


def total(costs: list[Cost]) -> float:
    """Returns the sum of costs in US dollars."""
    return sum(cost.dollars for cost in costs)
