"""The list of mails that were set aside: what an operator sees of them, newest first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from governance.mail.received import Refusal
from governance.settings import settings
from tests.calendars.mails import deliver, mail
from tests.operator.commands import boardctl


@pytest.mark.usefixtures("store", "bucket")
def test_what_was_set_aside_is_listed_with_its_reason_and_nothing_of_it() -> None:
    assert deliver(mail("eve@example.com", "meetings@example.com", "a private word"), b"no mail") != [None, None]
    result = boardctl("mails", "--bucket", settings().bucket_name)
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.output.splitlines()]
    assert {line["mail"]: line["reason"] for line in lines} == {"0": Refusal.UNKNOWN_ADDRESS, "1": Refusal.NO_SENDER}
    assert all(line.keys() == {"at", "mail", "reason"} for line in lines)


def test_without_a_bucket_those_of_this_machine_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_STATE", str(tmp_path))
    monkeypatch.delenv("MAILS_BUCKET", raising=False)
    assert boardctl("mails").output == ""
    refused = tmp_path / "inbox" / "refused"
    refused.mkdir(parents=True)
    (refused / "a.eml").write_text("a private word")
    (refused / "a.eml.txt").write_text(f"{Refusal.OUTDATED.value}\n")
    (line,) = boardctl("mails").output.splitlines()
    assert {**json.loads(line), "at": ""} == {"at": "", "mail": "a.eml", "reason": Refusal.OUTDATED.value}
