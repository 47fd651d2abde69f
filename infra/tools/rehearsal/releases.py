"""The rehearsal of releases: from the one before, twice, with changed parameters, rolled back and again, and away."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from infra.deployment import deploy, parameters, releases, stacks, take_back, undeploy
from infra.deployment.checks import Installation
from infra.deployment.deploy import Templates
from infra.stack.template import ROOT, Template
from infra.tools.rehearsal import templates

_TEMPLATES = ("template.yaml", "infra/*/template.yaml")
_CAUSE = "rehearsal-cause"
"""A secret without which a release fails."""


@dataclass(frozen=True)
class Rehearsal:
    """An installation on the emulator: its name, the parameters of the file, and the emulator's address and folder."""

    stack: str
    given: Mapping[str, str]
    endpoint: str
    folder: Path

    def deploy(self, sources: Path | None = None, cause: str = "", **changed: str) -> dict[str, str]:
        """Deploys as `make deploy` does; with `sources`, the templates of another release. Returns the outputs.

        With a `cause`, the deployment fails and is rolled back while there is no secret of this name.
        """
        folder = self.folder / ("before" if sources else "now")
        folder.mkdir(exist_ok=True)
        files = Templates(
            templates.write_firewall(folder, sources or ROOT), templates.write(folder, self.endpoint, sources)
        )
        if cause:
            templates.wait_for(files.service, cause)
        service, firewall = Template(files.service), Template(files.firewall)
        declared = service.document["Parameters"].keys() | set(parameters.FIREWALL)
        given = {name: value for name, value in ({**self.given, **changed}).items() if name in declared}
        installation = Installation(self.session(), self.stack, parameters.with_defaults(given, service, firewall))
        deploy.deploy(installation, given, files, ask=False)
        return stacks.outputs(self.session().client("cloudformation"), self.stack)

    def session(self) -> Any:
        """Returns a session of the SDK that answers what the emulator lacks: policies and protection of stacks."""
        session: Any = boto3.Session()
        for operation in ("SetStackPolicy", "UpdateTerminationProtection"):
            session.events.register(f"before-call.cloudformation.{operation}", _accepted)
        return session

    def called(self, function: str = templates.PUBLISHED) -> tuple[str, dict[str, str]]:
        """Returns the version of a function that callers reach, and its environment."""
        configuration = self._called(function)
        return configuration["Version"], configuration["Environment"]["Variables"]

    def release(self) -> releases.Release | None:
        """Returns the release that callers reach."""
        return releases.named(self._called(templates.PUBLISHED)["Description"])

    def physical_id(self, name: str) -> str:
        """Returns what a resource of the stack is called."""
        resources = stacks.resources(self.session().client("cloudformation"), self.stack)
        (found,) = [resource.physical_id for resource in resources if resource.name == name]
        return found

    def _called(self, function: str) -> Any:
        client: Any = self.session().client("lambda")
        return client.get_function_configuration(FunctionName=self.physical_id(function), Qualifier="live")


def _accepted(**_: Any) -> Any:
    return type("Response", (), {"status_code": 200})(), {}


def sources_before(folder: Path) -> str | None:
    """Writes the templates of the release before into a folder; returns its commit, or None without a history.

    That is the commit that BEFORE names, or the one before the templates' last change.
    """
    commit = os.environ.get("BEFORE") or _git("log", "-1", "--first-parent", "--format=%H^", "--", *_TEMPLATES)
    names = _git("ls-tree", "-r", "--name-only", commit, "template.yaml", "infra") if commit else ""
    for name in names.splitlines():
        if name.endswith("template.yaml"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(_git("show", f"{commit}:{name}"), encoding="utf-8")
    return commit if names else None


def _git(*arguments: str) -> str:
    """Returns what a command of git prints; nothing if it fails."""
    command = [shutil.which("git") or "git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 - ours


def rehearse(rehearsal: Rehearsal) -> dict[str, str]:
    """Deploys the release before, this one twice, changed parameters, and takes back. Returns the outputs.

    Raises `SystemExit` if what is called is not what was released, or if the table or a key was replaced.
    """
    sources = rehearsal.folder / "sources"
    commit = sources_before(sources)
    before = rehearsal.deploy(sources) if commit else None
    print(
        f"Deployed the templates of {commit}." if commit else "There is no history: no upgrade was shown.", flush=True
    )
    outputs = rehearsal.deploy()
    _require(before is None or before["TableName"] == outputs["TableName"], "the upgrade replaced the table")
    first, _ = rehearsal.called()
    rehearsal.deploy()
    _require(rehearsal.called()[0] == first, "a deployment without a change published a version")
    rehearsal.deploy(RateLimitFlood="151")
    second, environment = rehearsal.called()
    _require(environment["RATE_LIMIT_FLOOD"] == "151", "a changed parameter reached no caller")
    take_back.take_back(rehearsal.session(), rehearsal.stack)
    taken, environment = rehearsal.called()
    _require((taken, environment["RATE_LIMIT_FLOOD"]) == (first, "150"), "what was released was not taken back")
    print(
        f"Upgraded, deployed twice, changed a parameter (version {second}), taken back (version {taken}).", flush=True
    )
    fail_and_try_again(rehearsal)
    change_parameters(rehearsal)
    return stacks.outputs(rehearsal.session().client("cloudformation"), rehearsal.stack)


def fail_and_try_again(rehearsal: Rehearsal) -> None:
    """Lets a release fail after its functions were published, then deploys the same once the cause has gone."""
    rehearsal.deploy()
    before = rehearsal.called()
    try:
        rehearsal.deploy(cause=_CAUSE)
    except deploy.StepFailed:
        print("A release failed, as it should.", flush=True)
    else:
        raise SystemExit("The rehearsal failed: a release that cannot be deployed was.")
    _require(rehearsal.called() == before, "a release that failed is called")
    client: Any = rehearsal.session().client("secretsmanager")
    client.create_secret(Name=_CAUSE, SecretString="gone")
    rehearsal.deploy(cause=_CAUSE)
    again = rehearsal.release()
    _require(again is not None and again.tries > 1, "a release that failed is published under the same name")
    _require(rehearsal.called()[0] != before[0], "a release that failed was not deployed again")
    client.delete_secret(SecretId=_CAUSE, ForceDeleteWithoutRecovery=True)
    print(f"Rolled back, and deployed the same again ({again}).", flush=True)


def change_parameters(rehearsal: Rehearsal) -> None:
    """Changes what replaces something, as the runbook says: the address of alarms, and two kinds of keys."""
    first, table = rehearsal.physical_id("LogKey"), rehearsal.physical_id("Table")
    rehearsal.deploy(AlarmEmail="others@example.com", LogKeyUsed="B", DownloadKeys="AB")
    second = rehearsal.physical_id("LogKeyB")
    _require(rehearsal.physical_id("LogKey") == first, "the old key of the log is gone")
    _require(second in rehearsal.called("SealerFunction")[1]["LOG_KEY_ID"], "the new key of the log is not used")
    _require(rehearsal.physical_id("Table") == table, "a changed parameter replaced the table")
    print(
        "Changed the address of alarms, the key of the log, and the keys of downloads, beside the old ones.", flush=True
    )


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SystemExit(f"The rehearsal failed: {otherwise}.")


def remove(rehearsal: Rehearsal) -> None:
    """Removes the installation as `make undeploy` does. Raises `SystemExit` if something is left."""
    session = rehearsal.session()
    resources = undeploy.resources_of(session.client("cloudformation"), rehearsal.stack)
    undeploy.remove(session, rehearsal.stack, resources)
    undeploy.remove_sam_buckets(session)
    left = list(_left(session))
    _require(not left, f"undeploy left {', '.join(left)}")


_LISTED = (
    ("apigatewayv2", "get_apis", "Items", "Name"),
    ("cloudformation", "list_stacks", "StackSummaries", "StackName"),
    ("cloudwatch", "describe_alarms", "MetricAlarms", "AlarmName"),
    ("cloudfront", "list_functions", "FunctionList", "Items"),
    ("dynamodb", "list_tables", "TableNames", ""),
    ("lambda", "list_functions", "Functions", "FunctionName"),
    ("logs", "describe_log_groups", "logGroups", "logGroupName"),
    ("s3", "list_buckets", "Buckets", "Name"),
    ("sns", "list_topics", "Topics", "TopicArn"),
    ("sqs", "list_queues", "QueueUrls", ""),
)
"""What an account lists: service, operation, the member with the list, and the one with the name."""


def _left(session: Any) -> Iterator[str]:
    for region in (session.region_name, stacks.FIREWALL_REGION):
        for service, operation, member, name in _LISTED:
            listed = getattr(session.client(service, region_name=region), operation)().get(member) or []
            for entry in listed.get("Items", []) if isinstance(listed, dict) else listed:
                if not isinstance(entry, dict) or entry.get("StackStatus") != "DELETE_COMPLETE":
                    yield f"{service} {entry.get(name, entry) if isinstance(entry, dict) else entry} ({region})"
