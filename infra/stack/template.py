"""What programs read from template.yaml: routes, functions, environment, table, stream, queues; the only copy."""

from __future__ import annotations

import json
from collections import ChainMap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEFAULT_ROUTE = "$default"
_SECRET, SHARED_SECRETS = "AWS::SecretsManager::Secret", "REQUEST_SECRETS"
_ABSENT = {"Ref": "AWS::NoValue"}


class _Loader(yaml.CSafeLoader):
    """Loads YAML with the short forms of CloudFormation's functions."""


def _function_tag(loader: yaml.Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    """Returns the long form of a function: `!Sub x` becomes `{"Fn::Sub": x}`."""
    name = suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
        return {name: value.split(".", 1) if suffix == "GetAtt" else value}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)  # noqa: S101 - YAML has no fourth kind of node
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _function_tag)


@cache
def _parsed(text: str) -> dict[str, Any]:
    """Returns the document of a template. Programs and tests read the same few again and again."""
    loader = _Loader(text)
    try:
        document: dict[str, Any] = loader.get_single_data()
    finally:
        loader.dispose()
    return document


@dataclass(frozen=True)
class Route:
    """A route of the HTTP API.

    `method` may be ANY, `path` is a pattern or `$default`, and `group` names the folder of the function.
    """

    method: str
    path: str
    group: str

    @property
    def key(self) -> str:
        """The route key in events."""
        return self.path if self.path == DEFAULT_ROUTE else f"{self.method} {self.path}"


@dataclass(frozen=True)
class StreamMapping:
    """How the table's stream is delivered to a function: batch size, attempts per record, and filter patterns."""

    group: str
    batch_size: int
    attempts: int
    patterns: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class QueueMapping:
    """How a queue is delivered to a function: the queue's logical id and the batch size.

    An `optional` one is polled where a parameter says so.
    """

    group: str
    queue: str
    batch_size: int
    optional: bool = False


@dataclass(frozen=True)
class Schedule:
    """How often a function is invoked by the clock."""

    group: str
    seconds: int


class Template:
    """The parsed template of the stack."""

    def __init__(self, path: Path = ROOT / "template.yaml") -> None:
        self.document = _parsed(path.read_text(encoding="utf-8"))

    def resources(self, kind: str) -> dict[str, dict[str, Any]]:
        """Returns the properties of every resource of a type, by logical id."""
        resources: dict[str, dict[str, Any]] = self.document["Resources"]
        return {name: body.get("Properties", {}) for name, body in resources.items() if body["Type"] == kind}

    def functions(self) -> dict[str, str]:
        """Returns the group of each function, by logical id."""
        functions = self.resources("AWS::Serverless::Function")
        return {name: Path(body["CodeUri"]).name for name, body in functions.items()}

    def routes(self) -> list[Route]:
        """Returns every route of the HTTP API."""
        return [self._route(body) for body in self.resources("AWS::ApiGatewayV2::Route").values()]

    def _route(self, body: dict[str, Any]) -> Route:
        integration = body["Target"]["Fn::Sub"].removeprefix("integrations/${").removesuffix("}")
        uri = self.resources("AWS::ApiGatewayV2::Integration")[integration]["IntegrationUri"]["Fn::Sub"]
        function = uri.removesuffix("}:live").rpartition("${")[2]
        method, _, path = body["RouteKey"].rpartition(" ")
        return Route(method or "ANY", path, self.functions()[function])

    def environment(self, group: str | None = None) -> dict[str, Any]:
        """Returns the environment variables of every function, or all of those of one group's function."""
        variables: dict[str, Any] = self.document["Globals"]["Function"]["Environment"]["Variables"]
        own = (
            body.get("Environment", {}).get("Variables", {})
            for name, body in self.resources("AWS::Serverless::Function").items()
            if self.functions()[name] == group
        )
        return {name: value for name, value in ChainMap(*own, variables).items() if value != _ABSENT}

    def secrets(self, group: str) -> set[str]:
        """Returns the names of all variables and shared secrets that a group's function is given."""
        named = set(self.environment(group))
        (shared,) = (body["SecretString"] for body in self.resources(_SECRET).values() if "SecretString" in body)
        return named | (set(json.loads(shared["Fn::Sub"][0])) if SHARED_SECRETS in named else set())

    def timeout(self, group: str) -> int:
        """Returns the seconds after which a group's function is stopped."""
        (name,) = [name for name, function_group in self.functions().items() if function_group == group]
        shared: int = self.document["Globals"]["Function"]["Timeout"]
        seconds: int = self.resources("AWS::Serverless::Function")[name].get("Timeout", shared)
        return seconds

    def table(self) -> dict[str, Any]:
        """Returns the properties of the table."""
        (properties,) = self.resources("AWS::DynamoDB::Table").values()
        return properties

    def stream_mappings(self) -> list[StreamMapping]:
        """Returns the functions that the table's stream invokes."""
        functions = self.resources("AWS::Serverless::Function")
        return [
            _stream_mapping(self.functions()[name], event["Properties"])
            for name, body in functions.items()
            for event in body.get("Events", {}).values()
            if event["Type"] == "DynamoDB"
        ]

    def schedules(self) -> list[Schedule]:
        """Returns the functions that the clock invokes, with the seconds between two invocations."""
        functions = self.resources("AWS::Serverless::Function")
        return [
            Schedule(self.functions()[name], _seconds(event["Properties"]["Schedule"]))
            for name, body in functions.items()
            for event in body.get("Events", {}).values()
            if event["Type"] == "Schedule"
        ]

    def queue_mappings(self) -> list[QueueMapping]:
        """Returns the functions that a queue invokes."""
        functions = self.resources("AWS::Serverless::Function")
        return [
            QueueMapping(
                self.functions()[name],
                event["Properties"]["Queue"]["Fn::GetAtt"][0],
                event["Properties"]["BatchSize"],
                "Enabled" in event["Properties"],
            )
            for name, body in functions.items()
            for event in body.get("Events", {}).values()
            if event["Type"] == "SQS"
        ]


def _seconds(rate: str) -> int:
    """Returns the seconds of a schedule such as `rate(1 minute)`."""
    number, unit = rate.removeprefix("rate(").removesuffix(")").split()
    return int(number) * {"minute": 60, "hour": 3600, "day": 86400}[unit.removesuffix("s")]


def _stream_mapping(group: str, properties: dict[str, Any]) -> StreamMapping:
    filters = properties.get("FilterCriteria", {}).get("Filters", [])
    patterns = tuple(yaml.safe_load(entry["Pattern"]) for entry in filters)
    return StreamMapping(group, properties["BatchSize"], properties["MaximumRetryAttempts"] + 1, patterns)
