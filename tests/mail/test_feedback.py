"""What is read from the mail service's reports: permanent bounces and complaints, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.mail.feedback import parse
from tests.mail.reports import bounce, complaint, request_to

BOARD, USER, INVITE = "a" * 24, "b" * 24, "c" * 24
REQUEST = request_to("ann@example.com", boardId=BOARD, userId=USER)


def read(report: Any) -> list[tuple[str, str, str]]:
    return [(feedback.kind, feedback.email, feedback.reason) for feedback in parse(json.dumps(report))]


def test_a_permanent_bounce_and_a_complaint_say_which_address_and_what_the_mail_was_about() -> None:
    (feedback,) = parse(json.dumps(bounce(request_to("ann@example.com", boardId=BOARD, userId=USER, inviteId=INVITE))))
    assert (feedback.kind, feedback.email, feedback.reason) == ("bounce", "ann@example.com", "NoEmail")
    assert (feedback.board_id, feedback.user_id, feedback.invite_id) == (BOARD, USER, INVITE)
    (feedback,) = parse(json.dumps(complaint(REQUEST)))
    assert (feedback.kind, feedback.email, feedback.reason) == ("complaint", "ann@example.com", "abuse")
    assert (feedback.board_id, feedback.user_id, feedback.invite_id) == (BOARD, USER, None)


@pytest.mark.parametrize(
    "report",
    [
        *(bounce(REQUEST, bounceType=kind) for kind in ("Transient", "Undetermined", "SomethingNew")),
        bounce(request_to("post office", boardId=BOARD)),
        complaint(REQUEST, complaintFeedbackType="not-spam"),
    ],
)
def test_what_may_pass_an_address_that_nobody_can_have_and_who_took_a_mail_out_of_spam_say_nothing(report: Any) -> None:
    assert read(report) == []


def test_a_complaint_without_a_word_is_one() -> None:
    without = complaint(REQUEST)
    del without["complaint"]["complaintFeedbackType"]
    assert read(without) == [("complaint", "ann@example.com", "unknown")]


@pytest.mark.parametrize(
    "text",
    [
        "Successfully validated SNS topic for Amazon SES event publishing.",
        "",
        "[]",
        "null",
        '"Bounce"',
        "{}",
        '{"eventType": "Delivery"}',
        '{"eventType": "A new one"}',
        '{"Type": "Notification", "Message": "Successfully validated SNS topic for Amazon SES event publishing."}',
    ],
)
def test_what_is_no_bounce_and_no_complaint_says_nothing(text: str) -> None:
    assert parse(text) == []


def test_a_report_is_read_as_the_topic_wraps_it_and_as_identities_publish_it() -> None:
    wrapped = {"Type": "Notification", "TopicArn": "arn", "Message": json.dumps(bounce(REQUEST))}
    of_identity = {**bounce(REQUEST), "notificationType": "Bounce"}
    del of_identity["eventType"]
    assert read(wrapped) == read(of_identity) == [("bounce", "ann@example.com", "NoEmail")]


def test_a_report_has_one_id_however_often_it_comes_and_each_recipient_their_own() -> None:
    several = bounce(REQUEST)
    several["mail"]["destination"] = ["ann@example.com", "bob@example.com"]
    several["bounce"]["bouncedRecipients"] = [
        {"emailAddress": "Ann <ANN@example.com>"},
        {"emailAddress": "bob@example.com"},
        {"emailAddress": "ann@example.com"},
    ]
    first, again = (parse(json.dumps(several)) for _ in range(2))
    assert [feedback.email for feedback in first] == ["ann@example.com", "bob@example.com"]
    assert first == again
    assert len({feedback.id for feedback in (*first, *parse(json.dumps(complaint(REQUEST))))}) == 3


def test_the_address_that_was_mailed_counts_where_it_forwards_to_the_one_that_bounced() -> None:
    forwarded = bounce(REQUEST, bouncedRecipients=[{"emailAddress": "ann@elsewhere.example"}])
    assert read(forwarded) == [("bounce", "ann@example.com", "NoEmail")]


@pytest.mark.parametrize("word", ["ann@example.com", "550 5.1.1 <ann@example.com>", "", None, 7, "x" * 41])
def test_a_reason_is_one_word_and_holds_no_address(word: Any) -> None:
    assert read(bounce(REQUEST, bounceSubType=word)) == [("bounce", "ann@example.com", "unknown")]


@pytest.mark.parametrize(
    "tags", [None, {}, {"boardId": []}, {"boardId": ["a", "b"]}, {"boardId": "x"}, {"boardId": ["x"]}]
)
def test_a_mail_without_ids_is_about_no_board(tags: Any) -> None:
    report = bounce(REQUEST)
    report["mail"]["tags"] = tags
    (feedback,) = parse(json.dumps(report))
    assert (feedback.board_id, feedback.user_id, feedback.invite_id) == (None, None, None)


@pytest.mark.parametrize("member", ["bounce", "mail"])
def test_a_bounce_that_cannot_be_read_is_an_error(member: str) -> None:
    report = bounce(REQUEST)
    broken: object
    for broken in ([], {}, None, "x"):
        with pytest.raises(ValueError, match="lacks"):
            parse(json.dumps({**report, member: broken}))
