"""The outbox: mails stay on this machine, and a page shows them without running anything."""

import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from infra.local.event import HttpRequest
from infra.local.mail import SERVICE, Outbox


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "outbox")


def mail(subject: str = "Hello") -> bytes:
    """A mail in plain text and HTML."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "a@example.com", "b@example.com", subject
    made.set_content("the plain part")
    made.add_alternative('<p onclick="x()">the <b>rich</b> part</p>', subtype="html")
    return made.as_bytes()


def shown(outbox: Outbox, path: str) -> tuple[int, str]:
    """Status and HTML of a page."""
    answer = outbox.page(HttpRequest("GET", path, []))
    assert answer is not None
    assert dict(answer.headers)["Content-Security-Policy"].startswith("default-src 'none'")
    return answer.status, answer.body.decode()


def test_a_mail_sent_through_the_sdk_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    Outbox(tmp_path).capture()
    raw = mail()
    client = boto3.client("sesv2", region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
    answer = client.send_email(Content={"Raw": {"Data": raw}}, Destination={"ToAddresses": ["b@example.com"]})
    (file,) = tmp_path.glob("*.eml")
    assert file.read_bytes() == raw
    assert file.name == f"{answer['MessageId']}.eml"


def test_mails_of_one_moment_are_files_of_their_own(outbox: Outbox) -> None:
    assert len({outbox.write(mail()) for _ in range(50)}) == 50


def test_the_list_names_every_mail_newest_first(outbox: Outbox) -> None:
    assert "No mail yet" in shown(outbox, "/_local/mail")[1]
    for subject in ("first", "second"):
        outbox.write(mail(subject))
    page = shown(outbox, "/_local/mail")[1]
    assert 0 < page.index("second") < page.index("first")


def test_a_mail_is_shown_in_a_frame_that_runs_nothing(outbox: Outbox) -> None:
    name = outbox.write(mail("<script>alert(1)</script>"))
    status, page = shown(outbox, f"/_local/mail/{name}.eml")
    assert status == 200
    assert "<script" not in page
    assert '<iframe sandbox="allow-popups" srcdoc="&lt;p onclick=' in page
    assert "the plain part" in page


@pytest.mark.parametrize("name", ["nope.eml", "..%2f..%2fenv", "%00", ""])
def test_no_other_file_is_shown(outbox: Outbox, name: str) -> None:
    assert shown(outbox, f"/_local/mail/{name}")[0] == 404


def test_other_paths_are_not_the_outbox(outbox: Outbox) -> None:
    assert outbox.page(HttpRequest("GET", "/_local/mails", [])) is None


def test_functions_in_other_processes_find_a_mail_service(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def over_http(params: dict[str, Any], **_: Any) -> Any:
        path = params["url"].removeprefix("http://localhost:1")
        answer = outbox.page(HttpRequest(params["method"], path, [], params["body"]))
        assert answer is not None
        return AWSResponse(params["url"], answer.status, HTTPHeaders(), None), json.loads(answer.body)

    monkeypatch.setenv("AWS_ENDPOINT_URL_SESV2", f"http://localhost:1{SERVICE}")
    session = boto3.Session(region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
    client = session.client("sesv2")
    client.meta.events.register("before-call.sesv2.SendEmail", over_http)
    answer = client.send_email(Content={"Raw": {"Data": mail()}}, Destination={"ToAddresses": ["b@example.com"]})
    assert answer["MessageId"] in shown(outbox, "/_local/mail")[1]
