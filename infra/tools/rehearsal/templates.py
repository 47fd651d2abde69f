"""The built templates as the emulator gets them: what is left out, what is replaced, and what checks it instead."""

from __future__ import annotations

import json
import string
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.build import layer
from infra.build.main import BUILD, NATIVE_LAYER
from infra.stack.template import ROOT, Template

KEY_ID = "KREHEARSED"
"""What the emulator calls the key that signs downloads."""
PUBLISHED = "AccountFunction"
"""The function that the rehearsal of releases looks at."""
CDN, DOWNLOADS, FIREWALL, NESTED = "Cdn", "Downloads", "Firewall", "AWS::CloudFormation::Stack"


@dataclass(frozen=True)
class Omission:
    """Something that the rehearsal does not show: why, and the check of another kind that covers it."""

    why: str
    check: str


# By the stack beside or in the service's and the logical id.
OMITTED = {
    "Inbound/Rules": Omission(
        "the emulator has no receipt rules",
        "tests/policy/test_second_emulator.py::test_the_mail_service_takes_the_rule",
    ),
    "Inbound/Answers": Omission(
        "the emulator has no receipt rules",
        "tests/policy/test_second_emulator.py::test_the_mail_service_takes_the_rule",
    ),
    "Monitoring/StoreRefuses": Omission(
        "the emulator has no alarms that compute",
        "tests/policy/test_second_emulator.py::test_alarms_that_compute_are_taken",
    ),
    "Monitoring/StoreFails": Omission(
        "the emulator has no alarms that compute",
        "tests/policy/test_second_emulator.py::test_alarms_that_compute_are_taken",
    ),
    **{
        f"Firewall/{name}": Omission(
            "the emulator has no alarms that compute",
            "tests/policy/test_second_emulator.py::test_alarms_that_compute_are_taken",
        )
        for name in ("EdgeFunctionErrors", "EdgeFunctionInvalid", "EdgeFunctionThrottled")
    },
    **{
        f"Monitoring/{name}": Omission(
            "the emulator saves no queries",
            "tests/contract/test_template_monitoring.py::test_saved_queries_find_errors",
        )
        for name in ("ErrorsByRoute", "SlowestRoutes", "OneRequest")
    },
    "Backup/Selection": Omission(
        "the emulator selects nothing to back up",
        "tests/contract/test_template_backup.py::test_the_table_that_serves_and_the_files",
    ),
    **{
        f"{DOWNLOADS}/{name}": Omission(
            "the emulator has no keys of a CDN",
            "tests/contract/test_template_downloads.py::test_two_keys_fit_beside_each_other",
        )
        for name in ("Keys", "PublicKeyA", "PublicKeyB")
    },
    "UserPoolStack/Style": Omission(
        "the emulator does not style sign-in pages",
        "Makefile::cfn-lint",
    ),
}
REPLACED = {
    "the CDN of the release before": Omission(
        "the emulator updates no stack with a key-value store, so that release has the CDN of this one",
        "tests/cdn/test_template.py::test_the_template_is_what_make_edge_writes",
    ),
    "the layer": Omission(
        "the template's processor may not be this machine's, so the layer is the one for this machine",
        "tests/e2e/conftest.py::E2E_RUN",
    ),
    "requests through the distribution": Omission(
        "the emulator's distribution reaches no origin, so the model of it serves",
        "tests/local/test_edge.py::test_each_path_reaches_the_origin_of_its_behaviour",
    ),
    "the records of the mail domain": Omission(
        "the emulator signs no mails, so the output is left out; cfn-lint knows its attributes", "Makefile::cfn-lint"
    ),
    "the key set of the user pool": Omission(
        "its address is Cognito's own, so the functions read it from the emulator", "tests/http/test_issuer.py"
    ),
    "the distribution of files": Omission(
        "the emulator's judges no signature and reaches no bucket, so infra/local/downloads.py in front of it does",
        "tests/local/test_downloads.py::test_a_changed_address_is_refused",
    ),
    "the rules of the firewall": Omission(
        "the emulator takes them and applies none", "tests/contract/test_template_firewall.py"
    ),
    "the checksum of a form": Omission(
        "the emulator checks a form's size, type and key, but keeps no checksum, so infra/local/uploads.py does, "
        "as S3 documents it; `make verify` shows S3's own in an account",
        "tests/verify/test_verify.py::test_make_run_is_verified",
    ),
    "the address of the live channel's connections": Omission(
        "the emulator has them at its own, without TLS and without the limits of the platform",
        "tests/contract/test_template_stack.py::test_functions_post_to_connections_of_the_channel",
    ),
    "who may reach the bucket of papers": Omission(
        "the emulator takes its policy and applies none",
        "tests/contract/test_template_stack.py::test_papers_are_read_over_tls_and_from_outside_by_the_distribution_of_files_alone",
    ),
    "the scan for malware": Omission(
        "the emulator scans nothing, so MalwareProtection is off",
        "tests/functions/documents/test_scans.py::test_a_file_is_kept_back_until_it_is_clean",
    ),
}


def write(folder: Path, endpoint: str, sources: Path | None = None) -> Path:
    """Writes the built templates into a folder, for the emulator at `endpoint`. Returns the path of the stack's own.

    With `sources` it is the templates of another release, with the functions that were built from this one.
    """
    document = _read(sources / "template.yaml" if sources else BUILD / "template.yaml")
    _for_this_machine(document)
    _reach_connections(document, endpoint)
    for name, resource in document["Resources"].items():
        if resource["Type"] == NESTED:
            of_before = sources and name != CDN  # the emulator cannot update it
            path = sources / resource["Properties"]["TemplateURL"] if of_before else BUILD / name / "template.yaml"
            nested = _read(path)
            _omit(nested, f"{name}/")
            if name == DOWNLOADS:
                _serve_downloads(nested, endpoint)
            if name == "UserPoolStack":
                nested["Outputs"]["KeySet"]["Value"] = {"Fn::Sub": f"{endpoint}/${{Pool}}/.well-known/jwks.json"}
            resource["Properties"]["TemplateURL"] = str(_written(folder / f"{name}.json", nested))
    del document["Outputs"]["MailDkim"]
    document["Outputs"]["ApiId"] = {"Value": {"Ref": "Api"}}
    if "LiveChannel" in document["Resources"]:
        document["Outputs"]["LiveChannelId"] = {"Value": {"Ref": "LiveChannel"}}
    return _written(folder / "template.json", document)


def wait_for(path: Path, secret: str) -> None:
    """Adds to a template what cannot be created while a secret is not there, after the functions were published."""
    document = json.loads(path.read_text(encoding="utf-8"))
    document["Resources"]["Waits"] = {
        "Type": "AWS::SecretsManager::Secret",
        "DependsOn": f"{PUBLISHED}Aliaslive",
        "Properties": {"SecretString": f"{{{{resolve:secretsmanager:{secret}}}}}"},
    }
    _written(path, document)


def write_firewall(folder: Path, sources: Path = ROOT) -> Path:
    """Writes the firewall's template into a folder and returns its path."""
    document = _read(sources / "infra/firewall/template.yaml")
    _omit(document, f"{FIREWALL}/")
    return _written(folder / f"{FIREWALL}.json", document)


def _read(path: Path) -> dict[str, Any]:
    """Returns a template's document, to be changed."""
    return deepcopy(Template(path).document)


def _written(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _omit(document: dict[str, Any], prefix: str) -> None:
    """Removes the omitted resources of a nested stack, and the outputs that refer to them."""
    for name in [logical_id for logical_id in document["Resources"] if prefix + logical_id in OMITTED]:
        del document["Resources"][name]
        outputs = document.get("Outputs", {})
        for output in [key for key, value in outputs.items() if value["Value"] == {"Ref": name}]:
            del document["Outputs"][output]


def _serve_downloads(document: dict[str, Any], endpoint: str) -> None:
    """Leads to files by the address of the emulator, in front of which `infra/local/downloads.py` stands."""
    config = document["Resources"]["Distribution"]["Properties"]["DistributionConfig"]
    for behaviour in (config["DefaultCacheBehavior"], *config["CacheBehaviors"]):
        del behaviour["TrustedKeyGroups"]
    document["Outputs"]["Origin"]["Value"] = endpoint
    document["Outputs"]["KeyId"]["Value"] = KEY_ID


def _reach_connections(document: dict[str, Any], endpoint: str) -> None:
    """Lets functions post to connections of the live channel where the emulator has them."""
    for resource in document["Resources"].values():
        variables = resource.get("Properties", {}).get("Environment", {}).get("Variables", {})
        if "LIVE_ENDPOINT" in variables:
            variables["LIVE_ENDPOINT"] = {"Fn::Sub": f"{endpoint}/_aws/execute-api/${{LiveChannel}}/live"}


def _for_this_machine(document: dict[str, Any]) -> None:
    document["Globals"]["Function"]["Architectures"] = [layer.here()]
    for name, resource in document["Resources"].items():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties["CodeUri"] = str(BUILD / name)
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            properties |= {"ContentUri": str(NATIVE_LAYER.with_name(name)), "CompatibleArchitectures": [layer.here()]}
            resource.pop("Metadata", None)
        if "GenerateSecretString" in properties:  # the emulator knows no ExcludePunctuation
            properties["GenerateSecretString"]["ExcludeCharacters"] = string.punctuation
