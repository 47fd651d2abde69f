"""An account that answers the calls of the checks from a table."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError

from infra.deployment import concurrency
from infra.deployment.checks import Installation

EMPTY: dict[str, Any] = {
    "describe_stacks": ("ValidationError", "Stack with id x does not exist"),
    "get_account_settings": {"AccountLimit": {"UnreservedConcurrentExecutions": 1000}},
    "get_email_identity": ("NotFoundException", "no such identity"),
    "get_account": {"ProductionAccessEnabled": True, "cloudwatchRoleArn": "arn:aws:iam::123456789012:role/logs"},
    "list_distributions": {"DistributionList": {"Quantity": 1}},
    "describe_user_pool_domain": {"DomainDescription": {}},
}
"""The answers of an account that is set up and has no installation yet; a pair is an error of AWS."""
PARAMETERS = {
    **dict.fromkeys(concurrency.QUEUES, "2"),
    "RingsConcurrency": "0",
    "EventsParallelism": "1",
    "Stage": "prod",
    "MailDomain": "mail.example.com",
    "DomainName": "",
    "CertificateArn": "",
    "UserPool": "no",
    "UserPoolDomain": "",
    "UserPoolMail": "cognito",
    "AlarmEmail": "oncall@example.com",
    "LiveAccessLog": "no",
    "BackupVault": "",
    "RequestsPerSecond": "1000",
    "GradualRelease": "false",
}


class _Client:
    def __init__(self, answers: Mapping[str, Any], region: str, called: list[tuple[str, str]]) -> None:
        self._answers, self._region, self._called = answers, region, called

    def get_paginator(self, operation: str) -> Any:
        """Returns a paginator with one page, empty where the operation has no answer but an error."""
        answer = self._answers[operation]
        page = {"Stacks": []} if isinstance(answer, tuple) else answer
        return SimpleNamespace(paginate=lambda: [page])

    def __getattr__(self, operation: str) -> Any:
        def call(**_: Any) -> Any:
            self._called.append((operation, self._region))
            answer = self._answers[operation]
            if isinstance(answer, tuple):
                raise ClientError({"Error": {"Code": answer[0], "Message": answer[1]}}, operation)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call


class Session:
    """A session of the SDK in eu-west-1, which notes the calls and their regions."""

    region_name = "eu-west-1"

    def __init__(self, answers: Mapping[str, Any], region: str = region_name) -> None:
        self._answers = answers
        self.region_name = region
        self.called: list[tuple[str, str]] = []

    def client(self, _: str, region_name: str | None = None) -> _Client:
        return _Client(self._answers, region_name or self.region_name, self.called)


def stack_with(**parameters: str) -> dict[str, Any]:
    """Returns the answer about a stack that was deployed with these parameters."""
    entries = [{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()]
    return {"Stacks": [{"StackName": "boards", "StackStatus": "UPDATE_COMPLETE", "Parameters": entries}]}


def installation(answers: Mapping[str, Any] | None = None, **parameters: str) -> Installation:
    """Returns an installation to be checked, in an account that differs from `EMPTY` as `answers` say."""
    return Installation(Session(EMPTY | dict(answers or {})), "boards", PARAMETERS | parameters)


class AliasedFunctions:
    """The stack `boards`, whose functions are called by an alias each; subclasses answer for Lambda."""

    def __init__(self, *functions: str) -> None:
        self._entries = [
            {
                "LogicalResourceId": name,
                "ResourceType": "AWS::Lambda::Alias",
                "PhysicalResourceId": f"arn:aws:lambda:eu-west-1:123456789012:function:{name}:live",
                "ResourceStatus": "UPDATE_COMPLETE",
            }
            for name in functions
        ]

    region_name = "eu-west-1"

    def client(self, _: str, region_name: str = "") -> Any:
        del region_name
        return self

    def describe_stacks(self, **_: str) -> Any:
        return {"Stacks": [{"StackName": "boards"}]}

    def get_paginator(self, _: str) -> Any:
        return SimpleNamespace(paginate=lambda **_: [{"StackResourceSummaries": self._entries}])


def name_of(function: str) -> str:
    """Returns a function's name, which its ARN ends with."""
    return function.rpartition(":")[2]
