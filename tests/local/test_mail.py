"""The outbox: e-mails stay on this machine, and a page shows them without running scripts."""

import base64
import json
from email.message import EmailMessage
from pathlib import Path

import boto3
import pytest

from infra.local.event import HttpRequest
from infra.local.mail import Outbox


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "outbox")


def email(subject: str = "Hello") -> bytes:
    """Returns an e-mail in plain text and HTML."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.com", "b@example.com", subject
    message.set_content("the plain part")
    message.add_alternative('<p onclick="x()">the <b>rich</b> part</p>', subtype="html")
    return message.as_bytes()


def get_page(outbox: Outbox, path: str) -> tuple[int, str]:
    """Returns the status and the HTML of a page."""
    response = outbox.page(HttpRequest("GET", path, []))
    assert response is not None
    assert dict(response.headers)["Content-Security-Policy"].startswith("default-src 'none'")
    return response.status, response.body.decode()


def test_an_email_sent_through_the_sdk_becomes_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    Outbox(tmp_path).capture()
    raw = email()
    client = boto3.client("sesv2", region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
    response = client.send_email(Content={"Raw": {"Data": raw}}, Destination={"ToAddresses": ["b@example.com"]})
    (file,) = tmp_path.glob("*.eml")
    assert file.read_bytes() == raw
    assert file.name == f"{response['MessageId']}.eml"


def test_what_is_no_file_is_no_email(outbox: Outbox, tmp_path: Path) -> None:
    (tmp_path / "outbox" / "folder.eml").mkdir()
    (tmp_path / "outbox" / "gone.eml").symlink_to("nowhere")
    outbox.write(email("the only one"))
    status, page = get_page(outbox, "/_local/mail")
    assert (status, page.count("<a href"), "the only one" in page) == (200, 1, True)
    assert get_page(outbox, "/_local/mail/folder.eml")[0] == 404


def test_the_list_has_every_email_newest_first(outbox: Outbox) -> None:
    assert "No e-mails yet" in get_page(outbox, "/_local/mail")[1]
    for subject in ("first", "second"):
        outbox.write(email(subject))
    page = get_page(outbox, "/_local/mail")[1]
    assert 0 < page.index("second") < page.index("first")


def test_an_email_is_shown_in_a_frame_without_scripts(outbox: Outbox) -> None:
    name = outbox.write(email("<script>alert(1)</script>"))
    status, page = get_page(outbox, f"/_local/mail/{name}.eml")
    assert status == 200
    assert "<script" not in page
    assert '<iframe sandbox="allow-popups" srcdoc="&lt;p onclick=' in page
    assert "the plain part" in page


@pytest.mark.parametrize("name", ["nope.eml", "..%2f..%2fenv", "%00", ""])
def test_other_files_are_not_served(outbox: Outbox, name: str) -> None:
    assert get_page(outbox, f"/_local/mail/{name}")[0] == 404
    assert outbox.page(HttpRequest("GET", "/_local/mails", [])) is None


def send(outbox: Outbox, path: str, body: bytes) -> int:
    """Returns the status of a POST as a web page of another origin can send it; None from the outbox counts as 404."""
    response = outbox.page(HttpRequest("POST", path, [("Content-Type", "text/plain")], body))
    return 404 if response is None else response.status


SEND = "/v2/email/outbound-emails"
FORGED = json.dumps({"Content": {"Raw": {"Data": base64.b64encode(email("forged")).decode()}}}).encode()


def test_only_who_knows_the_path_of_this_run_can_send(outbox: Outbox, tmp_path: Path) -> None:
    assert outbox.service_path != Outbox(tmp_path).service_path
    for path in (f"/_local/mail-service{SEND}", f"/_local/mail-service/{'x' * 32}{SEND}"):
        assert send(outbox, path, FORGED) == 404
    assert "No e-mails yet" in get_page(outbox, "/_local/mail")[1]
    assert send(outbox, outbox.service_path + SEND, FORGED) == 200
    assert "forged" in get_page(outbox, "/_local/mail")[1]


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b"null", b"no json", b'{"Content": {"Raw": {"Data": "###"}}}', b"\xff"]
)
def test_a_malformed_call_of_the_mail_service_is_refused(outbox: Outbox, body: bytes) -> None:
    assert send(outbox, outbox.service_path + SEND, body) == 400
    assert "No e-mails yet" in get_page(outbox, "/_local/mail")[1]


@pytest.mark.parametrize("address", ["192.0.2.7", "2001:db8::7"])
def test_other_machines_see_no_email(outbox: Outbox, address: str) -> None:
    name = outbox.write(email())
    for path in ("/_local/mail", f"/_local/mail/{name}.eml"):
        assert outbox.page(HttpRequest("GET", path, [], address=address)) is None
