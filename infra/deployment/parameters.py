"""The parameters of an installation: a file with lines `Name=Value`, as `sam deploy` takes them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from infra.stack.template import Template

OWN = ("WebAclArn", "Region", "Host", "DistributionId", "DownloadKeyA", "DownloadKeyB", "DownloadKeyArn")
"""Parameters that `make deploy` sets itself."""
FIREWALL = ("Stage", "RateLimitCatalog", "AlarmEmail", "EdgeLogs", "OutsideCheck")
"""Parameters that the firewall's stack takes from the file."""


class ParametersError(Exception):
    """The file cannot be used; the text says what to change."""


def read(file: Path) -> dict[str, str]:
    """Returns the parameters of a file, each with everything after its `=`. Raises `ParametersError`."""
    if not file.exists():
        raise ParametersError(
            f"The file {file} with the stack's parameters does not exist. infra/RUNBOOK.md shows one."
        )
    values: dict[str, str] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, separator, value = (part.strip() for part in line.partition("="))
        if not separator:
            raise ParametersError(f"{file}, line {number}: write Name=Value.")
        values[name] = value
    return values


def with_defaults(given: Mapping[str, str], service: Template, firewall: Template) -> dict[str, str]:
    """Returns the parameters of both stacks with the defaults of those that the file does not name."""
    declared = firewall.document["Parameters"] | service.document["Parameters"]
    return {name: str(body["Default"]) for name, body in declared.items() if "Default" in body} | dict(given)


def problems(given: Mapping[str, str], service: Template, firewall: Template) -> Iterator[str]:
    """Yields a sentence for each parameter that CloudFormation would refuse, by itself or by the template's rules."""
    declared = {name: firewall.document["Parameters"][name] for name in FIREWALL} | service.document["Parameters"]
    settable = declared.keys() - set(OWN)
    yield from (f"There is no parameter {name}." for name in sorted(given.keys() - settable))
    known = with_defaults(given, service, firewall)
    yield from (f"{name} is missing." for name in sorted(settable) if name not in known)
    for name in sorted(given.keys() & settable):
        yield from _refused(name, given[name], declared[name])
    for rule in service.document["Rules"].values():
        if _value(rule.get("RuleCondition", True), known, {}):
            broken = [entry for entry in rule["Assertions"] if not _value(entry["Assert"], known, {})]
            yield from (entry["AssertDescription"] for entry in broken)


def _refused(name: str, value: str, declaration: Mapping[str, object]) -> Iterator[str]:
    allowed, pattern = declaration.get("AllowedValues"), declaration.get("AllowedPattern")
    if isinstance(allowed, list) and value not in map(str, allowed):
        yield f"{name} must be one of {', '.join(str(choice) or '(empty)' for choice in allowed)}."
    if isinstance(pattern, str) and not re.fullmatch(pattern, value):
        yield f"{name} has a value that the template does not accept: {declaration['Description']}"
    if declaration["Type"] == "Number":
        least, most = float(str(declaration.get("MinValue", 0))), float(str(declaration.get("MaxValue", math.inf)))
        if not re.fullmatch(r"\d+(\.\d+)?", value):
            yield f"{name} must be a number."
        elif not least <= float(value) <= most:
            yield f"{name} must be {least:g} or more{'' if math.isinf(most) else f', and {most:g} at most'}."


def holds(condition: str, known: Mapping[str, str], template: Template) -> bool:
    """Returns whether a condition of a template holds with these parameters."""
    return bool(_value({"Condition": condition}, known, template.document["Conditions"]))


def _value(expression: Any, known: Mapping[str, str], conditions: Mapping[str, Any]) -> Any:
    """Returns what an expression of a template's rules or conditions is, with the functions that they use."""
    match expression:
        case {"Ref": name}:
            return known.get(name, "")
        case {"Condition": str(name)}:
            return _value(conditions[name], known, conditions)
        case {"Fn::Equals": [one, other]}:
            return str(_value(one, known, conditions)) == str(_value(other, known, conditions))
        case {"Fn::Not": [part]}:
            return not _value(part, known, conditions)
        case {"Fn::And": parts}:
            return all(_value(part, known, conditions) for part in parts)
        case {"Fn::Or": parts}:
            return any(_value(part, known, conditions) for part in parts)
        case dict():
            raise ValueError(f"no function is known of {expression}")
    return expression


def overrides(given: Mapping[str, str]) -> list[str]:
    """Returns the arguments of `sam deploy --parameter-overrides`. It cuts an unquoted value off at its first blank."""
    return [f'{name}="{_escaped(value)}"' for name, value in given.items()]


def _escaped(value: str) -> str:
    return value.replace('"', '\\"')
