"""What the policies allow, asked of a simulator: the bucket's to the distribution, and the key's to the functions.

`tests/contract/test_privileges.py` asks it about the roles, for every call that the functions make.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from governance.store.history import seal_certificates
from infra.catalog.publish import objects
from infra.catalog.releases import load
from infra.cdn import distribution
from infra.pages.app.site import app_site
from infra.policy.simulation import DISTRIBUTION, FILES, Policies, Request, Simulation, simulate
from infra.publish import page_files
from infra.stack.template import Template

pytestmark = pytest.mark.slow

POLICIES = Policies(Template())
BUCKET_POLICY = POLICIES.document("StaticBucketPolicy", "PolicyDocument")
SERVICE = "cloudfront.amazonaws.com"
PRIVATE = ("avatars/neutral.png", "avatars/x/y.png", "catalog/publications", "api/v1", "app", "index.html", "secret")


def published_keys() -> list[str]:
    """Returns the keys that publishing and functions write and a behaviour serves, with three of the catalog's."""
    pages = [
        path.removeprefix("/") for path in page_files("https://x.example", app_site()) if path != "/docs"
    ]  # served as docs/index.html
    catalog = [entry.key for entry in objects(load())][:3]
    rules = distribution.read({"OidcOrigins": "", "PapersOrigin": "", "DownloadsOrigin": ""})
    return [
        key
        for key in [*pages, *catalog, "log/checkpoint", seal_certificates.KEY]
        if rules.behaviour(f"/{key}").origin in rules.buckets
    ]


def allowed_to_distribution(keys: list[str], *, source: str = DISTRIBUTION, tls: str = "true") -> list[bool]:
    """Returns for each key whether a distribution may read it."""
    context = {"aws:SourceArn": source, "aws:SecureTransport": tls}
    arn = POLICIES.arn("StaticBucket")
    requests = [Request(SERVICE, "s3:GetObject", f"{arn}/{key}", context) for key in keys]
    return simulate([Simulation(request, resource=BUCKET_POLICY) for request in requests])


def test_the_distribution_may_read_every_published_key_that_a_behaviour_serves() -> None:
    keys = published_keys()
    assert len(keys) > 30
    refused = [key for key, is_allowed in zip(keys, allowed_to_distribution(keys), strict=True) if not is_allowed]
    assert refused == []


def test_the_distribution_may_read_nothing_else() -> None:
    assert not any(allowed_to_distribution(list(PRIVATE)))


def test_the_bucket_opens_no_folder_that_holds_nothing_published() -> None:
    (statement,) = [statement for statement in BUCKET_POLICY["Statement"] if statement["Sid"] == "OurDistribution"]
    patterns = [pattern.removeprefix(f"{POLICIES.arn('StaticBucket')}/") for pattern in statement["Resource"]]
    keys = published_keys()
    assert [pattern for pattern in patterns if not any(fnmatchcase(key, pattern) for key in keys)] == []


def test_no_other_distribution_and_nobody_without_tls_may_read() -> None:
    assert allowed_to_distribution(["openapi.json"]) == [True]
    assert allowed_to_distribution(["openapi.json"], source=f"{DISTRIBUTION}X") == [False]
    assert allowed_to_distribution(["openapi.json"], tls="false") == [False]


@pytest.mark.parametrize(
    ("bucket", "policy", "key", "others"),
    [
        ("PapersBucket", "PapersBucketPolicy", "papers/1/2/3", ("uploads/1/2/3", "x")),
        ("StaticBucket", "StaticBucketPolicy", "exports/1.zip", ("avatars/1.svg", "log/key", "openapi.json")),
    ],
)
def test_the_distribution_of_files_reads_their_folder_of_each_bucket_and_nothing_else(
    bucket: str, policy: str, key: str, others: tuple[str, ...]
) -> None:
    def may(action: str, resource: str, source: str = FILES) -> Simulation:
        context = {"aws:SourceArn": source, "aws:SecureTransport": "true"}
        request = Request(SERVICE, action, f"{POLICIES.arn(bucket)}{resource}", context)
        return Simulation(request, resource=POLICIES.document(policy, "PolicyDocument"))

    refused = [
        may("s3:GetObject", f"/{key}", DISTRIBUTION),
        may("s3:PutObject", f"/{key}"),
        may("s3:ListBucket", ""),
        *(may("s3:GetObject", f"/{other}") for other in others),
    ]
    assert simulate([may("s3:GetObject", f"/{key}"), *refused]) == [True, *[False] * len(refused)]


@pytest.mark.parametrize(
    ("action", "groups"), [("kms:Encrypt", {"mcp", "webhooks"}), ("kms:Decrypt", {"webhook_sender"})]
)
def test_the_key_lets_only_the_functions_of_webhooks_use_it(action: str, groups: set[str]) -> None:
    """Even of roles that may use every key: an error in a role's policy opens nothing."""
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "kms:*", "Resource": "*"}]}
    roles = POLICIES.roles()
    names = {group: POLICIES.role_name(group) for group in roles}
    requests = {
        group: Request(name, action, POLICIES.arn("WebhookKey"), {"aws:PrincipalArn": name})
        for group, name in names.items()
    }
    policy = POLICIES.document("WebhookKey", "KeyPolicy")

    def allowed(identities: dict[str, object]) -> set[str]:
        simulations = [Simulation(request, identities[group], policy) for group, request in requests.items()]
        return {group for group, is_allowed in zip(requests, simulate(simulations), strict=True) if is_allowed}

    assert allowed(roles) == groups
    assert allowed(dict.fromkeys(roles, everything)) == groups
