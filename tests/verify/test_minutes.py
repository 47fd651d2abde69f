"""The program that checks files of minutes: it accepts what the service makes, and nothing that was altered since."""

from __future__ import annotations

import copy
import hashlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from governance.log.notes import Checkpoint, sign_checkpoint
from governance.log.tiles import WIDTH, Edge, tiles_of
from governance.minutes_file.certificate import to_pem
from governance.minutes_file.pages import contents_of
from governance.minutes_file.seals import seal
from governance.models.meetings.approved_minutes import ApprovedMinutes
from infra.verify import minutes as checker
from tests.minutes_file.making import (
    CHAIR,
    KEY,
    LOG,
    SECRETARY,
    SIGNER,
    drawn,
    event,
    logged,
    new_key,
    plain,
    signed_elsewhere,
    version,
)

PROGRAM = Path(checker.__file__)
Change = Callable[[dict[str, Any]], None]


def file_of(facts: ApprovedMinutes, folder: Path) -> bytes:
    return seal(drawn(facts, folder), contents_of(facts).acts, KEY)


def refusal(content: bytes, *certificates: bytes, key: str = LOG.text, log: Sequence[bytes] = ()) -> str | None:
    """Returns why a file is refused; None if it holds."""
    try:
        checker.report(content, key, certificates or [KEY.certificate], log)
    except checker.Refuted as refuted:
        return str(refuted)
    return None


def entry_of(certificate: bytes) -> bytes:
    """Returns the entry of the log that is about a certificate (ADR minutes)."""
    told = f'{{"object":"seal_certificate","sha256":"{hashlib.sha256(certificate).hexdigest()}"}}'
    return hashlib.sha256(bytes(32) + told.encode()).digest()


def log_of(*entries: bytes) -> list[bytes]:
    """Returns what everybody reads of a log: its checkpoint, and its files of entries in their order."""
    edge = Edge()
    files = edge.append(entries)
    signed = sign_checkpoint(Checkpoint(LOG.name, edge.size, edge.root), LOG, SIGNER.sign)
    return [signed.text.encode(), *(files[tile] for tile in tiles_of(edge.size) if tile.level is None)]


def others(count: int) -> list[bytes]:
    return [hashlib.sha256(bytes([number % WIDTH, number // WIDTH])).digest() for number in range(count)]


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return file_of(plain(CHAIR, SECRETARY), tmp_path_factory.mktemp("minutes"))


def run(folder: Path, content: bytes, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the program as a stranger does: a copy of the one file, with nothing of the project beside it."""
    (folder / "check.py").write_bytes(PROGRAM.read_bytes())
    (folder / "minutes.pdf").write_bytes(content)
    (folder / "seal.pem").write_bytes(to_pem(KEY.certificate))
    command = [sys.executable, "-I", "check.py", "minutes.pdf", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def test_the_program_needs_nothing_of_the_project(tmp_path: Path, signed: bytes) -> None:
    done = run(tmp_path, signed_elsewhere(signed), "--key", LOG.text, "--certificate", "seal.pem")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == [checker.SIGNED, checker.SEALED]
    assert "Elsewhere: Common Name: Somebody, elsewhere." in done.stdout
    altered = run(tmp_path, signed.replace(b"/Count 2", b"/Count 1", 1), "--key", LOG.text)
    assert (altered.returncode, altered.stdout) == (1, "")


def test_without_key_and_certificate_the_program_says_what_was_not_checked(tmp_path: Path, signed: bytes) -> None:
    done = run(tmp_path, signed)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-2:] == [checker.UNSIGNED, checker.UNSEALED]


def test_a_copy_of_the_log_shows_whose_the_seals_are(tmp_path: Path, signed: bytes) -> None:
    for name, content in zip("abc", log_of(*others(WIDTH), entry_of(KEY.certificate)), strict=True):
        (tmp_path / name).write_bytes(content)
    done = run(tmp_path, signed, "--key", LOG.text, "--log", "a", "b", "c")
    place = f"entry {WIDTH} of the log {LOG.name}, which had {WIDTH + 1} entries then"
    assert done.stdout.splitlines()[-2:] == [checker.SIGNED, f"The certificate of the seals is {place}."]
    assert (done.returncode, done.stderr) == (0, "")
    older = run(tmp_path, signed, "--key", LOG.text, "--log", "a", "b")
    assert (older.returncode, older.stdout) == (1, "")


def test_a_copy_of_the_log_is_whole_and_signed_and_holds_the_certificate(signed: bytes) -> None:
    own, another = entry_of(KEY.certificate), entry_of(new_key().certificate)
    log, without = log_of(own, *others(WIDTH)), log_of(another, *others(WIDTH))
    assert refusal(signed, log=log) is None
    assert refusal(signed, log=[*log[:-1], log_of(own, *others(WIDTH + 1))[-1]]) is None, "entries of a second later"
    assert "does not hold the certificate" in str(refusal(signed, log=without))
    for forged in ([without[0], *log[1:]], log[:-1], [log[0], *log[:0:-1]], [log[0]]):
        assert "not whole" in str(refusal(signed, log=forged))
    unsigned = log[0].replace(LOG.name.encode(), b"example.net/log")
    assert refusal(signed, log=[unsigned, *log[1:]]) == "The checkpoint is one of another log than the key."
    assert refusal(signed, log=[b"\xff", *log[1:]]) == "The checkpoint is malformed."


def test_other_keys_than_those_of_the_service_are_refused(signed: bytes) -> None:
    assert refusal(signed) is None
    other = new_key().certificate
    assert refusal(signed, other) == "A seal is one of another certificate."
    assert refusal(signed, other, KEY.certificate) is None
    assert refusal(signed, key=replace(LOG, name="example.net/log").text) is not None
    assert refusal(signed[:-10]) is not None
    assert refusal(b"%PDF-1.7") is not None


def no_proof(approval: dict[str, Any]) -> None:
    approval["event"] |= {"proof": None, "index": None}


def other_approver(approval: dict[str, Any]) -> None:
    approval["approvedByUserId"] = SECRETARY


def other_signer(approval: dict[str, Any]) -> None:
    approval["signatures"][0]["userId"] = SECRETARY


def other_version(approval: dict[str, Any]) -> None:
    approval["version"] = 3


def other_meeting(approval: dict[str, Any]) -> None:
    approval["meetingId"] = "e" * 24


def other_hash(approval: dict[str, Any]) -> None:
    (approval["event"],) = logged(event("minutes.approved", CHAIR, "0" * 64))


def not_approved(approval: dict[str, Any]) -> None:
    (approval["event"],) = logged(event("minutes.circulated", CHAIR, approval["sha256"]))


def changed_event(approval: dict[str, Any]) -> None:
    approval["event"]["entry"] = approval["event"]["entry"].replace('"web"', '"agent"')


@pytest.mark.parametrize(
    "change",
    [no_proof, other_approver, other_signer, other_version, other_meeting, other_hash, not_approved, changed_event],
)
def test_an_approval_that_was_not_logged_so_is_refused_though_the_seals_hold(tmp_path: Path, change: Change) -> None:
    facts = plain(CHAIR)
    approval: Any = copy.deepcopy(facts.approval)
    change(approval)
    assert refusal(file_of(replace(facts, approval=approval), tmp_path)) is not None


def test_other_minutes_than_those_that_were_approved_are_refused(tmp_path: Path) -> None:
    facts = replace(plain(CHAIR), version=version("Ann presents nothing.", "It closes."))
    assert refusal(file_of(facts, tmp_path)) == "Other minutes were approved."


def test_a_file_without_a_seal_for_each_signature_is_refused(tmp_path: Path) -> None:
    facts = plain(CHAIR, SECRETARY)
    content = drawn(facts, tmp_path)
    assert refusal(seal(content, contents_of(facts).acts[:1], KEY)) == "A seal is missing."
    assert (
        refusal(signed_elsewhere(seal(content, contents_of(facts).acts[:1], KEY)))
        == "A seal is one of another certificate."
    )
