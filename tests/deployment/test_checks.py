"""What `make deploy` finds before it creates anything."""

from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from infra.deployment import checks
from infra.deployment.checks import Installation
from tests.deployment.account import EMPTY, PARAMETERS, Session, installation, stack_with

VAULT = "arn:aws:backup:eu-west-1:210987654321:backup-vault:copies"
ARN = "arn:aws:acm:us-east-1:123456789012:certificate/1"


def texts(answers: dict[str, Any] | None = None, **parameters: str) -> list[str]:
    """Returns what is found, apart from the missing domain; STOP marks what ends the deployment."""
    problems = checks.run(installation(answers, **parameters))
    return [f"{'STOP ' * told.stops}{told.text}" for told in problems if not told.text.startswith("No DomainName")]


def test_an_account_that_is_set_up_has_no_findings() -> None:
    assert texts() == []


def running(most: int) -> dict[str, Any]:
    return {"get_account_settings": {"AccountLimit": {"UnreservedConcurrentExecutions": most}}}


def backups(*, managed: bool, shared: str) -> dict[str, Any]:
    return {
        "describe_region_settings": {"ResourceTypeManagementPreference": {"DynamoDB": managed}},
        "describe_global_settings": {"GlobalSettings": {"isCrossAccountBackupEnabled": shared}},
    }


def certificate(status: str, domain: str) -> dict[str, Any]:
    return {"describe_certificate": {"Certificate": {"Status": status, "DomainName": domain}}}


@pytest.mark.parametrize(
    ("answers", "parameters", "text"),
    [
        (
            running(10),
            {"EmailsConcurrency": "0", "CleanupsConcurrency": "0", "SlowWebhooksConcurrency": "0"},
            "The account may run 10 functions at a time, as new ones, and queues and stream can take 30 at worst",
        ),
        (
            running(100),
            {"DeliveriesConcurrency": "50", "WebhooksConcurrency": "50"},
            "The account may run 100 functions at a time; queues and stream can take 126",
        ),
        (
            running(105),
            {"RingsConcurrency": "6"},
            "STOP RingsConcurrency=6 leaves fewer than 100 of the account's executions unreserved",
        ),
        ({}, {"CleanupsConcurrency": "0"}, "Mails, cleanups and notifications hold up each other"),
        ({}, {"SlowWebhooksConcurrency": "0"}, "Mails, cleanups and notifications hold up each other, and slow rec"),
        ({"get_account": {"ProductionAccessEnabled": False}}, {}, "SES is in its sandbox"),
        (
            {"get_account": {"ProductionAccessEnabled": True, "PricingAttributes": {"CurrentPlan": "ESSENTIALS"}}},
            {},
            "SES bills mails by its plan ESSENTIALS",
        ),
        ({"get_email_identity": {"VerifiedForSendingStatus": True}}, {}, "STOP SES has an identity mail.example.com"),
        ({}, {"UserPoolMail": "ses"}, "STOP UserPoolMail=ses needs a verified mail.example.com"),
        (
            {"list_distributions": {"DistributionList": {"Quantity": 0}}},
            {},
            "The account has no CloudFront distribution",
        ),
        (
            {"describe_certificate": ("ResourceNotFoundException", "no such certificate")},
            {"DomainName": "board.example.com", "CertificateArn": ARN},
            f"STOP ACM has no certificate {ARN}",
        ),
        (
            {"get_account": EndpointConnectionError(endpoint_url="https://email.eu-west-1.amazonaws.com")},
            {},
            "STOP Could not check mail: Could not connect to the endpoint URL",
        ),
        ({}, {"AlarmEmail": ""}, "No AlarmEmail: alarms reach nobody"),
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
        ({"get_account": {"ProductionAccessEnabled": True}}, {"LiveAccessLog": "yes"}, "STOP LiveAccessLog=yes needs"),
        (backups(managed=False, shared="true"), {"BackupVault": VAULT}, "BackupVault: backups of the table reach no"),
        (backups(managed=True, shared="false"), {"BackupVault": VAULT}, "BackupVault: the organization lets no backup"),
        ({}, {"RequestsPerSecond": "5001"}, "RequestsPerSecond=5001 counts for the API and for the live channel"),
    ],
)
def test_a_prerequisite_that_is_missing_is_named(
    answers: dict[str, Any], parameters: dict[str, str], text: str
) -> None:
    (line,) = texts(answers, **parameters)
    assert line.startswith(text)


def test_an_account_without_a_plan_of_the_mail_service_is_told_of_none() -> None:
    given = {"ProductionAccessEnabled": True, "PricingAttributes": {"CurrentPlan": "NONE"}}
    assert texts({"get_account": given}) == []


def test_an_account_that_lets_the_gateway_write_logs_may_log_the_live_channel() -> None:
    assert texts(LiveAccessLog="yes") == []


def test_an_account_whose_organization_shares_backups_may_copy_them() -> None:
    assert texts(backups(managed=True, shared="true"), BackupVault=VAULT) == []


def test_an_account_has_fewer_requests_a_second_in_the_smaller_regions() -> None:
    small = Installation(Session(EMPTY, "eu-south-1"), "boards", PARAMETERS | {"RequestsPerSecond": "1251"})
    assert [found.text.partition(" ")[0] for found in checks.rates(small)] == ["RequestsPerSecond=1251"]
    usual = Installation(Session(EMPTY), "boards", PARAMETERS | {"RequestsPerSecond": "5000"})
    assert list(checks.rates(usual)) == []


@pytest.mark.parametrize(
    ("parameter", "told"),
    [
        ("MailDomain", "a change of EmailIdentity of MailIdentity (AWS::SES::EmailIdentity, service) replaces it"),
        (
            "UserPoolDomain",
            "a change of Domain of SignInPages (AWS::Cognito::UserPoolDomain, UserPoolStack) is refused",
        ),
        ("LogRetentionDays", ""),
    ],
)
def test_what_a_changed_parameter_replaces_is_said_before_it_is_lost(parameter: str, told: str) -> None:
    found = checks.replaced(installation({"describe_stacks": stack_with(**{parameter: "old"})}, **{parameter: "new"}))
    lines = [finding.text for finding in found]
    assert [line.startswith(f"{parameter}: {told}") for line in lines] == [True] * bool(told)


def test_what_a_changed_parameter_removes_is_said_and_what_the_deployment_sets_itself_is_no_change() -> None:
    deployed = stack_with(UserPool="yes", EdgeLogs="yes", DistributionId="E1")
    found = checks.replaced(
        installation({"describe_stacks": deployed}, UserPool="no", EdgeLogs="yes", DistributionId="")
    )
    (line,) = [finding.text for finding in found]
    assert line.startswith("UserPool: UserPoolStack (AWS::CloudFormation::Stack, service) is removed")


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


def test_what_is_to_be_run_for_the_firewall_names_its_region() -> None:
    lines = texts({"describe_stacks": {"Stacks": [{"StackName": "boards", "StackStatus": "UPDATE_ROLLBACK_FAILED"}]}})
    command = "`aws cloudformation continue-update-rollback"
    assert [text.partition("run ")[2] for text in lines] == [
        f"{command} --stack-name boards`.",
        f"{command} --region us-east-1 --stack-name boards-firewall`.",
    ]


def test_an_installation_that_exists_keeps_its_identity_and_its_domain() -> None:
    answers = {
        "describe_stacks": stack_with(MailDomain="mail.example.com", UserPool="yes", UserPoolDomain="boards"),
        "get_email_identity": {"VerifiedForSendingStatus": True},
        "describe_user_pool_domain": {"DomainDescription": {"UserPoolId": "x"}},
    }
    assert texts(answers, UserPool="yes", UserPoolDomain="boards") == []
    lines = texts(answers, MailDomain="other.example.com", UserPool="yes", UserPoolDomain="others")
    assert [text.partition(":")[0] for text in lines] == [
        "STOP SES has an identity other.example.com already, and the stack creates it",
        "STOP UserPoolDomain=others is taken",
        "MailDomain",
        "UserPoolDomain",
    ]
