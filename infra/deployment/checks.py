"""What `make deploy` checks before it creates anything: stack, quotas, identities, certificate, CloudFront."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError

from infra.deployment import concurrency, parameters, regions, releases, replacements, stacks

_NEW_ACCOUNT = 10
"""Concurrent executions of a new account; a quota that is no higher has its own finding."""
_LEAST_UNRESERVED = 100
"""Executions that Lambda keeps for functions without a reservation."""


@dataclass(frozen=True)
class Finding:
    """A sentence about a prerequisite; one that `stops` the deployment says what to do first."""

    text: str
    stops: bool = False


@dataclass(frozen=True)
class Installation:
    """What is to be deployed: the SDK's session, with its region, the stack's name and all parameters."""

    session: Any
    stack: str
    parameters: Mapping[str, str]

    def client(self, service: str, region: str | None = None) -> Any:
        """Returns a client of the SDK for the session's region or another one."""
        return self.session.client(service, region_name=region or self.session.region_name)

    @property
    def firewall(self) -> str:
        """The name of the firewall's stack."""
        return f"{self.stack}-firewall"

    @property
    def is_new(self) -> bool:
        """Whether the service's stack does not exist yet."""
        return stacks.describe(self.client("cloudformation"), self.stack) is None

    def changes(self, *names: str) -> bool:
        """Returns whether one of these parameters is to differ from the deployed stack's; all of a new stack do."""
        deployed = stacks.parameters(stacks.describe(self.client("cloudformation"), self.stack))
        return any(deployed.get(name) != self.parameters[name] for name in names)


Check = Callable[[Installation], Iterator[Finding]]


def state(installation: Installation) -> Iterator[Finding]:
    """A stack whose first deployment failed can only be deleted; that of the firewall holds no data."""
    for name, region in ((installation.stack, None), (installation.firewall, stacks.FIREWALL_REGION)):
        stack = stacks.describe(installation.client("cloudformation", region), name)
        status = stack["StackStatus"] if stack else ""
        there = f"--region {region} --stack-name {name}" if region else f"--stack-name {name}"
        if status in {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED"}:
            remedy = f"`aws cloudformation delete-stack {there}`" if region else "`make undeploy`"
            yield Finding(f"The stack {name} is {status}: run {remedy}, then `make deploy` again.", stops=True)
        elif status == "UPDATE_ROLLBACK_FAILED":
            text = f"The stack {name} is {status}: run `aws cloudformation continue-update-rollback {there}`."
            yield Finding(text, stops=True)
        elif status.endswith("_IN_PROGRESS") and status != "REVIEW_IN_PROGRESS":
            yield Finding(f"The stack {name} is {status}: wait until that has ended.", stops=True)


def place(installation: Installation) -> Iterator[Finding]:
    """Firewall and names of the CDN are the account's, in any region: each installation has a Stage of its own."""
    region, stage = installation.session.region_name, installation.parameters["Stage"]
    for stack in stacks.every(installation.client("cloudformation", stacks.FIREWALL_REGION)):
        name, parameters = stack["StackName"], stacks.parameters(stack)
        if not name.endswith("-firewall"):
            continue
        home = parameters.get("Region", "")
        if name == installation.firewall and (home not in {"", region} or _is_elsewhere(installation, parameters)):
            where = home or "another region"
            yield Finding(
                f"The stack {installation.stack} is in {where}: set AWS_DEFAULT_REGION, or STACK.", stops=True
            )
        elif name != installation.firewall and parameters.get("Stage") == stage:
            other = f"{name.removesuffix('-firewall')} in {home or 'some region'}"
            yield Finding(f"The stack {other} has Stage={stage} too: choose another Stage.", stops=True)


def _is_elsewhere(installation: Installation, firewall: Mapping[str, str]) -> bool:
    """Returns whether the firewall of an earlier release protects a distribution of no stack of this region."""
    return not firewall.get("Region") and bool(firewall.get("DistributionId")) and installation.is_new


def stage(installation: Installation) -> Iterator[Finding]:
    """The names of what holds data have the Stage in them: with another, the files would be in an empty bucket."""
    deployed = stacks.parameters(stacks.describe(installation.client("cloudformation"), installation.stack))
    given = installation.parameters["Stage"]
    if deployed.get("Stage", given) != given:
        text = f"The stack {installation.stack} has Stage={deployed['Stage']}: keep that, or set another STACK."
        yield Finding(text, stops=True)


def quota(installation: Installation) -> Iterator[Finding]:
    """The account's concurrency must be enough for queues, stream and API."""
    limit = installation.client("lambda").get_account_settings()["AccountLimit"]["UnreservedConcurrentExecutions"]
    taken = concurrency.reserved(installation.parameters)
    if limit <= _NEW_ACCOUNT:
        yield Finding(
            f"The account may run {limit} functions at a time, as new ones, and queues and stream can take {taken} at "
            "worst, while exports and board packs are made: requests wait or get 503 then. That is enough to try the "
            "service out, and not for people's work: ask for 1,000 (Service Quotas, Lambda, Concurrent executions)."
        )
    elif limit <= taken:
        yield Finding(
            f"The account may run {limit} functions at a time; queues and stream can take {taken}: the API would "
            "be throttled. Ask for more (Service Quotas, Lambda, Concurrent executions), or lower "
            f"{', '.join(concurrency.QUEUES)} and EventsParallelism."
        )
    elif concurrency.shares_lanes(installation.parameters):
        yield Finding(
            "Mails, cleanups and notifications hold up each other, and slow receivers of webhooks the others, as in a "
            f"new account: the quota allows queues of their own, so set {', '.join(concurrency.LANES)}."
        )


def reservation(installation: Installation) -> Iterator[Finding]:
    """A function's reservation must leave 100 executions to the others: CloudFormation is refused otherwise."""
    limit = installation.client("lambda").get_account_settings()["AccountLimit"]["UnreservedConcurrentExecutions"]
    deployed = stacks.parameters(stacks.describe(installation.client("cloudformation"), installation.stack))
    given, before = (int(values.get(concurrency.RINGS, "0")) for values in (installation.parameters, deployed))
    if given > before and limit - (given - before) < _LEAST_UNRESERVED:
        text = f"{concurrency.RINGS}={given} leaves fewer than {_LEAST_UNRESERVED} of the account's executions"
        yield Finding(f"{text} unreserved, which Lambda refuses: lower it, or ask for more.", stops=True)


def mail(installation: Installation) -> Iterator[Finding]:
    """The identity of the mail domain is the stack's own; a new account mails to verified addresses only."""
    client, domain = installation.client("sesv2"), installation.parameters["MailDomain"]
    if installation.changes("MailDomain") and _exists(client.get_email_identity, EmailIdentity=domain):
        yield Finding(
            f"SES has an identity {domain} already, and the stack creates it: delete it, or change MailDomain.",
            stops=True,
        )
    account = client.get_account()
    plan = account.get("PricingAttributes", {}).get("CurrentPlan", "NONE")
    if plan != "NONE":
        yield Finding(
            f"SES bills mails by its plan {plan}, which new accounts get: without one they cost less (0.10 a thousand "
            "in us-east-1). `aws sesv2 put-account-pricing-attributes --plan NONE`, unless you use what the plan adds."
        )
    if not account["ProductionAccessEnabled"]:
        yield Finding(
            "SES is in its sandbox: mails reach verified addresses only, 200 a day, until AWS grants production access "
            "(SES, Account dashboard, Request production access)."
        )
    if installation.parameters["UserPoolMail"] == "ses":
        verified = _exists(client.get_email_identity, EmailIdentity=domain)
        if not verified or not verified["VerifiedForSendingStatus"]:
            yield Finding(f"UserPoolMail=ses needs a verified {domain}: leave it out until SES shows that.", stops=True)


def certificate(installation: Installation) -> Iterator[Finding]:
    """The certificate must be issued, for the domain."""
    domain, arn = installation.parameters["DomainName"], installation.parameters["CertificateArn"]
    if not domain:
        yield Finding("No DomainName: the address will be one of cloudfront.net, which accepts TLS 1.0 too.")
        return
    issued = _exists(installation.client("acm", stacks.FIREWALL_REGION).describe_certificate, CertificateArn=arn)
    if not issued:
        yield Finding(f"ACM has no certificate {arn} in this account.", stops=True)
    else:
        detail = issued["Certificate"]
        if detail["Status"] != "ISSUED":
            yield Finding(
                f"The certificate is {detail['Status']}: create the DNS records that ACM shows first.", stops=True
            )
        names = {detail["DomainName"], *detail.get("SubjectAlternativeNames", [])}
        if not any(_covers(name, domain) for name in names):
            yield Finding(f"The certificate is for {', '.join(sorted(names))}, not for {domain}.", stops=True)


def cdn(installation: Installation) -> Iterator[Finding]:
    """Whether AWS lets a new account create distributions cannot be asked."""
    distributions = installation.client("cloudfront", stacks.FIREWALL_REGION).list_distributions()["DistributionList"]
    if not distributions.get("Quantity"):
        yield Finding(
            "The account has no CloudFront distribution yet. AWS may refuse the first one until it has verified the "
            "account; then open a support case (Account and billing) and run `make deploy` again."
        )


def user_pool(installation: Installation) -> Iterator[Finding]:
    """The name of the sign-in pages must be free."""
    if installation.parameters["UserPool"] != "yes" or not installation.changes("UserPool", "UserPoolDomain"):
        return
    domain = installation.parameters["UserPoolDomain"]
    description = installation.client("cognito-idp").describe_user_pool_domain(Domain=domain)["DomainDescription"]
    if description.get("UserPoolId"):
        yield Finding(f"UserPoolDomain={domain} is taken: choose another.", stops=True)


def alarms(installation: Installation) -> Iterator[Finding]:
    """Alarms and the warning of the budget go to one address."""
    if not installation.parameters["AlarmEmail"]:
        yield Finding("No AlarmEmail: alarms reach nobody, nor does the warning of MonthlyBudget.")


def live_log(installation: Installation) -> Iterator[Finding]:
    """A WebSocket API writes its log by a role that the account has once for all of its APIs; a new account has none.

    The stack sets none: that would change, and at its deletion end, the logs of every other API of the account.
    """
    if installation.parameters["LiveAccessLog"] != "yes":
        return
    if not installation.client("apigateway").get_account().get("cloudwatchRoleArn"):
        yield Finding(
            "LiveAccessLog=yes needs the role by which API Gateway writes logs, which this account has not set: set it "
            "(infra/RUNBOOK.md), or leave LiveAccessLog out.",
            stops=True,
        )


def copies(installation: Installation) -> Iterator[Finding]:
    """A copy in another account needs a setting of the account, and one of its organization, which new ones lack."""
    if not installation.parameters["BackupVault"]:
        return
    client = installation.client("backup")
    if not client.describe_region_settings()["ResourceTypeManagementPreference"].get("DynamoDB"):
        yield Finding(
            "BackupVault: backups of the table reach no other account until AWS Backup manages them: `aws backup "
            "update-region-settings --resource-type-management-preference DynamoDB=true`."
        )
    if client.describe_global_settings()["GlobalSettings"].get("isCrossAccountBackupEnabled") != "true":
        yield Finding(
            "BackupVault: the organization lets no backup into another account: `aws backup update-global-settings "
            "--global-settings isCrossAccountBackupEnabled=true` in its management account."
        )


def rates(installation: Installation) -> Iterator[Finding]:
    """The API, the live channel and posts to its connections share the account's requests a second in a region."""
    asked = int(installation.parameters["RequestsPerSecond"])
    most = regions.requests_per_second(installation.session.region_name)
    if 2 * asked > most:
        yield Finding(
            f"RequestsPerSecond={asked} counts for the API and for the live channel, and an account has {most} "
            f"requests a second in {installation.session.region_name} unless AWS raised that: lower it, or ask for "
            "more (Service Quotas, API Gateway, Throttle rate)."
        )


def gradual(installation: Installation) -> Iterator[Finding]:
    """CodeDeploy moves an alias from the version that the stack has, to which `make take-back` no longer leads it."""
    if installation.parameters["GradualRelease"] != "true" or installation.is_new:
        return
    if taken := releases.taken_back(installation.session, installation.stack):
        yield Finding(
            f"{len(taken)} functions were taken back, so a gradual release cannot begin: deploy once with "
            "GradualRelease=false.",
            stops=True,
        )


def replaced(installation: Installation) -> Iterator[Finding]:
    """What a changed parameter replaces, refuses or removes is said before CloudFormation does it."""
    firewall = stacks.describe(installation.client("cloudformation", stacks.FIREWALL_REGION), installation.firewall)
    service = stacks.describe(installation.client("cloudformation"), installation.stack)
    before, by_stack = stacks.parameters(firewall) | stacks.parameters(service), replacements.templates()
    after = before | {name: installation.parameters[name] for name in before.keys() & _given(installation)}
    changed = {name for name, value in before.items() if after[name] != value}
    for change in [*replacements.reached(by_stack, changed), *replacements.removed(by_stack, before, after)]:
        yield Finding(change.sentence())


def _given(installation: Installation) -> set[str]:
    return installation.parameters.keys() - set(parameters.OWN)


CHECKS: tuple[Check, ...] = (
    *(
        state,
        place,
        stage,
        quota,
        reservation,
        rates,
        mail,
        live_log,
        copies,
        certificate,
        cdn,
        user_pool,
        alarms,
        gradual,
        replaced,
    ),
)


def run(installation: Installation) -> Iterator[Finding]:
    """Yields what the checks find. A check that AWS refuses becomes a finding that says so.

    A service without an endpoint stops the deployment: not every region has SES, for example.
    """
    for check in CHECKS:
        try:
            yield from check(installation)
        except EndpointConnectionError as error:
            text = f"Could not check {check.__name__.replace('_', ' ')}: {error} Choose a region that has this service."
            yield Finding(text, stops=True)
        except (ClientError, BotoCoreError) as error:
            yield Finding(f"Could not check {check.__name__.replace('_', ' ')}: {error}")


def _exists(read: Callable[..., Any], **arguments: str) -> Any:
    try:
        return read(**arguments)
    except ClientError as error:
        if error.response["Error"]["Code"] in {"NotFoundException", "ResourceNotFoundException"}:
            return None
        raise


def _covers(name: str, domain: str) -> bool:
    """Returns whether a certificate's name is a domain, or its wildcard for one label."""
    return name == domain or (fnmatchcase(domain, name) and name.count(".") == domain.count("."))
