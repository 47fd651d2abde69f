"""Sends files by the forms of uploads, and checks their policy as a bucket does: the engine of tests does not."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance import instants
from governance.settings import settings
from governance.store.documents import papers
from tests.harness import sdk
from tests.harness.board_scenario import BoardScenario
from tests.harness.bucket import keys
from tests.harness.client import Client, Response

PDF = b"%PDF-1.7\n%%EOF\n"
_UNSIGNED = {"policy", "x-amz-signature"}


class Refused(Exception):
    """The bucket refuses the form."""


def declared(content: bytes = PDF, name: str = "Paper.pdf", **members: Any) -> dict[str, Any]:
    """Returns the body that declares a file with this content."""
    digest = hashlib.sha256(content).hexdigest()
    return {"fileName": name, "mimeType": "application/pdf", "size": len(content), "sha256": digest, **members}


def stored_files(client: Any) -> list[str]:
    """Returns the keys of the files that stay in the bucket of papers."""
    return [key for key in keys(client, settings().papers_bucket) if key.startswith(papers.FOLDER)]


def sent_files(client: Any) -> list[str]:
    """Returns the keys of the files that are where forms bring them."""
    return [key for key in keys(client, settings().papers_bucket) if not key.startswith(papers.FOLDER)]


def kept_at(version: Any) -> str:
    """Returns the key at which the file of a version that was just declared is to stay."""
    return _lasting(version["upload"]["fields"]["key"])


def _lasting(sent: str) -> str:
    return sent.replace("uploads/", papers.FOLDER)


def send(form: dict[str, Any], content: bytes, **changed: str) -> None:
    """Sends a file by the form of its upload; `changed` are fields that differ from the signed ones.

    Raises `Refused` as S3 refuses: after the hour, for a field that the policy does not name so, for another size, and
    where the checksum is not that of the content.
    """
    fields = {**form["fields"], **{name.replace("_", "-"): value for name, value in changed.items()}}
    policy = json.loads(base64.b64decode(fields["policy"]))
    _check_policy(policy, {**fields, "bucket": settings().papers_bucket}, len(content))
    if base64.b64encode(hashlib.sha256(content).digest()).decode() != fields["x-amz-checksum-sha256"]:
        raise Refused("BadDigest")
    sdk.s3().put_object(
        Bucket=settings().papers_bucket,
        Key=fields["key"],
        Body=content,
        ContentType=fields["Content-Type"],
        ChecksumAlgorithm="SHA256",
    )


def pretend_sent(form: dict[str, Any], size: int) -> None:
    """Lets the bucket say that it has the file of a form, though there may be no bucket."""
    _pretended[form["fields"]["key"]] = {
        "ContentLength": size,
        "ContentType": form["fields"]["Content-Type"],
        "ChecksumSHA256": form["fields"]["x-amz-checksum-sha256"],
    }
    papers.client().meta.events.register("before-call.s3.HeadObject", _answer, unique_id="uploads-in-tests")
    papers.copying_client().meta.events.register("before-call.s3.CopyObject", _copy, unique_id="uploads-in-tests")


_pretended: dict[str, dict[str, Any]] = {}


def _answer(params: dict[str, Any], **_: Any) -> Any:
    for key, said in _pretended.items():
        if params["url_path"].endswith(key):
            return AWSResponse("", HTTPStatus.OK, HTTPHeaders(), None), said
        if params["url_path"].endswith(_lasting(key)):
            absent = {"Error": {"Code": "404"}, "ResponseMetadata": {"HTTPStatusCode": HTTPStatus.NOT_FOUND}}
            return AWSResponse("", HTTPStatus.NOT_FOUND, HTTPHeaders(), None), absent
    return None


def _copy(params: dict[str, Any], **_: Any) -> Any:
    copied = [key for key in _pretended if params["headers"]["x-amz-copy-source"].endswith(key)]
    return (AWSResponse("", 200, HTTPHeaders(), None), {}) if copied else None


def _check_policy(policy: dict[str, Any], fields: dict[str, str], size: int) -> None:
    if datetime.fromisoformat(policy["expiration"]) <= instants.to_datetime(instants.now()):
        raise Refused("expired")
    named: set[str] = set()
    for condition in policy["conditions"]:
        if isinstance(condition, list):
            kind, low, high = condition
            assert kind == "content-length-range"
            if not low <= size <= high:
                raise Refused("size")
            named.add(kind)
        else:
            ((name, value),) = condition.items()
            named.add(name)
            if fields.get(name) != value:
                raise Refused(name)
    if fields.keys() - named - _UNSIGNED:
        raise Refused("a field that the policy does not name")
    assert named >= {"bucket", "key", "Content-Type", "content-length-range", "x-amz-checksum-sha256"}


@dataclass
class DocumentScenario:
    """A document of a board, whose versions its creator adds."""

    board: BoardScenario
    path: str
    client: Client

    @property
    def document(self) -> Any:
        """The document as its creator reads it."""
        return self.client.get(self.path).data

    def declare(self, content: bytes = PDF, name: str = "Paper.pdf", **members: Any) -> Any:
        """Creates a version whose file is still to come."""
        created = self.client.post(f"{self.path}/versions", declared(content, name, **members))
        assert created.status == 201, created.text
        return created.data

    def upload(self, content: bytes = PDF, name: str = "Paper.pdf", **members: Any) -> Any:
        """Creates a version and sends its file."""
        version = self.declare(content, name, **members)
        send(version["upload"], content)
        return version

    def add(self, content: bytes = PDF, name: str = "Paper.pdf", **members: Any) -> Any:
        """Creates a version that is ready."""
        completed = self.complete(self.upload(content, name, **members)["id"])
        assert completed.status == 200, completed.text
        return completed.data

    def complete(self, version_id: str) -> Response:
        """Says that the file of a version has been sent."""
        return self.client.post(f"{self.path}/versions/{version_id}/complete")


def new_document(board: BoardScenario, client: Client | None = None, **members: Any) -> DocumentScenario:
    """Creates a document, by default as the owner of the board."""
    caller = client or board.owner.client
    created = caller.post(f"{board.path}/documents", {"title": "Paper", **members})
    assert created.status == 201, created.text
    return DocumentScenario(board, f"{board.path}/documents/{created.data['id']}", caller)
