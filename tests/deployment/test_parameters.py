"""The file of parameters: what is read, what is refused, and what SAM makes of it."""

import json
import subprocess
from pathlib import Path

import pytest

from infra.deployment import parameters
from infra.stack.template import ROOT
from tests.contract.templates import MAIN, STACKS

LEAST = {
    "MailDomain": "mail.example.com",
    "JwtIssuer": "https://login.example.com/",
    "JwksUrl": "https://login.example.com/keys",
}
TABLE = "arn:aws:dynamodb:eu-west-1:123456789012:table/restored"
POOL = {"UserPool": "yes", "UserPoolDomain": "boards", "JwtIssuer": "", "JwksUrl": ""}


def test_a_value_is_everything_after_the_equals_sign(tmp_path: Path) -> None:
    file = tmp_path / "deploy.parameters"
    file.write_text("# a comment\n\nStage = prod\nOidcOrigins=https://a.example https://b.example?x=1\nAlarmEmail=\n")
    assert parameters.read(file) == {
        "Stage": "prod",
        "OidcOrigins": "https://a.example https://b.example?x=1",
        "AlarmEmail": "",
    }


def test_a_line_without_a_value_is_named(tmp_path: Path) -> None:
    file = tmp_path / "deploy.parameters"
    file.write_text("Stage=prod\nJwtIssuer\n")
    with pytest.raises(parameters.ParametersError, match="line 2: write Name=Value"):
        parameters.read(file)
    with pytest.raises(parameters.ParametersError, match="does not exist"):
        parameters.read(tmp_path / "none")


@pytest.mark.slow
def test_sam_takes_every_value_whole() -> None:
    given = {"OidcOrigins": "https://a.example https://b.example", "Empty": "", "List": "a,b", "Quote": 'a "b" = c'}
    code = (
        "import json, sys; from samcli.cli.types import CfnParameterOverridesType as Type;"
        "print(json.dumps(Type().convert(sys.argv[1:], None, None)))"
    )
    command = [str(ROOT / ".venv-sam/bin/python"), "-c", code, *parameters.overrides(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own arguments
    assert json.loads(done.stdout) == given


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({}, ""),
        ({"MailDomain": None}, "MailDomain is missing."),
        ({"Stagee": "x"}, "There is no parameter Stagee."),
        ({"WebAclArn": "x"}, "There is no parameter WebAclArn."),
        ({"Tracing": "On"}, "Tracing must be one of Active, PassThrough."),
        ({"JwksUrl": "http://a"}, "JwksUrl has a value that the template does not accept"),
        ({"RateLimitCatalog": "many"}, "RateLimitCatalog must be a number."),
        ({"JwtIssuer": ""}, "Set JwtIssuer, or UserPool=yes."),
        ({"UserPool": "yes"}, "UserPool=yes needs UserPoolDomain."),
        (POOL, ""),
        (POOL | {"JwtAlgorithms": "ES256"}, "A user pool signs with RS256."),
        ({"JwksUrl": ""}, "Set JwksUrl; only JwtAlgorithms=HS256 does without the issuer's keys."),
        ({"JwksUrl": "", "JwtAlgorithms": "HS256"}, ""),
        ({"OidcIssuer": "https://login.example.com/"}, "OidcIssuer and OidcClientId belong together"),
        ({"OidcClientId": "pages"}, "OidcIssuer and OidcClientId belong together"),
        ({"OidcIssuer": "https://login.example.com/", "OidcClientId": "pages"}, ""),
        ({"DomainName": "board.example.com"}, "DomainName and CertificateArn belong together"),
        ({"TableMaximumReads": "1000"}, "TableMaximumReads and TableMaximumWrites belong together"),
        ({"RestoredTable": TABLE}, "RestoredTable needs RestoredTableStream"),
        ({"DeliveriesConcurrency": "1"}, "DeliveriesConcurrency must be 2 or more, and 1000 at most."),
        ({"EventsParallelism": "11"}, "EventsParallelism must be 1 or more, and 10 at most."),
        ({"RequestsPerSecond": "0"}, "RequestsPerSecond must be 1 or more."),
    ],
)
def test_what_cloudformation_would_refuse_is_said_before(changed: dict[str, str | None], problem: str) -> None:
    given = {name: value for name, value in (LEAST | changed).items() if value is not None}
    problems = list(parameters.problems(given, MAIN, STACKS["firewall"]))
    assert len(problems) == bool(problem)
    assert all(text.startswith(problem) for text in problems)
