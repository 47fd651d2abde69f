"""What a change of each property of the templates does: it is made in place, replaces its resource, or is refused.

Run as a program, it prints the list. The schemas of CloudFormation, as cfn-lint has them, say which properties are
fixed when a resource is made. `make deploy` warns of those that a changed parameter reaches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from sysconfig import get_path
from typing import Any

from infra.deployment import parameters
from infra.stack.template import ROOT, Template

SERVICE = "service"
NESTED = {
    "Backup": "backup",
    "Cdn": "cdn",
    "Downloads": "downloads",
    "Inbound": "inbound",
    "Monitoring": "monitoring",
    "UserPoolStack": "user_pool",
}
"""The stacks in the service's: the folder of each by its logical id."""
FIREWALL = {"Firewall": "firewall"}
_SCHEMAS = Path(get_path("purelib"), "cfnlint/data/schemas")
_OF_SAM = {
    "AWS::Serverless::Function": "AWS::Lambda::Function",
    "AWS::Serverless::LayerVersion": "AWS::Lambda::LayerVersion",
    "AWS::Serverless::WebSocketApi": "AWS::ApiGatewayV2::Api",
}
SINGLE = frozenset({"AWS::Cognito::UserPoolDomain"})
"""Resources of which their owner has one: a second, which a replacement makes first, is refused."""


THERE = "being there"
"""The path of a change that removes a resource whose condition ceases to hold."""
_HOLD_NOTHING = ("AWS::CloudWatch::", "AWS::IAM::", "AWS::SNS::Subscription")


class Effect(StrEnum):
    """What a change of a property does."""

    IN_PLACE = "is made in place"
    MAY_REPLACE = "may replace it"
    REPLACES = "replaces it"
    REMOVES = "removes it"
    REFUSED = "is refused"


@dataclass(frozen=True)
class Change:
    """A property of a resource of a stack, what a change of it does, and the parameters that can change it."""

    stack: str
    resource: str
    kind: str
    path: str
    effect: Effect
    parameters: frozenset[str] = field(default_factory=frozenset)

    def sentence(self) -> str:
        """Returns the warning about a change of one of the parameters."""
        by, what = ", ".join(sorted(self.parameters)), f"{self.resource} ({self.kind}, {self.stack})"
        change = f"removing {what}" if self.path == THERE else f"a change of {self.path} of {what}"
        return {
            Effect.REFUSED: f"{by}: {change} is refused, and the deployment is rolled back (infra/RUNBOOK.md).",
            Effect.REPLACES: f"{by}: {change} replaces it: what it held, and its address, are gone.",
            Effect.REMOVES: f"{by}: {what} is removed, with what it holds, unless its own stack retains that.",
        }.get(self.effect, f"{by}: {change} {self.effect}.")


def templates() -> dict[str, Template]:
    """Returns the templates of the service's stack, of those nested in it, and of the firewall's, by name."""
    beside = {name: Template(ROOT / f"infra/{folder}/template.yaml") for name, folder in (NESTED | FIREWALL).items()}
    return {SERVICE: Template(), **beside}


@cache
def schema(kind: str) -> Mapping[str, Any]:
    """Returns the schema of a type of resource; an empty one for a type that has none."""
    files = json.loads((_SCHEMAS / "providers/eu-west-1.json").read_text(encoding="utf-8"))
    name = files.get(_OF_SAM.get(kind, kind))
    found: Mapping[str, Any] = json.loads((_SCHEMAS / f"resources/{name}.json").read_text()) if name else {}
    return found


def _paths(kind: str, member: str) -> set[str]:
    return {path.removeprefix("/properties/") for path in schema(kind).get(member, [])}


def _given(body: Any, path: str) -> Any:
    """Returns what a resource has at a path such as `Budget/BudgetName`; None without it."""
    for part in path.split("/"):
        body = body.get(part) if isinstance(body, dict) else None
    return body


def _identity(kind: str, body: Mapping[str, Any]) -> set[str]:
    """Returns the properties that name a resource, where its template names it: two cannot have the same."""
    own = kind.rpartition("::")[2]
    named = {path for path in _paths(kind, "createOnlyProperties") if path.rpartition("/")[2] in {"Name", f"{own}Name"}}
    identifier = _paths(kind, "primaryIdentifier")
    whole = identifier if identifier <= _paths(kind, "createOnlyProperties") else set()
    return {path for path in named | whole if _given(body, path) is not None}


def _effects(resource: Mapping[str, Any]) -> Iterator[tuple[str, Effect]]:
    kind, body = resource["Type"], resource.get("Properties", {})
    fixed, identity = _paths(kind, "createOnlyProperties"), _identity(kind, resource.get("Properties", {}))
    protected = resource.get("UpdateReplacePolicy") == "Retain" or kind in SINGLE
    for path in sorted({*body, *(path for path in fixed if _given(body, path) is not None)}):
        if path in fixed:
            taken = bool(identity) and path not in identity
            yield path, Effect.REFUSED if protected or taken else Effect.REPLACES
        elif path in _paths(kind, "conditionalCreateOnlyProperties"):
            yield path, Effect.MAY_REPLACE
        else:
            yield path, Effect.IN_PLACE


class _Reach:
    """Which parameters of the installation can change a value of a template."""

    def __init__(self, by_stack: Mapping[str, Template]) -> None:
        self._by_stack = by_stack
        self._asked: set[tuple[str, str]] = set()

    def of(self, stack: str, value: Any) -> frozenset[str]:  # noqa: C901 - a case for each of CloudFormation's functions
        """Returns the parameters that a value of a stack's template depends on."""
        match value:
            case {"Ref": str(name)}:
                return self._named(stack, name)
            case {"Fn::GetAtt": [name, attribute]}:
                return self._named(stack, f"{name}.{attribute}")
            case {"Condition": str(name)}:
                return self.of(stack, self._by_stack[stack].document["Conditions"][name])
            case {"Fn::If": [condition, *branches]}:
                return self.of(stack, {"Condition": condition}) | self.of(stack, branches)
            case {"Fn::Sub": str(text)}:
                return self._text(stack, text, ())
            case {"Fn::Sub": [text, given]}:
                return self._text(stack, text, given) | self.of(stack, list(given.values()))
            case dict():
                return self.of(stack, list(value.values()))
            case list():
                return frozenset().union(*(self.of(stack, part) for part in value))
        return frozenset()

    def _text(self, stack: str, text: str, given: Collection[str]) -> frozenset[str]:
        names = [name for name in re.findall(r"\$\{([\w.:]+)\}", text) if name not in given]
        return frozenset().union(*(self._named(stack, name) for name in names))

    def _named(self, stack: str, name: str) -> frozenset[str]:
        """Returns what a parameter, a resource or an attribute depends on; a resource changes when it is replaced."""
        if (stack, name) in self._asked:
            return frozenset()
        self._asked.add((stack, name))
        try:
            return self._found(stack, *name.split(".", 1))
        finally:
            self._asked.discard((stack, name))

    def _found(self, stack: str, name: str, attribute: str = "") -> frozenset[str]:
        document = self._by_stack[stack].document
        if name in document.get("Parameters", {}):
            return self._passed(stack, name) if stack in NESTED else frozenset({name})
        if attribute.startswith("Outputs.") and name in self._by_stack:
            return self.of(name, self._by_stack[name].document["Outputs"][attribute.removeprefix("Outputs.")]["Value"])
        resource = document["Resources"].get(name)
        if resource is None:
            return frozenset()
        replacing = [path for path, effect in _effects(resource) if effect is not Effect.IN_PLACE]
        return frozenset().union(*(self.of(stack, _given(resource["Properties"], path)) for path in replacing))

    def _passed(self, stack: str, name: str) -> frozenset[str]:
        given = self._by_stack[SERVICE].document["Resources"][stack]["Properties"]["Parameters"].get(name)
        return self.of(SERVICE, given)


def listed(by_stack: Mapping[str, Template]) -> Iterator[Change]:
    """Yields every property of every resource, with what a change of it does and the parameters that reach it."""
    reach = _Reach(by_stack)
    for stack, template in by_stack.items():
        for name, resource in template.document["Resources"].items():
            for path, effect in _effects(resource):
                reached = reach.of(stack, _given(resource["Properties"], path))
                yield Change(stack, name, resource["Type"], path, effect, reached)


def removals(by_stack: Mapping[str, Template]) -> Iterator[Change]:
    """Yields the resources that a parameter could remove, but for those that hold nothing.

    The policy of the stack refuses to remove what is protected.
    """
    reach = _Reach(by_stack)
    for stack in (SERVICE, *FIREWALL):
        for name, resource in by_stack[stack].document["Resources"].items():
            if "Condition" in resource and not resource["Type"].startswith(_HOLD_NOTHING):
                effect = Effect.REFUSED if resource.get("UpdateReplacePolicy") == "Retain" else Effect.REMOVES
                reached = reach.of(stack, {"Condition": resource["Condition"]})
                yield Change(stack, name, resource["Type"], THERE, effect, reached)


def removed(by_stack: Mapping[str, Template], before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Change]:
    """Yields what is there with the parameters of `before`, and not with those of `after`."""
    for change in removals(by_stack):
        template = by_stack[change.stack]
        condition = template.document["Resources"][change.resource]["Condition"]
        if parameters.holds(condition, before, template) and not parameters.holds(condition, after, template):
            yield change


def reached(by_stack: Mapping[str, Template], changed: Collection[str]) -> Iterator[Change]:
    """Yields what changed parameters replace or are refused; what is made in place needs no word."""
    for change in listed(by_stack):
        if change.effect is not Effect.IN_PLACE and change.parameters & set(changed):
            yield change


def main() -> None:
    """Prints the list: stack, resource and property, what a change does, and the parameters that reach it."""
    by_stack = templates()
    for change in [*listed(by_stack), *removals(by_stack)]:
        by = f" ({', '.join(sorted(change.parameters))})" if change.parameters else ""
        print(f"{change.stack} {change.resource}.{change.path} {change.effect}{by}")


if __name__ == "__main__":
    main()
