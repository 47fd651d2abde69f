"""`make take-back`: what is called goes back by one version, in every function that has one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from infra.deployment.deploy import StepFailed
from infra.deployment.take_back import take_back
from tests.deployment.account import AliasedFunctions, name_of

ONE, TWO, FAILED, THREE = "1" * 12, "2" * 12, "f" * 12, "3" * 12


class Account(AliasedFunctions):
    """An account with two functions, the versions of `old` not all there any more."""

    def __init__(self, **descriptions: str) -> None:
        self.aliases = {"new": "1", "old": "7"}
        self.versions = {"new": ["$LATEST", "1"], "old": ["$LATEST", "2", "5", "7", "8"]}
        self.descriptions = descriptions
        self.weights: dict[str, float] = {}
        super().__init__(*self.aliases)

    def get_paginator(self, operation: str) -> Any:
        if operation == "list_stack_resources":
            return super().get_paginator(operation)
        return SimpleNamespace(
            paginate=lambda **request: [
                {
                    "Versions": [
                        {"Version": version, "Description": self.descriptions.get(f"v{version}", "")}
                        for version in self.versions[name_of(request["FunctionName"])]
                    ]
                }
            ]
        )

    def get_alias(self, **request: str) -> dict[str, Any]:
        arn, version = f"{request['FunctionName']}:{request['Name']}", self.aliases[name_of(request["FunctionName"])]
        alias = {"AliasArn": arn, "Name": request["Name"], "FunctionVersion": version}
        return alias | {"RoutingConfig": {"AdditionalVersionWeights": self.weights}}

    def update_alias(self, **request: Any) -> None:
        self.aliases[name_of(request["FunctionName"])] = request["FunctionVersion"]


def test_each_function_goes_back_to_the_version_before_if_it_has_one() -> None:
    account = Account()
    assert take_back(account, "boards") == {"old": ("7", "5")}
    assert account.aliases == {"new": "1", "old": "5"}


@pytest.mark.parametrize(
    ("descriptions", "reached"),
    [
        ({"v2": f"release {TWO}", "v5": f"release {FAILED} after {TWO}", "v7": f"release {THREE} after {TWO}"}, "2"),
        ({"v5": f"boards, release {TWO} after {ONE}", "v7": f"boards, release {THREE} after {TWO}"}, "5"),
        ({"v2": f"release {ONE}", "v5": f"release {TWO} after {ONE}", "v7": f"release {THREE}"}, "5"),
    ],
    ids=["a release that failed is skipped", "the release before", "a release that does not name the one before"],
)
def test_a_function_goes_back_to_the_release_that_was_called_before(descriptions: dict[str, str], reached: str) -> None:
    """CloudFormation keeps the versions that a failed deployment published; callers never reached them."""
    account = Account(**descriptions)
    assert take_back(account, "boards")["old"] == ("7", reached)


def test_a_function_without_a_version_of_the_release_before_stays() -> None:
    account = Account(v5=f"release {FAILED} after {TWO}", v7=f"release {THREE} after {TWO}")
    assert take_back(account, "boards") == {}


def test_nothing_is_taken_back_while_a_gradual_release_runs() -> None:
    """Its aliases still lead to the release before, and would go back by two."""
    account = Account()
    account.weights = {"8": 0.1}
    with pytest.raises(StepFailed, match="A gradual release runs: stop it instead"):
        take_back(account, "boards")
    assert account.aliases == {"new": "1", "old": "7"}
