"""What the descriptions of functions say: the release, and the one that was called before it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from infra.deployment import checks, releases
from infra.stack.template import ROOT, Template
from tests.deployment.account import AliasedFunctions, name_of


def description(template: Path) -> str:
    return str(Template(template).document["Globals"]["Function"]["Description"]["Fn::Sub"])


def test_a_changed_template_or_parameter_publishes_every_function_anew(tmp_path: Path) -> None:
    """SAM hashes references, not values: without this, a changed parameter would reach nobody."""
    built = tmp_path / "template.yaml"
    built.write_text((ROOT / "template.yaml").read_text())

    def described(**parameters: str) -> str:
        return description(releases.write(built, parameters, None))

    first = described(RateLimitFlood="150")
    assert first == described(RateLimitFlood="150")
    assert not first.endswith("release 0")
    assert described(RateLimitFlood="151") != first
    built.write_text(built.read_text() + "# another release\n")
    assert described(RateLimitFlood="150") != first


def test_a_release_names_the_one_that_is_called_and_the_same_again_changes_nothing(tmp_path: Path) -> None:
    """Otherwise a deployment without a change would publish versions."""
    built = tmp_path / "template.yaml"
    built.write_text((ROOT / "template.yaml").read_text())

    def deployed(now: releases.Release | None, **parameters: str) -> releases.Release:
        named = releases.named(description(releases.write(built, parameters, now)))
        assert named is not None
        return named

    first = deployed(None, RateLimitFlood="150")
    assert first.before == ""
    second = deployed(first, RateLimitFlood="151")
    assert second.before == first.digest
    assert deployed(second, RateLimitFlood="151") == second


def test_a_release_that_was_rolled_back_is_published_under_another_name(tmp_path: Path) -> None:
    """Lambda publishes nothing that equals the last version, which a deployment that was rolled back has left."""
    built = tmp_path / "template.yaml"
    built.write_text((ROOT / "template.yaml").read_text())
    now = releases.Release("1" * 12, "")

    def deployed(*newest: releases.Release) -> releases.Release:
        named = releases.named(description(releases.write(built, {}, now, newest)))
        assert named is not None
        return named

    first = deployed()
    second = deployed(first)
    assert (second.digest, second.before, second.tries) == (first.digest, first.before, 2)
    assert str(second) != str(first)
    third = deployed(second, now, first)
    assert third.tries == 3, "of some functions the last version is that of an earlier try"
    assert deployed(releases.Release("2" * 12, "")) == first
    now = third
    assert deployed(third) == third, "what is called is deployed again without a change"


class Functions(AliasedFunctions):
    """A stack with three functions; the last release created one of them and was taken back."""

    def __init__(self) -> None:
        self.descriptions = dict.fromkeys("ab", "boards, release 111111111111") | {"c": "release 222222222222"}
        super().__init__(*self.descriptions)

    def get_function_configuration(self, **asked: str) -> dict[str, str]:
        assert asked["Qualifier"] == "live"
        return {"Description": self.descriptions[name_of(asked["FunctionName"])]}


def test_the_release_that_is_called_is_that_of_most_functions() -> None:
    assert releases.called(Functions(), "boards") == releases.Release("111111111111", "")


class Versions(Functions):
    """The same stack, with the versions that its functions have and what their aliases lead to."""

    def __init__(self, **called: str) -> None:
        super().__init__()
        self.called = dict.fromkeys("abc", "7") | called
        self._entries += [
            entry | {"ResourceType": "AWS::Lambda::Version", "PhysicalResourceId": f"{function}:7"}
            for entry in self._entries
            for function in [entry["PhysicalResourceId"].rpartition(":")[0]]
        ]

    def get_paginator(self, operation: str) -> Any:
        if operation == "list_stack_resources":
            return super().get_paginator(operation)
        return SimpleNamespace(
            paginate=lambda **request: [{"Versions": self._versions(name_of(request["FunctionName"]))}]
        )

    def _versions(self, function: str) -> list[dict[str, str]]:
        described = {"6": "release 000000000000", "7": self.descriptions[function], "$LATEST": "release 333333333333"}
        return [{"Version": version, "Description": text} for version, text in described.items()]

    def get_alias(self, **asked: str) -> dict[str, str]:
        return {"FunctionVersion": self.called[name_of(asked["FunctionName"])]}


def test_the_newest_versions_say_what_was_published_last() -> None:
    of_stack = {releases.Release("111111111111", ""), releases.Release("222222222222", "")}
    assert releases.published(Versions(), "boards") == of_stack


def test_a_function_is_taken_back_if_its_alias_does_not_lead_to_the_version_of_the_stack() -> None:
    assert releases.taken_back(Versions(), "boards") == []
    assert [name_of(function) for function in releases.taken_back(Versions(b="6"), "boards")] == ["b"]


def test_a_gradual_release_does_not_begin_where_functions_were_taken_back() -> None:
    def findings(sdk: Any, gradual: str) -> list[bool]:
        checked = checks.Installation(sdk, "boards", {"GradualRelease": gradual})
        return [finding.stops for finding in checks.gradual(checked)]

    assert findings(Versions(b="6"), "true") == [True]
    assert findings(Versions(b="6"), "false") == findings(Versions(), "true") == []
