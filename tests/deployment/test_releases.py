"""What the descriptions of functions say: the release, and the one that was called before it."""

from __future__ import annotations

from pathlib import Path

from infra.deployment import releases
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
