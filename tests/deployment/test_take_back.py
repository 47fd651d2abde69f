"""`make take-back`: what is called goes back by one version, in every function that has one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from infra.deployment.take_back import take_back


class Account:
    """An account with two functions, the versions of `old` not all there any more."""

    def __init__(self) -> None:
        self.aliases = {"new": "1", "old": "7"}
        self.versions = {"new": ["$LATEST", "1"], "old": ["$LATEST", "2", "5", "7", "8"]}

    def client(self, _: str) -> Any:
        return self

    def get_paginator(self, operation: str) -> Any:
        if operation == "list_stack_resources":
            entries = [
                {
                    "LogicalResourceId": name,
                    "ResourceType": "AWS::Lambda::Alias",
                    "PhysicalResourceId": f"arn:aws:lambda:eu-west-1:123456789012:function:{name}:live",
                    "ResourceStatus": "UPDATE_COMPLETE",
                }
                for name in self.aliases
            ]
            return SimpleNamespace(paginate=lambda **_: [{"StackResourceSummaries": entries}])
        return SimpleNamespace(
            paginate=lambda **request: [
                {"Versions": [{"Version": version} for version in self.versions[_name(request["FunctionName"])]]}
            ]
        )

    def get_alias(self, **request: str) -> dict[str, str]:
        return {"FunctionVersion": self.aliases[_name(request["FunctionName"])]}

    def update_alias(self, **request: Any) -> None:
        assert request["RoutingConfig"] == {"AdditionalVersionWeights": {}}, "nobody is left at the later version"
        self.aliases[_name(request["FunctionName"])] = request["FunctionVersion"]


def _name(function: str) -> str:
    return function.rpartition(":")[2]


def test_each_function_goes_back_to_the_version_before_if_it_has_one() -> None:
    account = Account()
    assert take_back(account, "boards") == {"old": ("7", "5")}
    assert account.aliases == {"new": "1", "old": "5"}
