"""The checks of files: a form takes the file that was declared, and no other (ADR documents)."""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import urlsplit

from urllib3 import encode_multipart_formdata

from infra.verify.site import Answer, Failed, Site, Skipped, expect

_TYPE = "application/pdf"
_CONTENT = b"%PDF-1.7\n% Verification (may be deleted)\n%%EOF\n"
_OTHER = _CONTENT.replace(b"1.7", b"1.4")
_OTHERS: dict[str, tuple[bytes, dict[str, str]]] = {
    "a longer file": (_CONTENT + b"\n", {}),
    "a shorter file": (_CONTENT[:-1], {}),
    "a file of another type": (_CONTENT, {"Content-Type": "text/html"}),
    "a file with another checksum": (_OTHER, {}),
    "a file with a checksum of its own": (
        _OTHER,
        {"x-amz-checksum-sha256": base64.b64encode(hashlib.sha256(_OTHER).digest()).decode()},
    ),
}


def file_arrives(site: Site) -> None:
    """Sends a file by its form, completes the version, and downloads it by its signed address."""
    versions = _versions(site)
    version = _declared(site, versions)
    expect("the status of the form", _sent(version["upload"], _CONTENT).status, 200, 201, 204)
    completed = site.as_user(f"{versions}/{version['id']}/complete", "POST")
    expect("the status of the completion", completed.status, 200)
    if completed.json()["data"]["status"] == "scanning":
        raise Skipped("the file arrived and is scanned for malware; nobody reads it until it is clean")
    download = site.as_user(f"{versions}/{version['id']}/content").json()["data"]
    read = _at_its_host(download["url"])
    expect("the status of the download", read.status, 200)
    expect("the file that was downloaded", read.body, _CONTENT)


def others_are_refused(site: Site) -> None:
    """Sends files by a form that declares another one, none of which arrives."""
    versions = _versions(site)
    version = _declared(site, versions)
    for what, (content, fields) in _OTHERS.items():
        expect(f"the status of {what}", _sent(version["upload"], content, fields).status, 400, 403)
    completed = site.as_user(f"{versions}/{version['id']}/complete", "POST")
    expect("the status of the completion", completed.status, 409)
    expect("its reason", completed.json()["error"]["details"]["reason"], "UPLOAD_INCOMPLETE")


def _versions(site: Site) -> str:
    """Returns the path of the versions of a new document."""
    documents = f"{site.board_path()}/documents"
    created = site.as_user(documents, "POST", {"title": "Verification"})
    expect("the status of a new document", created.status, 201)
    return f"{documents}/{created.json()['data']['id']}/versions"


def _declared(site: Site, versions: str) -> Any:
    """Returns a version whose file is still to come."""
    digest = hashlib.sha256(_CONTENT).hexdigest()
    body = {"fileName": "Verification.pdf", "mimeType": _TYPE, "size": len(_CONTENT), "sha256": digest}
    declared = site.as_user(versions, "POST", body)
    expect("the status of a declared file", declared.status, 201)
    return declared.json()["data"]


def _sent(form: Any, content: bytes, changed: dict[str, str] | None = None) -> Answer:
    """Returns the bucket's answer to a file that is sent by a form, with some of its fields changed."""
    fields = {**form["fields"], **(changed or {}), "file": ("Verification.pdf", content, _TYPE)}
    body, content_type = encode_multipart_formdata(fields)
    return _at_its_host(form["url"], "POST", body, content_type=content_type)


def _at_its_host(url: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
    """Returns the answer of the bucket, which has an address of its own. Raises `Failed` if the URL has no host."""
    parts = urlsplit(url)
    if not parts.netloc:
        raise Failed(f"{url!r} is not an address")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Site(url).call(target, method, body, **headers)
