"""What `make deploy` finds before it creates anything."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.deployment import checks, concurrency
from infra.deployment.checks import Installation

ARN = "arn:aws:acm:us-east-1:123456789012:certificate/1"


def texts(answers: dict[str, Any] | None = None, **parameters: str) -> list[str]:
    """Returns what is found, apart from the missing domain; STOP marks what ends the deployment."""
    problems = checks.run(installation(answers, **parameters))
    return [f"{'STOP ' * told.stops}{told.text}" for told in problems if not told.text.startswith("No DomainName")]


def test_an_account_that_is_set_up_has_no_findings() -> None:
    assert texts() == []


def running(most: int) -> dict[str, Any]:
    return {"get_account_settings": {"AccountLimit": {"UnreservedConcurrentExecutions": most}}}


def certificate(status: str, domain: str) -> dict[str, Any]:
    return {"describe_certificate": {"Certificate": {"Status": status, "DomainName": domain}}}


@pytest.mark.parametrize(
    ("answers", "parameters", "text"),
    [
        (
            running(10),
            {"EmailsConcurrency": "0", "CleanupsConcurrency": "0", "SlowWebhooksConcurrency": "0"},
            "The account may run 10 functions at a time, as new ones, and queues and stream can take 12 at worst",
        ),
        (
            running(100),
            {"DeliveriesConcurrency": "50", "WebhooksConcurrency": "50"},
            "The account may run 100 functions at a time; queues and stream can take 114",
        ),
        ({}, {"CleanupsConcurrency": "0"}, "Mails, cleanups and notifications hold up each other"),
        ({}, {"SlowWebhooksConcurrency": "0"}, "Mails, cleanups and notifications hold up each other, and slow rec"),
        ({"get_account": {"ProductionAccessEnabled": False}}, {}, "SES is in its sandbox"),
        ({"get_email_identity": {"VerifiedForSendingStatus": True}}, {}, "STOP SES has an identity mail.example.com"),
        ({}, {"UserPoolMail": "ses"}, "STOP UserPoolMail=ses needs a verified mail.example.com"),
        ({"list_distributions": {"DistributionList": {"Quantity": 0}}}, {}, "The account has no CloudFront distrib"),
        ({}, {"DomainName": "board.example.com"}, "STOP DomainName and CertificateArn belong together"),
        (
            certificate("PENDING_VALIDATION", "board.example.com"),
            {"DomainName": "board.example.com", "CertificateArn": ARN},
            "STOP The certificate is PENDING_VALIDATION",
        ),
        (
            certificate("ISSUED", "*.example.com"),
            {"DomainName": "a.board.example.com", "CertificateArn": ARN},
            "STOP The certificate is for *.example.com, not for a.board.example.com",
        ),
        (
            {"describe_user_pool_domain": {"DomainDescription": {"UserPoolId": "x"}}},
            {"UserPool": "yes", "UserPoolDomain": "boards"},
            "STOP UserPoolDomain=boards is taken",
        ),
        ({"list_distributions": ("AccessDenied", "no")}, {}, "Could not check cdn"),
    ],
)
def test_a_prerequisite_that_is_missing_is_named(
    answers: dict[str, Any], parameters: dict[str, str], text: str
) -> None:
    (line,) = texts(answers, **parameters)
    assert line.startswith(text)


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "CREATE_IN_PROGRESS"])
def test_a_stack_that_cannot_be_deployed_stops_with_the_next_step(status: str) -> None:
    lines = texts({"describe_stacks": {"Stacks": [{"StackName": "boards", "StackStatus": status}]}})
    assert all(text.startswith("STOP The stack boards") for text in lines)
    assert len(lines) == 2


def test_a_firewall_that_is_broken_is_deleted_alone() -> None:
    """`make undeploy` would delete all data with it."""
    lines = texts({"describe_stacks": {"Stacks": [{"StackName": "boards", "StackStatus": "ROLLBACK_COMPLETE"}]}})
    assert "`aws cloudformation delete-stack --region us-east-1 --stack-name boards-firewall`" in lines[1]
    assert "undeploy" not in lines[1]


def test_an_installation_that_exists_keeps_its_identity_and_its_domain() -> None:
    answers = {
        "describe_stacks": {"Stacks": [{"StackName": "boards", "StackStatus": "UPDATE_COMPLETE"}]},
        "get_email_identity": {"VerifiedForSendingStatus": True},
        "describe_user_pool_domain": {"DomainDescription": {"UserPoolId": "x"}},
    }
    assert texts(answers, UserPool="yes", UserPoolDomain="boards") == []


EMPTY: dict[str, Any] = {
    "describe_stacks": ("ValidationError", "Stack with id x does not exist"),
    "get_account_settings": {"AccountLimit": {"UnreservedConcurrentExecutions": 1000}},
    "get_email_identity": ("NotFoundException", "no such identity"),
    "get_account": {"ProductionAccessEnabled": True},
    "list_distributions": {"DistributionList": {"Quantity": 1}},
    "describe_user_pool_domain": {"DomainDescription": {}},
}
"""The answers of an account that is set up and has no installation yet; a pair is an error."""
PARAMETERS = {
    **dict.fromkeys(concurrency.QUEUES, "2"),
    "EventsParallelism": "1",
    "Stage": "prod",
    "MailDomain": "mail.example.com",
    "DomainName": "",
    "CertificateArn": "",
    "UserPool": "no",
    "UserPoolDomain": "",
    "UserPoolMail": "cognito",
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
            return answer

        return call


class Session:
    """A session of the SDK in eu-west-1, which notes the calls and their regions."""

    region_name = "eu-west-1"

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers
        self.called: list[tuple[str, str]] = []

    def client(self, _: str, region_name: str | None = None) -> _Client:
        return _Client(self._answers, region_name or self.region_name, self.called)


def installation(answers: Mapping[str, Any] | None = None, **parameters: str) -> Installation:
    """Returns an installation to be checked, in an account that differs from `EMPTY` as `answers` say."""
    return Installation(Session(EMPTY | dict(answers or {})), "boards", PARAMETERS | parameters)
