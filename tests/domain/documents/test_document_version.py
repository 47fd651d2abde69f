"""The versions of a document: how many, when a file has arrived, which one is the latest."""

from __future__ import annotations

from typing import get_args

import pytest

from governance.domain.documents import document_version as document_version_rules
from governance.domain.documents.document_version import Verdict
from governance.ids import UserId
from governance.instants import Instant, shift
from governance.limits import DOCUMENT_VERSIONS, SCAN_FIRST_SECONDS, SCAN_HOURS, SCAN_LONGEST_SECONDS
from governance.models.documents.document_version import DocumentVersionCreate, StoredVersions
from governance.texts import Language
from tests.domain.samples import conflict, document, refusal

NOW = Instant("2027-03-01T09:00:00.000Z")
USER = UserId("a" * 24)
DIGEST = "0" * 64
DOCUMENT = document(id="d" * 24, latest_version_id="v7")
BODY = DocumentVersionCreate.model_validate(
    {"fileName": "a.pdf", "mimeType": "application/pdf", "size": 5, "sha256": DIGEST}
)


def versions(number: int, ready: tuple[int, ...] = ()) -> StoredVersions:
    """Returns that many versions, newest first; those at the positions in `ready` have arrived."""
    added = None
    for minute in range(number):
        at = Instant(f"2027-03-01T09:{minute:02d}:00.000Z")
        added = document_version_rules.added(DOCUMENT, added, document_version_rules.declared(BODY, USER, at))
    assert added is not None
    for position in ready:
        added = document_version_rules.completed(added, added.versions[position])
    return added


def test_versions_are_kept_newest_first_whenever_they_were_added() -> None:
    earlier = versions(3)
    late = document_version_rules.declared(BODY, USER, NOW)
    ids = [kept.id for kept in document_version_rules.added(DOCUMENT, earlier, late).versions]
    assert ids == sorted(ids, reverse=True)
    assert late.id in ids[2:]
    assert document_version_rules.added(DOCUMENT, earlier, late).version == earlier.version + 1 == 4


def test_there_are_50_versions_at_most() -> None:
    full = versions(DOCUMENT_VERSIONS)
    assert (
        refusal(document_version_rules.added, DOCUMENT, full, document_version_rules.declared(BODY, USER, NOW))[0]
        == 409
    )
    less = document_version_rules.without(full, full.versions[7])
    assert (
        len(document_version_rules.added(DOCUMENT, less, document_version_rules.declared(BODY, USER, NOW)).versions)
        == DOCUMENT_VERSIONS
    )


def test_what_is_not_there_is_a_404() -> None:
    assert refusal(document_version_rules.existing, None)[0] == 404
    assert refusal(document_version_rules.find, versions(1), "0" * 24)[0] == 404


@pytest.mark.parametrize(
    "received",
    [
        None,
        document_version_rules.ReceivedFile(4, "application/pdf", DIGEST),
        document_version_rules.ReceivedFile(5, "text/html", DIGEST),
        document_version_rules.ReceivedFile(5, "application/pdf", "1" * 64),
        document_version_rules.ReceivedFile(5, "application/pdf", None),
    ],
)
def test_only_the_declared_file_has_arrived(received: document_version_rules.ReceivedFile | None) -> None:
    version = document_version_rules.declared(BODY, USER, NOW)
    document_version_rules.check_arrived(version, document_version_rules.ReceivedFile(5, "application/pdf", DIGEST))
    assert refusal(document_version_rules.check_arrived, version, received)[0] == 409


def test_only_the_statement_that_there_is_no_threat_lets_a_file_pass() -> None:
    scanned = document_version_rules.scanning(document_version_rules.declared(BODY, USER, NOW), NOW)
    assert document_version_rules.verdict(scanned, "NO_THREATS_FOUND", NOW) is Verdict.CLEAN
    assert document_version_rules.verdict(scanned, "THREATS_FOUND", NOW) is Verdict.THREAT
    for other in ("UNSUPPORTED", "ACCESS_DENIED", "FAILED", "", "clean"):
        assert document_version_rules.verdict(scanned, other, NOW) is Verdict.NOT_SCANNED


def test_a_scan_without_a_result_is_waited_for_a_day_ever_longer() -> None:
    scanned = document_version_rules.scanning(document_version_rules.declared(BODY, USER, NOW), NOW)
    day = shift(NOW, hours=SCAN_HOURS)
    assert document_version_rules.verdict(scanned, None, shift(day, seconds=-1)) is None
    assert document_version_rules.verdict(scanned, None, day) is Verdict.NOT_SCANNED
    assert document_version_rules.scan_due_at(scanned) == shift(NOW, seconds=SCAN_FIRST_SECONDS)
    waits = [
        document_version_rules.next_scan_seconds(scanned, shift(NOW, seconds=seconds)) for seconds in (0, 60, 86_000)
    ]
    assert waits == [SCAN_FIRST_SECONDS, 60, SCAN_LONGEST_SECONDS]


def test_a_file_that_is_kept_back_says_why() -> None:
    version = document_version_rules.declared(BODY, USER, NOW)
    for why in (Verdict.THREAT, Verdict.NOT_SCANNED):
        for language in get_args(Language):
            assert document_version_rules.rejected(version, why, language).reason
    reasons = {
        "uploading": "UPLOAD_INCOMPLETE",
        "scanning": "FILE_IS_SCANNED",
        "rejected": "FILE_REJECTED",
        "failed": "UPLOAD_INCOMPLETE",
    }
    for status, reason in reasons.items():
        assert refusal(document_version_rules.check_ready, version.model_copy(update={"status": status})) == conflict(
            reason
        )


def test_an_upload_is_forgotten_after_a_day() -> None:
    assert (
        document_version_rules.forgotten_at(document_version_rules.declared(BODY, USER, NOW))
        == "2027-03-02T09:00:00.000Z"
    )


def test_the_newest_that_is_ready_is_no_upload() -> None:
    assert document_version_rules.newest_ready(versions(3)) is None
    stored = versions(4, ready=(1, 3))
    assert document_version_rules.newest_ready(stored) == stored.versions[1]
    assert document_version_rules.as_latest(stored.versions[1])["latest_version_id"] == stored.versions[1].id


@pytest.mark.parametrize("latest", ["v8", None])
def test_without_versions_the_latest_and_the_type_are_free_text(latest: str | None) -> None:
    changes = {"latest_version_id": latest, "mime_type": "text/free"}
    assert document_version_rules.with_latest(DOCUMENT, None, changes) == changes
    one = versions(1)
    assert (
        document_version_rules.with_latest(DOCUMENT, document_version_rules.without(one, one.versions[0]), changes)
        == changes
    )


def test_with_versions_the_latest_is_one_that_is_ready_or_what_it_was() -> None:
    stored = versions(2, ready=(1,))
    uploading, ready = stored.versions
    assert document_version_rules.with_latest(DOCUMENT, stored, {"latest_version_id": ready.id}) == {
        "latest_version_id": ready.id,
        "mime_type": "application/pdf",
    }
    assert document_version_rules.with_latest(DOCUMENT, stored, {"latest_version_id": "v7"}) == {
        "latest_version_id": "v7"
    }
    for wrong in (uploading.id, "v8", None):
        assert refusal(document_version_rules.with_latest, DOCUMENT, stored, {"latest_version_id": wrong})[0] == 400
    none = {"latest_version_id": None, "mime_type": None}
    assert document_version_rules.with_latest(DOCUMENT, versions(1), {"latest_version_id": None}) == none


def test_with_versions_the_type_is_that_of_the_latest() -> None:
    stored = versions(2, ready=(1,))
    document = DOCUMENT.model_copy(update={"mime_type": "text/csv"})
    assert document_version_rules.with_latest(document, stored, {"mime_type": "text/csv"}) == {"mime_type": "text/csv"}
    assert refusal(document_version_rules.with_latest, document, stored, {"mime_type": "text/html"})[0] == 400
    assert refusal(document_version_rules.with_latest, document, stored, {"mime_type": None})[0] == 400
    both = {"latest_version_id": stored.versions[1].id, "mime_type": "application/pdf"}
    assert document_version_rules.with_latest(document, stored, both) == both
    assert refusal(document_version_rules.with_latest, document, stored, {**both, "mime_type": "text/csv"})[0] == 400


def test_only_what_no_browser_runs_is_shown() -> None:
    shown = document_version_rules.declared(BODY, USER, NOW)
    assert document_version_rules.disposition(shown, "inline") == "inline"
    assert document_version_rules.disposition(shown, "attachment") == "attachment"
    assert (
        document_version_rules.disposition(shown.model_copy(update={"mime_type": "text/csv"}), "inline") == "attachment"
    )
