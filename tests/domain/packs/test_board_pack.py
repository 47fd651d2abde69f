"""The rules of board packs: whose document one is, and how its version begins, goes on and ends."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.access.access import Principal
from governance.domain.packs import board_pack as board_pack_rules
from governance.domain.packs.board_pack import Failure, PackFailed
from governance.ids import UserId
from governance.instants import shift
from governance.limits import DOCUMENT_TITLE, FILE_NAME, PACK_ATTEMPT_SECONDS, PACK_ATTEMPTS, PACK_REASON
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import (
    DocumentVersionCreate,
    SealedMinutes,
    StoredVersion,
    StoredVersions,
)
from governance.texts import Language
from tests.domain.samples import NOW, conflict, meeting, refusal, user

USER, MEETING = UserId("a" * 24), "c" * 24


def pack(title: str = "Spring", committee_id: str | None = None) -> StoredDocument:
    about = meeting(id=MEETING, title=title)
    return board_pack_rules.document(about, committee_id, Principal(user(id=USER), None), "en", NOW)


def versions() -> StoredVersions:
    return board_pack_rules.versions(pack(), MEETING, NOW)


def version() -> StoredVersion:
    (made,) = versions().versions
    return made


def test_a_pack_is_a_document_of_its_meeting_and_of_who_asked_for_it() -> None:
    made = pack(committee_id="d" * 24)
    assert (made.title, made.document_type, made.meeting_ids) == ("Board pack: Spring", "board_pack", (MEETING,))
    assert (made.creator_id, made.created_by_user_id, made.committee_id) == (USER, USER, "d" * 24)
    assert len(pack("x" * 200).title) == DOCUMENT_TITLE


def test_a_pack_begins_as_a_version_that_is_still_to_be_made() -> None:
    made = version()
    assert (made.status, made.mime_type, made.packed_meeting_id) == ("uploading", "application/pdf", MEETING)
    assert (made.size, made.sha256, made.pack_attempts, made.pack_leased_until) == (0, "", 0, None)


@pytest.mark.parametrize("approved_only", [True, False])
def test_every_attempt_knows_whether_papers_that_are_not_approved_are_left_out(approved_only: bool) -> None:
    (made,) = board_pack_rules.versions(pack(), MEETING, NOW, approved_only=approved_only).versions
    assert board_pack_rules.attempted(made, NOW).packed_approved_only is approved_only


@given(st.text(min_size=1, max_size=DOCUMENT_TITLE))
def test_every_title_is_the_name_of_a_file(title: str) -> None:
    name = board_pack_rules.file_name(title)
    assert len(name) <= FILE_NAME
    if title.isascii() or title.encode("utf-8", "ignore").decode() == title:
        DocumentVersionCreate.model_validate(
            {"fileName": name, "mimeType": "application/pdf", "size": 1, "sha256": "0" * 64}
        )
    assert not set(name) & set('/\\:*?"<>|')


def test_the_papers_of_one_committee_are_a_pack_of_that_committee() -> None:
    of_board, of_audit, of_pay = (pack(committee_id=committee_id) for committee_id in (None, "d" * 24, "e" * 24))
    assert board_pack_rules.committee_of([]) is None
    assert board_pack_rules.committee_of([of_board]) is None
    assert board_pack_rules.committee_of([of_board, of_audit, of_audit]) == "d" * 24
    assert refusal(board_pack_rules.committee_of, [of_audit, of_board, of_pay]) == conflict("MIXED_READERS")


def test_a_draft_has_no_pack() -> None:
    for status in ("scheduled", "in_progress", "completed", "finalized"):
        board_pack_rules.check_packable(meeting(status=status))
    assert refusal(board_pack_rules.check_packable, meeting(status="draft")) == conflict("MEETING_IS_DRAFT")


def test_an_attempt_is_counted_and_excludes_others_while_it_may_run() -> None:
    made = version()
    for number in range(1, PACK_ATTEMPTS + 1):
        board_pack_rules.check_attempts(made)
        made = board_pack_rules.attempted(made, NOW)
        assert (made.pack_attempts, made.pack_leased_until) == (number, shift(NOW, seconds=PACK_ATTEMPT_SECONDS))
    with pytest.raises(PackFailed) as raised:
        board_pack_rules.check_attempts(made)
    assert raised.value.failure is Failure.GAVE_UP


def test_a_pack_that_was_made_has_the_size_and_the_checksum_of_its_file() -> None:
    made = board_pack_rules.packed(board_pack_rules.attempted(version(), NOW), 5, "f" * 64)
    assert (made.size, made.sha256, made.pack_leased_until) == (5, "f" * 64, None)


@pytest.mark.parametrize("failure", Failure)
def test_every_failure_has_words_in_every_language(failure: Failure) -> None:
    for language in ("en", "de"):
        told = board_pack_rules.failed(
            board_pack_rules.attempted(version(), NOW), PackFailed(failure, "Budget"), language
        )
        assert (told.status, told.pack_leased_until) == ("failed", None)
        assert told.reason is not None
        assert ("Budget" in told.reason) == (failure in {"broken", "encrypted", "too_long", "too_heavy"})
        longest = board_pack_rules.failed(version(), PackFailed(failure, "x" * DOCUMENT_TITLE), language)
        assert len(longest.reason or "") <= PACK_REASON
        assert longest.reason is not None
        assert longest.reason.endswith(".")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_failed_file_that_is_no_pack_speaks_of_itself_and_of_no_papers(language: Language) -> None:
    document, title = pack(), "Minutes 2030-1"
    book = board_pack_rules.versions_to_make(document, NOW, sealed_book_year="2030")
    certificate = board_pack_rules.versions_to_make(document, NOW, certified_resolution_id="e" * 24)
    minutes = board_pack_rules.versions_to_make(
        document, NOW, sealed_minutes=SealedMinutes(meeting_id=MEETING, number=1)
    )
    general, of_text = {Failure.GAVE_UP, Failure.REFUSED}, {Failure.TOO_LONG, Failure.TOO_HEAVY}
    for made, failures in (
        (book, {*general, Failure.LONG_BOOK}),
        (certificate, general | of_text),
        (minutes, general | of_text),
    ):
        for failure in failures:
            told = board_pack_rules.failed(made.versions[0], PackFailed(failure, title), language).reason or ""
            assert not {"pack", "paper", "meeting", "Mappe", "Unterlage", "Sitzung"} & set(re.findall(r"\w+", told))
            assert (title in told) == (failure in of_text)
            assert ("2030" in told) == (failure in of_text or failure is Failure.LONG_BOOK)


def test_what_was_not_made_in_a_day_is_a_pack_that_failed_or_a_file_that_is_forgotten() -> None:
    old = versions()
    (upload,) = old.versions
    (failed,) = board_pack_rules.forgotten(old, upload).versions
    assert failed.status == "failed"
    plain = upload.model_copy(update={"packed_meeting_id": None})
    assert board_pack_rules.forgotten(old.model_copy(update={"versions": (plain,)}), plain).versions == ()
