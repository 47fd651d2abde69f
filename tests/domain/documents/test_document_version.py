"""The versions of a document: how many, when a file has arrived, which one is the latest."""

from __future__ import annotations

from typing import get_args

import pytest

from governance.domain.documents import document_version as rules
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
        added = rules.added(DOCUMENT, added, rules.declared(BODY, USER, at))
    assert added is not None
    for position in ready:
        added = rules.completed(added, added.versions[position])
    return added


def test_versions_are_kept_newest_first_whenever_they_were_added() -> None:
    earlier = versions(3)
    late = rules.declared(BODY, USER, NOW)
    ids = [kept.id for kept in rules.added(DOCUMENT, earlier, late).versions]
    assert ids == sorted(ids, reverse=True)
    assert late.id in ids[2:]
    assert rules.added(DOCUMENT, earlier, late).version == earlier.version + 1 == 4


def test_there_are_50_versions_at_most() -> None:
    full = versions(DOCUMENT_VERSIONS)
    assert refusal(rules.added, DOCUMENT, full, rules.declared(BODY, USER, NOW))[0] == 409
    less = rules.without(full, full.versions[7])
    assert len(rules.added(DOCUMENT, less, rules.declared(BODY, USER, NOW)).versions) == DOCUMENT_VERSIONS


def test_what_is_not_there_is_a_404() -> None:
    assert refusal(rules.existing, None)[0] == 404
    assert refusal(rules.find, versions(1), "0" * 24)[0] == 404


@pytest.mark.parametrize(
    "received",
    [
        None,
        rules.ReceivedFile(4, "application/pdf", DIGEST),
        rules.ReceivedFile(5, "text/html", DIGEST),
        rules.ReceivedFile(5, "application/pdf", "1" * 64),
        rules.ReceivedFile(5, "application/pdf", None),
    ],
)
def test_only_the_declared_file_has_arrived(received: rules.ReceivedFile | None) -> None:
    version = rules.declared(BODY, USER, NOW)
    rules.check_arrived(version, rules.ReceivedFile(5, "application/pdf", DIGEST))
    assert refusal(rules.check_arrived, version, received)[0] == 409


def test_only_the_statement_that_there_is_no_threat_lets_a_file_pass() -> None:
    scanned = rules.scanning(rules.declared(BODY, USER, NOW), NOW)
    assert rules.verdict(scanned, "NO_THREATS_FOUND", NOW) is Verdict.CLEAN
    assert rules.verdict(scanned, "THREATS_FOUND", NOW) is Verdict.THREAT
    for other in ("UNSUPPORTED", "ACCESS_DENIED", "FAILED", "", "clean"):
        assert rules.verdict(scanned, other, NOW) is Verdict.NOT_SCANNED


def test_a_scan_without_a_result_is_waited_for_a_day_ever_longer() -> None:
    scanned = rules.scanning(rules.declared(BODY, USER, NOW), NOW)
    day = shift(NOW, hours=SCAN_HOURS)
    assert rules.verdict(scanned, None, shift(day, seconds=-1)) is None
    assert rules.verdict(scanned, None, day) is Verdict.NOT_SCANNED
    assert rules.scan_due_at(scanned) == shift(NOW, seconds=SCAN_FIRST_SECONDS)
    waits = [rules.next_scan_seconds(scanned, shift(NOW, seconds=seconds)) for seconds in (0, 60, 86_000)]
    assert waits == [SCAN_FIRST_SECONDS, 60, SCAN_LONGEST_SECONDS]


def test_a_file_that_is_kept_back_says_why() -> None:
    version = rules.declared(BODY, USER, NOW)
    for why in (Verdict.THREAT, Verdict.NOT_SCANNED):
        for language in get_args(Language):
            assert rules.rejected(version, why, language).reason
    reasons = {
        "uploading": "UPLOAD_INCOMPLETE",
        "scanning": "FILE_IS_SCANNED",
        "rejected": "FILE_REJECTED",
        "failed": "UPLOAD_INCOMPLETE",
    }
    for status, reason in reasons.items():
        assert refusal(rules.check_ready, version.model_copy(update={"status": status})) == conflict(reason)


def test_an_upload_is_forgotten_after_a_day() -> None:
    assert rules.forgotten_at(rules.declared(BODY, USER, NOW)) == "2027-03-02T09:00:00.000Z"


def test_the_newest_that_is_ready_is_no_upload() -> None:
    assert rules.newest_ready(versions(3)) is None
    stored = versions(4, ready=(1, 3))
    assert rules.newest_ready(stored) == stored.versions[1]
    assert rules.as_latest(stored.versions[1])["latest_version_id"] == stored.versions[1].id


@pytest.mark.parametrize("latest", ["v8", None])
def test_without_versions_the_latest_and_the_type_are_free_text(latest: str | None) -> None:
    changes = {"latest_version_id": latest, "mime_type": "text/free"}
    assert rules.with_latest(DOCUMENT, None, changes) == changes
    one = versions(1)
    assert rules.with_latest(DOCUMENT, rules.without(one, one.versions[0]), changes) == changes


def test_with_versions_the_latest_is_one_that_is_ready_or_what_it_was() -> None:
    stored = versions(2, ready=(1,))
    uploading, ready = stored.versions
    assert rules.with_latest(DOCUMENT, stored, {"latest_version_id": ready.id}) == {
        "latest_version_id": ready.id,
        "mime_type": "application/pdf",
    }
    assert rules.with_latest(DOCUMENT, stored, {"latest_version_id": "v7"}) == {"latest_version_id": "v7"}
    for wrong in (uploading.id, "v8", None):
        assert refusal(rules.with_latest, DOCUMENT, stored, {"latest_version_id": wrong})[0] == 400
    none = {"latest_version_id": None, "mime_type": None}
    assert rules.with_latest(DOCUMENT, versions(1), {"latest_version_id": None}) == none


def test_with_versions_the_type_is_that_of_the_latest() -> None:
    stored = versions(2, ready=(1,))
    document = DOCUMENT.model_copy(update={"mime_type": "text/csv"})
    assert rules.with_latest(document, stored, {"mime_type": "text/csv"}) == {"mime_type": "text/csv"}
    assert refusal(rules.with_latest, document, stored, {"mime_type": "text/html"})[0] == 400
    assert refusal(rules.with_latest, document, stored, {"mime_type": None})[0] == 400
    both = {"latest_version_id": stored.versions[1].id, "mime_type": "application/pdf"}
    assert rules.with_latest(document, stored, both) == both
    assert refusal(rules.with_latest, document, stored, {**both, "mime_type": "text/csv"})[0] == 400


def test_only_what_no_browser_runs_is_shown() -> None:
    shown = rules.declared(BODY, USER, NOW)
    assert rules.disposition(shown, "inline") == "inline"
    assert rules.disposition(shown, "attachment") == "attachment"
    assert rules.disposition(shown.model_copy(update={"mime_type": "text/csv"}), "inline") == "attachment"
