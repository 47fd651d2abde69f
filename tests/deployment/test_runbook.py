"""The runbook says what the templates say: parameters, costs, alarms."""

import re

from infra.deployment import costs
from infra.deployment.parameters import OWN
from infra.stack.template import ROOT
from tests.contract.templates import MAIN, STACKS

TEXT = (ROOT / "infra/RUNBOOK.md").read_text()
IDLE = costs.idle(MAIN, STACKS["firewall"], STACKS["monitoring"])


def test_the_costs_without_requests_are_what_the_templates_have() -> None:
    assert costs.table(IDLE) in TEXT
    assert f"| idle, a month | {costs.total(IDLE):.2f} |" in TEXT


def test_the_sum_of_a_month_is_right() -> None:
    figures = dict(
        re.findall(r"^\| (idle|a million requests that \w+|a month with)[^|]*\| ([\d.]+) \|$", TEXT, re.MULTILINE)
    )
    reads, writes = (float(figures[f"a million requests that {verb}"]) for verb in ("read", "write"))
    assert abs(float(figures["idle"]) + 0.9 * reads + 0.1 * writes - float(figures["a month with"])) < 0.01


def test_every_parameter_is_explained() -> None:
    rows = re.findall(r"^\| (`[A-Z]\w+`(?:, `\w+`)*) \| ", TEXT, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert MAIN.document["Parameters"].keys() - set(OWN) <= explained


def test_every_alarm_is_explained() -> None:
    for stack in ("monitoring", "firewall"):
        for alarm in STACKS[stack].resources("AWS::CloudWatch::Alarm").values():
            name = alarm["AlarmName"]["Fn::Sub"].removeprefix("board-governance-${Stage}-")
            assert f"`{name}`" in TEXT


def test_the_runbook_names_what_wakes_somebody() -> None:
    told = re.search(r"these wake somebody:([^.]+)\.", TEXT)
    assert told
    alarms = STACKS["monitoring"].resources("AWS::CloudWatch::Alarm").values()
    urgent = [alarm for alarm in alarms if alarm["AlarmActions"] == [{"Ref": "Alarms"}]]
    names = {alarm["AlarmName"]["Fn::Sub"].removeprefix("board-governance-${Stage}-") for alarm in urgent}
    assert set(re.findall(r"`([\w-]+)`", told[1])) == names


def test_the_commands_of_a_release_and_of_redriving_are_there() -> None:
    targets = (ROOT / "Makefile").read_text()
    for target in ("deploy", "take-back", "rehearse", "verify", "undeploy"):
        assert f"make {target}" in TEXT
        assert f"\n{target}:" in targets
    (names,) = re.findall(r"for each in ([A-Za-z ]+); do", TEXT)
    assert {f"{name}QueueUrl" for name in names.split()} <= MAIN.document["Outputs"].keys()
    firewall = {"EdgeLogs", "OutsideCheck", "RateLimitCatalog"}
    assert all(f"`{name}`" in TEXT for name in firewall)
