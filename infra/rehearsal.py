"""`make rehearse`: deploys the built artifacts to an emulator with `sam deploy`, calls the API, and deletes the stack.

Resources that the emulator does not support are omitted by name. They are printed with the reason at the end.
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

from governance.settings import Secret
from infra.build import layer
from infra.build.interpreter import runtime
from infra.build.main import BUILD, NATIVE_LAYER
from infra.local import cdn, engine
from infra.local.event import HttpRequest
from infra.stack.template import ROOT, Template
from infra.user_pool.rehearsal import ADDRESS, UserPool

STACK, BUCKET = "rehearsal", "rehearsal-artifacts"
ROOT_URL = "https://rehearsal.example.com"
OMITTED = {
    "Cdn": "the emulator has no CloudFront functions, cache policies or origin access control",
    "Monitoring": "a nested stack of alarms that cannot be raised here; cfn-lint and the contract tests check it",
    "Inbound": "a nested stack with a receipt rule, which the emulator does not have; `make run` takes mails as files",
    "StaticBucketPolicy": "it names the distribution",
    "MailIdentity": "it signs with DKIM tokens that only SES has",
}
REPLACED = {
    "the layer": "the template's processor may not be this machine's, so the rehearsal uses the layer for this one",
    "secrets": "the emulator does not resolve references to Secrets Manager, so the rehearsal uses fixed values",
    "the user pool": "a stack of its own, without the style of its sign-in pages; the emulator plays its host",
    "the firewall": "a separate stack in us-east-1, whose rules the emulator would not apply",
}
_SECRET = "rehearsed-secret-not-for-production"  # noqa: S105 - it says what it is


def template(pool: UserPool) -> dict[str, Any]:
    """Returns the built template without the resources that the emulator does not support."""
    document = Template(BUILD / "template.yaml").document
    for name in OMITTED:
        del document["Resources"][name]
    document["Outputs"] = {name: document["Outputs"][name] for name in ("TableName", "BucketName")}
    document["Outputs"]["ApiId"] = {"Value": {"Ref": "Api"}}
    shared = document["Globals"]["Function"]
    shared["Architectures"] = [layer.here()]
    variables = shared["Environment"]["Variables"]
    variables["ROOT_URL"] = ROOT_URL
    for name, resource in document["Resources"].items():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties["CodeUri"] = str(BUILD / name)
            own = properties.get("Environment", {}).get("Variables", {})
            own |= {variable: _SECRET for variable in own if variable in set(Secret)}
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            properties |= {"ContentUri": str(NATIVE_LAYER), "CompatibleArchitectures": [layer.here()]}
            resource.pop("Metadata", None)
    replaced: dict[str, Any] = pool.take_part(document)
    return replaced


@contextmanager
def emulator(folder: Path) -> Iterator[dict[str, str]]:
    """Runs the emulator with all of its services and yields the SDK's settings for it."""
    if not (ROOT / ".venv-sam/bin" / runtime()).exists():  # it runs functions on its own Python
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


def deploy(folder: Path, settings: dict[str, str], pool: UserPool) -> dict[str, str]:
    """Runs `sam deploy` with `UserPool=yes` and returns the stack's outputs. Raises `SystemExit` if it fails."""
    file = folder / "template.json"
    file.write_text(json.dumps(template(pool)), encoding="utf-8")
    boto3.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    command = [str(ROOT / ".venv-sam/bin/sam"), "deploy", "--template-file", str(file), "--stack-name", STACK]
    command += ["--s3-bucket", BUCKET, "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset", "--no-progressbar"]
    command += ["--parameter-overrides", "UserPool=yes", "UserPoolDomain=rehearsal", "MailDomain=example.com"]
    done = subprocess.run(command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise SystemExit(f"sam deploy failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    client: Any = boto3.client("cloudformation")
    (stack,) = client.describe_stacks(StackName=STACK)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


class ApiClient:
    """A client that calls the deployed HTTP API as the distribution would."""

    def __init__(self, endpoint: str, api: str) -> None:
        self._base = f"{endpoint}/_aws/execute-api/{api}/$default"

    def __call__(self, method: str, path: str, session: str = "", body: Any = None, *, skip_cdn: bool = False) -> Any:
        """Returns status and body of the answer; `skip_cdn` omits the secret that the CDN sends."""
        headers = [("authorization", f"Bearer {session}")] if session else []
        content = b"" if body is None else json.dumps(body).encode()
        headers += [("content-type", "application/json")] if content else []
        sent = cdn.to_origin(HttpRequest(method, path, headers, content), "" if skip_cdn else _SECRET)
        url = self._base + sent.target
        request = urllib.request.Request(url, content or None, dict(sent.headers), method=method)  # noqa: S310 - our own child
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own child
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())


def smoke_test(call: ApiClient, pool: UserPool) -> None:
    """Makes a newcomer's first calls on the deployed stack. Raises `SystemExit` at the first unexpected answer."""
    tokens = pool.sign_in()
    session = tokens["id_token"]
    _expect("without a credential", call("GET", "/api/v1/whoami")[0], 401)
    _expect("without the CDN", call("GET", "/api/v1/whoami", session, skip_cdn=True)[0], 403)
    _expect("with the pool's access token", call("GET", "/api/v1/whoami", tokens["access_token"])[0], 401)
    _expect("who am I", call("GET", "/api/v1/whoami", session)[0], 200)
    _expect("my address", call("GET", "/api/v1/me", session)[1]["data"]["email"], ADDRESS)
    status, board = call("POST", "/api/v1/boards", session, {"name": "Rehearsal"})
    _expect("a board", status, 201)
    meetings = f"/api/v1/boards/{board['data']['id']}/meetings"
    _expect("a meeting", call("POST", meetings, session, {"title": "First", "status": "scheduled"})[0], 201)
    _expect("its list", [item["title"] for item in call("GET", meetings, session)[1]["data"]], ["First"])
    _expect("documents", call("GET", f"/api/v1/boards/{board['data']['id']}/documents", session)[0], 200)
    _expect("audit", call("GET", f"/api/auditlog/{board['data']['id']}", session)[0], 200)
    _expect("an unknown path", call("GET", "/api/v2", session)[0], 404)


def _expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise SystemExit(f"{what}: expected {expected!r}, but got {found!r}")
    print(f"  {what}: {found}")


def main() -> None:
    """Runs the rehearsal and prints what it could not show."""
    with tempfile.TemporaryDirectory() as name, emulator(Path(name)) as settings:
        os.environ.update(settings)
        pool = UserPool(settings["AWS_ENDPOINT_URL"], ROOT_URL)
        outputs = deploy(Path(name), settings, pool)
        print(f"Deployed: {outputs}", flush=True)
        smoke_test(ApiClient(settings["AWS_ENDPOINT_URL"], outputs["ApiId"]), pool)
        boto3.client("cloudformation").delete_stack(StackName=STACK)
    print("Deleted. The emulator cannot show:")
    for what, why in (OMITTED | REPLACED).items():
        print(f"  {what}: {why}")


if __name__ == "__main__":
    main()
