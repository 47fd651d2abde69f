"""The keys that sign addresses of files: made before the stack that names them, deleted when no stack does (RUNBOOK).

CloudFormation can make no key pair, and CloudFront takes none of KMS. So `make deploy` makes it, keeps the private key
in Secrets Manager, where the stack reads it, and gives the public one to the stack as a parameter.
"""

from __future__ import annotations

from collections.abc import Mapping

from botocore.exceptions import ClientError

from infra.deployment import stacks
from infra.deployment.checks import Installation
from infra.stack import download_key


class KeyGone(Exception):
    """A private key is lost whose public key the stack has; the text says what to do."""


def prepare(installation: Installation) -> dict[str, str]:
    """Returns the parameters of the keys that DownloadKeys lists, and makes what is new of them. Raises `KeyGone`."""
    listed = installation.parameters["DownloadKeys"]
    deployed = stacks.parameters(stacks.describe(installation.client("cloudformation"), installation.stack))
    given = {f"DownloadKey{slot}": "" for slot in download_key.SLOTS}
    for slot in listed:
        arn, private = _kept(installation, slot) or _made(
            installation, slot, is_deployed=bool(deployed.get(f"DownloadKey{slot}"))
        )
        given[f"DownloadKey{slot}"] = download_key.lines(download_key.public(private))
        given.setdefault("DownloadKeyArn", arn)
    return given


def delete_others(installation: Installation) -> None:
    """Deletes the private keys that DownloadKeys does not list."""
    for slot in download_key.SLOTS:
        if slot not in installation.parameters["DownloadKeys"] and (kept := _kept(installation, slot)):
            installation.client("secretsmanager").delete_secret(SecretId=kept[0], ForceDeleteWithoutRecovery=True)


def names(deployed: Mapping[str, str]) -> list[str]:
    """Returns the names of the secrets of a stack with these parameters; none of a stack from before them."""
    return [_name(deployed["Stage"], slot) for slot in deployed.get("DownloadKeys", "")]


def _name(stage: str, slot: str) -> str:
    return f"board-governance-{stage}-download-key-{slot}"


def _kept(installation: Installation, slot: str) -> tuple[str, str] | None:
    client, name = installation.client("secretsmanager"), _name(installation.parameters["Stage"], slot)
    try:
        secret = client.get_secret_value(SecretId=name)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        return None
    return secret["ARN"], secret["SecretString"]


def _made(installation: Installation, slot: str, *, is_deployed: bool) -> tuple[str, str]:
    if is_deployed:
        other = "".join(set(download_key.SLOTS) - {slot})
        raise KeyGone(
            f"The private key {slot} of downloads is gone, and CloudFront changes no key: set DownloadKeys={other}."
        )
    private, stage = download_key.draw(), installation.parameters["Stage"]
    made = installation.client("secretsmanager").create_secret(
        Name=_name(stage, slot),
        Description="Signs the addresses of files, with a public key in the stack (made by `make deploy`).",
        SecretString=private,
        Tags=[{"Key": "Application", "Value": "board-governance"}, {"Key": "Stage", "Value": stage}],
    )
    return made["ARN"], private
