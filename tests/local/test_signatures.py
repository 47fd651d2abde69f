"""The buckets of `make run` refuse what S3 refuses: links, forms and requests whose signature does not hold."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

import boto3
import pytest
import urllib3
from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from infra.local import engine

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.slow
BUCKET, KEY, PAPER = "papers", "papers/board/1 (ä)", b"A paper"
FOREIGN = "another secret"
VIEWED = {
    "ResponseContentType": "application/pdf",
    "ResponseContentDisposition": "inline; filename*=UTF-8''B%C3%A4r.pdf",
}


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    running = engine.start(engine.MINISTACK, Path(tmp_path_factory.mktemp("engine")))
    yield running.environment["AWS_ENDPOINT_URL"]
    running.stop()


def client(endpoint: str, secret: str = "local") -> S3Client:
    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name=engine.REGION,
        aws_access_key_id="local",
        aws_secret_access_key=secret,
        config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
    )


@pytest.fixture(scope="module")
def s3(endpoint: str) -> S3Client:
    made = client(endpoint)
    made.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    made.put_object(Bucket=BUCKET, Key=KEY, Body=PAPER)
    return made


def link(s3: S3Client) -> str:
    return s3.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": KEY, **VIEWED}, ExpiresIn=120)


def get(url: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    answer = urllib3.request(method, url, headers=headers)
    return answer.status, answer.data


def refusal(code: str) -> bytes:
    return f"<Code>{code}</Code>".encode()


def test_a_link_opens_its_file_as_it_was_signed(s3: S3Client) -> None:
    answer = urllib3.request("GET", link(s3))
    assert (answer.status, answer.data, answer.headers["content-type"]) == (200, PAPER, "application/pdf")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        (("X-Amz-Signature=", "X-Amz-Signature=0"), "SignatureDoesNotMatch"),
        (("X-Amz-Signature=", "X-Amz-Signature=%C3%A4"), "SignatureDoesNotMatch"),
        (("X-Amz-Expires=120", "X-Amz-Expires=86400"), "SignatureDoesNotMatch"),
        (("&X-Amz-Expires=120", ""), "SignatureDoesNotMatch"),
        (("application%2Fpdf", "text%2Fhtml"), "SignatureDoesNotMatch"),
        (("papers/board/1", "papers/board/2"), "SignatureDoesNotMatch"),
        (("X-Amz-Signature=", "X-Amz-Unsigned="), "AccessDenied"),
        (("X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Algorithm=AWS4-ECDSA-P256-SHA256"), "AccessDenied"),
        (("X-Amz-Algorithm=AWS4-HMAC-SHA256&", ""), "AccessDenied"),
    ],
)
def test_a_changed_link_is_refused(s3: S3Client, changed: tuple[str, str], code: str) -> None:
    url = link(s3)
    assert changed[0] in url
    status, body = get(url.replace(*changed))
    assert (status, refusal(code) in body) == (403, True)


def test_a_link_is_refused_without_its_query_and_for_another_method(s3: S3Client) -> None:
    status, body = get(link(s3).partition("?")[0])
    assert (status, refusal("AccessDenied") in body) == (403, True)
    assert [get(link(s3), method)[0] for method in ("HEAD", "DELETE", "PUT", "POST")] == [403] * 4
    assert s3.get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == PAPER


@pytest.mark.parametrize(("minutes", "status"), [(3, 403), (1, 200)])
def test_a_link_is_refused_when_it_has_expired(
    s3: S3Client, monkeypatch: pytest.MonkeyPatch, minutes: int, status: int
) -> None:
    then = datetime.now(UTC) - timedelta(minutes=minutes)
    monkeypatch.setattr(auth, "get_current_datetime", lambda: then)
    request = AWSRequest("GET", f"{s3.meta.endpoint_url}/{BUCKET}/{quote(KEY)}")
    auth.S3SigV4QueryAuth(Credentials("local", "local"), "s3", engine.REGION, expires=120).add_auth(request)
    answer = get(str(request.url))
    assert answer[0] == status
    assert (refusal("AccessDenied") in answer[1] and b"Request has expired" in answer[1]) == (status == 403)


def test_a_link_that_was_signed_with_another_secret_is_refused(endpoint: str, s3: S3Client) -> None:
    assert refusal("SignatureDoesNotMatch") in get(link(client(endpoint, FOREIGN)))[1]
    assert get(link(s3))[0] == 200


@pytest.mark.parametrize("secret", ["local", FOREIGN])
def test_a_request_is_served_by_a_header_that_was_signed_with_the_secret_alone(s3: S3Client, secret: str) -> None:
    request = AWSRequest("GET", f"{s3.meta.endpoint_url}/{BUCKET}/{quote(KEY)}")
    auth.S3SigV4Auth(Credentials("local", secret), "s3", engine.REGION).add_auth(request)
    signed = dict(request.headers.items())
    assert get(str(request.url), **signed)[0] == (200 if secret == "local" else 403)
    for spoilt in ("AWS4-HMAC-SHA256 ", "Bearer x", signed["Authorization"][:-1]):
        assert get(str(request.url), **{**signed, "Authorization": spoilt})[0] == 403


def form(s3: S3Client, expires: int = 3600) -> dict[str, str]:
    fields = {"Content-Type": "application/pdf"}
    conditions: list[Any] = [fields, ["content-length-range", len(PAPER), len(PAPER)]]
    made = s3.generate_presigned_post(BUCKET, "uploads/1", Fields=fields, Conditions=conditions, ExpiresIn=expires)
    return dict(made["fields"])


def send(s3: S3Client, fields: dict[str, str], content: bytes = PAPER, query: str = "") -> tuple[int, bytes]:
    url = f"{s3.meta.endpoint_url}/{BUCKET}{query}"
    answer = urllib3.request("POST", url, fields={**fields, "file": ("a.pdf", content)})
    return answer.status, answer.data


def keys(s3: S3Client) -> list[str]:
    return [entry["Key"] for entry in s3.list_objects_v2(Bucket=BUCKET)["Contents"]]


def test_a_form_brings_its_file_as_it_was_signed(s3: S3Client) -> None:
    assert send(s3, form(s3))[0] == 204
    assert "uploads/1" in keys(s3)
    s3.delete_object(Bucket=BUCKET, Key="uploads/1")


def test_no_field_counts_that_stands_behind_the_file(s3: S3Client) -> None:
    fields: list[Any] = list(form(s3).items())
    file: Any = ("file", ("a.pdf", PAPER))
    late = [entry for entry in fields if entry[0] == "x-amz-signature"]
    early = [entry for entry in fields if entry not in late]
    for sent, status in (([file, *fields], 400), ([*early, file, *late], 403)):
        answer = urllib3.request("POST", f"{s3.meta.endpoint_url}/{BUCKET}", fields=sent)
        assert answer.status == status
    assert keys(s3) == [KEY]


def widened(fields: dict[str, str]) -> str:
    """Returns the policy with another limit of sizes."""
    policy = json.loads(base64.b64decode(fields["policy"]))
    policy["conditions"] = [[*part[:2], 10**9] if isinstance(part, list) else part for part in policy["conditions"]]
    return base64.b64encode(json.dumps(policy).encode()).decode()


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        ({"x-amz-signature": "0" * 64}, 403, "SignatureDoesNotMatch"),
        ({"x-amz-signature": ""}, 403, "SignatureDoesNotMatch"),
        ({"x-amz-signature": "ä"}, 403, "SignatureDoesNotMatch"),
        ({"x-amz-credential": "local/20200101/eu-west-1/s3/aws4_request"}, 403, "SignatureDoesNotMatch"),
        ({"x-amz-credential": "local"}, 400, "InvalidArgument"),
        ({"key": "uploads/2"}, 403, "AccessDenied"),
        ({"Content-Type": "text/html"}, 403, "AccessDenied"),
        ({"acl": "public-read"}, 403, "AccessDenied"),
    ],
)
def test_a_changed_form_is_refused_and_brings_nothing(
    s3: S3Client, changed: dict[str, str], status: int, code: str
) -> None:
    answer = send(s3, form(s3) | changed)
    assert (answer[0], refusal(code) in answer[1]) == (status, True)
    assert keys(s3) == [KEY]


def test_a_form_is_refused_with_another_policy_or_secret_or_size_unsigned_and_when_it_has_expired(
    endpoint: str, s3: S3Client
) -> None:
    fields = form(s3)
    unsigned = {name: value for name, value in fields.items() if not name.startswith("x-amz-")}
    old = unsigned | {"AWSAccessKeyId": "local", "signature": "x"}
    for sent, code in (
        (fields | {"policy": widened(fields)}, "SignatureDoesNotMatch"),
        (form(client(endpoint, FOREIGN)), "SignatureDoesNotMatch"),
        (form(s3, expires=-1), "AccessDenied"),
        (unsigned, "AccessDenied"),
        ({"key": "uploads/1"}, "AccessDenied"),
        (old, "AccessDenied"),
    ):
        status, body = send(s3, sent)
        assert (status, refusal(code) in body) == (403, True)
    assert refusal("EntityTooLarge") in send(s3, fields, PAPER + b"!")[1]
    assert keys(s3) == [KEY]


@pytest.mark.parametrize("method", ["GET", "PUT", "POST", "DELETE"])
@pytest.mark.parametrize("query", ["", "delete", "uploads", urlencode({"list-type": "2"})])
def test_nobody_lists_or_changes_a_bucket_without_a_signature(s3: S3Client, method: str, query: str) -> None:
    host = urlsplit(s3.meta.endpoint_url).netloc
    for path in (f"/{BUCKET}", f"/{BUCKET}/new", "/new"):
        status, body = get(f"http://{host}{path}?{query}", method)
        assert (status, refusal("AccessDenied") in body) == (403, True)
    assert send(s3, {"key": "x"}, query="?delete")[0] == 403
    assert keys(s3) == [KEY]
