"""`make rehearse`: deploys the built artifacts to an emulator as `make deploy` does, publishes, verifies, deletes all.

Everything is deployed: the nested stacks, the firewall in its region, the bucket's policy, the distribution. What the
emulator cannot take is listed in `templates.py` with the check that covers it, and printed at the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3

from governance.log.notes import parse_key
from infra import publish
from infra.build.interpreter import runtime
from infra.catalog.pointer import KEY, EdgePointer
from infra.deployment import download_keys, quotas
from infra.local import engine
from infra.local.event import HttpRequest
from infra.local.http_origin import http_origin
from infra.local.server import Server, bind
from infra.local.service import service
from infra.local.static_site import read_object
from infra.operator import log
from infra.stack import download_key
from infra.stack.template import ROOT
from infra.tools.rehearsal import templates
from infra.tools.rehearsal.channel import verified_channel
from infra.tools.rehearsal.releases import Rehearsal, rehearse, remove
from infra.user_pool.rehearsal import UserPool
from infra.verify.checks import verify
from infra.verify.pages import PROVIDER_ANSWERS
from infra.verify.site import Site

STACK = "rehearsal"
DOMAIN = "rehearsal.example.com"
EMULATOR = ROOT / ".venv-emulator/bin"
_ACCOUNT = "000000000000"
_PARAMETERS = {
    "Stage": "rehearsal",
    "MonthlyBudget": "0",
    "UserPool": "yes",
    "UserPoolDomain": "rehearsal",
    "MailDomain": "example.com",
    "EmailsConcurrency": "2",
    "CleanupsConcurrency": "2",
    "SlowWebhooksConcurrency": "2",
    "InboundMail": "receive",
    "AlarmEmail": "alarms@example.com",
    "DomainName": DOMAIN,
    "CertificateArn": f"arn:aws:acm:us-east-1:{_ACCOUNT}:certificate/00000000-0000-0000-0000-000000000000",
    "Tracing": "Active",
    "AllowedOrigins": "https://pages.example.com",
    "TableMaximumReads": "1000",
    "TableMaximumWrites": "200",
    "RevocationsBucket": "rehearsal-revocations",
    "BackupVault": f"arn:aws:backup:{engine.REGION}:{_ACCOUNT}:backup-vault:copies",
}
_LOGGED_SECONDS = 60
_IDLE_LOOKS = 5
"""Looks at the queues, a second apart, after which nothing is on its way to them."""
_NOT_DEPLOYED = (
    "GradualRelease",
    "MalwareProtection",
    "MonthlyBudget",
    "RestoredTable",
    "EdgeLogs",
    "OutsideCheck",
)
"""Parameters whose resources the emulator does not have; tests of the templates hold them."""


@contextmanager
def emulator(folder: Path) -> Iterator[str]:
    """Runs the emulator with all of its services, sets the SDK's settings for it, and yields its address."""
    if not (EMULATOR / runtime()).exists():  # it runs functions on its own Python
        raise SystemExit(f"The emulator must run on {runtime()}: remove .venv-emulator and run `make rehearse` again.")
    port = engine.free_port()
    endpoint = f"http://127.0.0.1:{port}"
    os.environ.update(engine.sdk_environment(endpoint))
    own = {"GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "MINISTACK_HOST": "127.0.0.1", "LOG_LEVEL": "WARNING"}
    own["IOT_MTLS_ENABLED"] = "0"  # it would listen on every network of this machine
    own |= _downloads(private := download_key.draw())
    with (folder / "emulator.log").open("wb") as log:
        command = [str(EMULATOR / "python"), "-m", "infra.tools.rehearsal.emulator", str(folder)]
        environment = os.environ | own | {"MINISTACK_REGION": engine.REGION}
        environment.pop("PYTHONPATH", None)  # functions get it too, and must find everything in their layers
        process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603 - ours
    running = engine.Engine({}, [process])
    try:
        engine.wait_until_ready(f"{endpoint}/_ministack/health", running)
        (name,) = download_keys.names({"Stage": _PARAMETERS["Stage"], "DownloadKeys": "A"})
        boto3.client("secretsmanager").create_secret(Name=name, SecretString=private)
        yield endpoint
    finally:
        running.stop()


def _downloads(private: str) -> dict[str, str]:
    """Returns what the emulator must know to serve papers by addresses that this key signs."""
    papers = f"board-papers-{_PARAMETERS['Stage']}-{_ACCOUNT}-{engine.REGION}"
    return {"PAPERS_BUCKET": papers, "DOWNLOAD_KEY": private, "DOWNLOAD_KEY_ID": templates.KEY_ID}


def reach_key_value_store() -> None:
    """Lets the SDK reach the emulator's key-value store: it puts the account before the name of any host."""
    boto3.setup_default_session()
    session: Any = boto3.DEFAULT_SESSION
    session.events.register("before-send.cloudfront-keyvaluestore", _without_account)


def _without_account(request: Any, **_: Any) -> None:
    request.url = request.url.replace(f"//{_ACCOUNT}.", "//")


def verified_rehearsal(endpoint: str, outputs: dict[str, str]) -> int:
    """Publishes pages and catalog, serves the stack through the model of its distribution, and verifies it.

    Returns the number of checks that failed. Raises `SystemExit` if the API answers without the distribution.
    """
    publish.main(STACK)
    pool = UserPool(endpoint, outputs["OidcIssuer"], outputs["OidcClientId"], f"https://{DOMAIN}")
    session = pool.sign_in()["id_token"]
    api = http_origin(f"{endpoint}/_aws/execute-api/{outputs['ApiId']}/$default")
    direct = api(HttpRequest("GET", "/api/v1/whoami", [("authorization", f"Bearer {session}")]))
    if direct.status != 403:
        raise SystemExit(f"the API answers {direct.status} without the distribution")
    os.environ["OIDC_ISSUER"] = outputs["OidcIssuer"]
    bucket, client = outputs["BucketName"], boto3.client("s3")
    pointer = EdgePointer(boto3.client("cloudfront-keyvaluestore"), outputs["CatalogPointer"])
    handle = service(
        api,
        lambda key: read_object(client, bucket, key),
        lookup=lambda key: pointer.read() if key == KEY else None,
        origin_secret=_origin_secret(),
    )
    with Server(bind("127.0.0.1", 0), handle) as server:
        site = Site(f"http://127.0.0.1:{server.port}", session)
        failed = verify(site, {PROVIDER_ANSWERS: "its address is Cognito's own; the session comes from the emulator"})
        channel = f"{endpoint.replace('http', 'ws', 1)}/_aws/execute-api/{outputs['LiveChannelId']}/live"
        failed += verified_channel(channel, _origin_secret(), site)
        return failed + verified_log(f"http://127.0.0.1:{server.port}/log", client, bucket)


def verified_log(prefix: str, client: Any, bucket: str) -> int:
    """Waits until what the checks recorded is logged, verifies the log from outside; returns the number of findings."""
    key = parse_key(client.get_object(Bucket=bucket, Key="log/key")["Body"].read().decode())
    until = time.monotonic() + _LOGGED_SECONDS
    while True:
        signed, _ = log.verified_entries(lambda path: log.get(f"{prefix}/{path}"), key)
        if signed.checkpoint.size > 0:
            print(f"The log has {signed.checkpoint.size} entries, and holds.")
            return 0
        if time.monotonic() > until:
            print("FAILED: nothing was logged.")
            return 1
        time.sleep(1)


def wait_until_delivered() -> None:
    """Waits until no queue holds a message: in the emulator, a function that still runs makes its deleted log anew."""
    sqs, until = boto3.client("sqs"), time.monotonic() + _LOGGED_SECONDS
    idle = 0
    while idle < _IDLE_LOOKS and time.monotonic() < until:
        time.sleep(1)
        urls = sqs.list_queues().get("QueueUrls", [])
        held = [sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"] for url in urls]
        waiting = sum(
            int(value) for attributes in held for name, value in attributes.items() if name.startswith("Approximate")
        )
        idle = 0 if waiting else idle + 1


def _origin_secret() -> str:
    """Returns the secret that the distribution sends to the API."""
    response: Any = boto3.client("cloudformation").describe_stack_resource(
        StackName=STACK, LogicalResourceId="OriginSecretA"
    )
    secret = response["StackResourceDetail"]["PhysicalResourceId"]
    return str(boto3.client("secretsmanager").get_secret_value(SecretId=secret)["SecretString"])


def main() -> int:
    """Runs the rehearsal, prints what it could not show, and returns the exit code."""
    with tempfile.TemporaryDirectory() as name, emulator(Path(name)) as endpoint:
        reach_key_value_store()
        rehearsal = Rehearsal(STACK, _PARAMETERS, endpoint, Path(name))
        outputs = rehearse(rehearsal)
        print(f"Deployed: {outputs}", flush=True)
        verified = verified_rehearsal(endpoint, outputs)
        wait_until_delivered()
        remove(rehearsal)
    print("Deleted, and nothing is left. The platform's quotas, which the emulator does not have:")
    print(quotas.table(quotas.templates()))
    print(f"Not deployed, for the emulator cannot: {', '.join(_NOT_DEPLOYED)}.")
    print("The emulator cannot show:")
    for what, omission in (templates.OMITTED | templates.REPLACED).items():
        print(f"  {what}: {omission.why}; checked by {omission.check}")
    return verified


if __name__ == "__main__":
    sys.exit(main())
