"""`make rehearse`: what `make build` made, deployed by `sam deploy` to an emulator of AWS, called, and taken down.

What the emulator does not know is left out by name and printed with the reason: a rehearsal says what it did not show.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3

from infra.build import layer
from infra.build.interpreter import runtime
from infra.build.main import BUILD, NATIVE_LAYER
from infra.local import cdn, engine
from infra.local.event import HttpRequest
from infra.stack.template import ROOT, Template

STACK, BUCKET = "rehearsal", "rehearsal-artifacts"
ROOT_URL = "https://rehearsal.example.com"
LEFT_OUT = {
    "Cdn": "the emulator has no CloudFront functions, cache policies or origin access control",
    "Monitoring": "a nested stack of alarms that nothing here could raise; cfn-lint and the contract tests read it",
    "StaticBucketPolicy": "it names the distribution",
    "MailIdentity": "it signs with DKIM tokens that only SES has",
}
REPLACED = {
    "the layer": "this machine's processor is not the template's, so its layer is the one built for it",
    "secrets": "the emulator does not resolve references to Secrets Manager: values made up for the hour",
    "the firewall": "a stack of its own in us-east-1, whose rules nothing here would apply",
}
_SECRET = "rehearsed-secret-not-for-production"  # noqa: S105 - it says what it is


def template() -> dict[str, Any]:
    """The built template, without what the emulator does not know."""
    document = Template(BUILD / "template.yaml").document
    for name in LEFT_OUT:
        del document["Resources"][name]
    document["Outputs"] = {name: document["Outputs"][name] for name in ("TableName", "BucketName")}
    document["Outputs"]["ApiId"] = {"Value": {"Ref": "Api"}}
    shared = document["Globals"]["Function"]
    shared["Architectures"] = [layer.here()]
    variables = shared["Environment"]["Variables"]
    variables |= {"ROOT_URL": ROOT_URL, "JWT_SECRET": _SECRET, "CURSOR_SECRET": _SECRET, "ORIGIN_SECRETS": _SECRET}
    for name, resource in document["Resources"].items():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties["CodeUri"] = str(BUILD / name)
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            properties |= {"ContentUri": str(NATIVE_LAYER), "CompatibleArchitectures": [layer.here()]}
            resource.pop("Metadata", None)
    return document


@contextmanager
def emulator(folder: Path) -> Iterator[dict[str, str]]:
    """The emulator with every service, and the SDK's settings for it."""
    if not (ROOT / ".venv-sam/bin" / runtime()).exists():  # it runs functions on the Python that runs itself
        raise SystemExit(f"The emulator must run on {runtime()}: remove .venv-sam and run `make rehearse` again.")
    port = engine.free_port()
    settings = engine.sdk_environment(f"http://127.0.0.1:{port}")
    own = {"GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "MINISTACK_HOST": "127.0.0.1", "LOG_LEVEL": "WARNING"}
    environment = os.environ | settings | own | {"MINISTACK_REGION": engine.REGION}
    with (folder / "emulator.log").open("wb") as log:
        command = [str(ROOT / ".venv-sam/bin/python"), "-m", "ministack"]
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)  # noqa: S603 - ours
    running = engine.Engine(settings, [process])
    try:
        engine.wait_until_ready(f"{settings['AWS_ENDPOINT_URL']}/_ministack/health", running)
        yield settings
    finally:
        running.stop()


def deploy(folder: Path, settings: dict[str, str]) -> dict[str, str]:
    """`sam deploy`; the stack's outputs."""
    file = folder / "template.json"
    file.write_text(json.dumps(template()), encoding="utf-8")
    boto3.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    command = [str(ROOT / ".venv-sam/bin/sam"), "deploy", "--template-file", str(file), "--stack-name", STACK]
    command += ["--s3-bucket", BUCKET, "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset", "--no-progressbar"]
    command += ["--parameter-overrides", "JwtIssuer=rehearsal", "JwtAlgorithms=HS256", "MailDomain=example.com"]
    done = subprocess.run(command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise SystemExit(f"sam deploy failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    client: Any = boto3.client("cloudformation")
    (stack,) = client.describe_stacks(StackName=STACK)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


class Caller:
    """Calls the deployed HTTP API as the distribution would."""

    def __init__(self, endpoint: str, api: str) -> None:
        self._base = f"{endpoint}/_aws/execute-api/{api}/$default"

    def __call__(self, method: str, path: str, session: str = "", body: Any = None, *, past_cdn: bool = False) -> Any:
        """Status and body."""
        headers = [("authorization", f"Bearer {session}")] if session else []
        content = b"" if body is None else json.dumps(body).encode()
        headers += [("content-type", "application/json")] if content else []
        sent = cdn.to_origin(HttpRequest(method, path, headers, content), "" if past_cdn else _SECRET)
        url = self._base + sent.target
        request = urllib.request.Request(url, content or None, dict(sent.headers), method=method)  # noqa: S310 - our own child
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own child
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())


def smoke(call: Caller) -> None:
    """The first things that a newcomer does, on the deployed stack; stops at the first that is not as it should be."""
    session = _session()
    _see("without a credential", call("GET", "/api/v1/whoami")[0], 401)
    _see("past the CDN", call("GET", "/api/v1/whoami", session, past_cdn=True)[0], 403)
    _see("who am I", call("GET", "/api/v1/whoami", session)[0], 200)
    status, board = call("POST", "/api/v1/boards", session, {"name": "Rehearsal"})
    _see("a board", status, 201)
    meetings = f"/api/v1/boards/{board['data']['id']}/meetings"
    _see("a meeting", call("POST", meetings, session, {"title": "First", "status": "scheduled"})[0], 201)
    _see("its list", [item["title"] for item in call("GET", meetings, session)[1]["data"]], ["First"])
    _see("documents", call("GET", f"/api/v1/boards/{board['data']['id']}/documents", session)[0], 200)
    _see("audit", call("GET", f"/api/auditlog/{board['data']['id']}", session)[0], 200)
    _see("an unknown path", call("GET", "/api/v2", session)[0], 404)


def _session() -> str:
    from governance.settings import settings
    from infra.stack.sessions import sign_session

    os.environ.update(TABLE_NAME="-", ROOT_URL=ROOT_URL, JWT_ISSUER="rehearsal", JWT_AUDIENCE="board-governance")
    os.environ.update(JWT_SECRET=_SECRET, CURSOR_SECRET=_SECRET)
    return sign_session(settings(), "olivia@example.com", "Olivia", "Owner")


def _see(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise SystemExit(f"{what}: {found!r}, but expected {expected!r}")
    print(f"  {what}: {found}")


def main() -> None:
    """The rehearsal, and what it did not show."""
    with tempfile.TemporaryDirectory() as name, emulator(Path(name)) as settings:
        os.environ.update(settings)
        outputs = deploy(Path(name), settings)
        print(f"deployed: {outputs}", flush=True)
        smoke(Caller(settings["AWS_ENDPOINT_URL"], outputs["ApiId"]))
        boto3.client("cloudformation").delete_stack(StackName=STACK)
    print("taken down; not shown here:")
    for what, why in (LEFT_OUT | REPLACED).items():
        print(f"  {what}: {why}")


if __name__ == "__main__":
    main()
