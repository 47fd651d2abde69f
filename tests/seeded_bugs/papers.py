"""Bugs in who reads the files of documents, in what is sent, and in what is left of it."""

from __future__ import annotations

from governance.deliveries import scans, uploads
from governance.domain.documents import board_pack, document_version
from governance.packs import requests, worker
from governance.store.documents import papers
from governance.usecases import cleanup
from governance.usecases.documents import board_packs, document_versions
from tests.seeded_bugs.bug import Bug

_VERSIONS = "tests/functions/documents/test_versions.py"
_FILES = "tests/functions/documents/test_stored_files.py"

BUGS = (
    Bug(
        "the files of a committee are read by everybody on the board",
        document_versions._requested,
        "context.find(visible_document)",
        "StoredDocument.model_validate(context.item(DOCUMENT))",
        f"{_VERSIONS}::test_versions_of_a_committee_are_its_members_alone",
    ),
    Bug(
        "any file of the right size and type is the declared one",
        document_version.check_arrived,
        "ReceivedFile(version.size, version.mime_type, version.sha256)",
        "ReceivedFile(version.size, version.mime_type, received.sha256 if received else None)",
        f"{_FILES}::test_a_file_that_is_not_the_declared_one_is_not_complete",
    ),
    Bug(
        "the form of an upload does not bind the checksum",
        papers.upload_form,
        "*({name: value} for name, value in fields.items())",
        '*({name: value} for name, value in fields.items() if "sha256" not in name)',
        "tests/functions/documents/test_declared_files.py::test_the_policy_of_a_form_binds_size_and_checksum",
    ),
    Bug(
        "a file passes whose scan could not be made",
        document_version.verdict,
        "_VERDICTS.get(result, Verdict.NOT_SCANNED)",
        "_VERDICTS.get(result, Verdict.CLEAN)",
        "tests/functions/documents/test_scans.py::test_any_other_result_rejects_the_file_and_deletes_it",
    ),
    Bug(
        "a file is read before its scan has ended",
        document_versions.arrived,
        "not settings().malware_protection",
        "True",
        "tests/functions/documents/test_scans.py::test_a_file_is_kept_back_until_it_is_clean",
    ),
    Bug(
        "a rejected file stays in the bucket",
        scans.apply_scan_result,
        "        papers.delete([key])",
        "        pass",
        "tests/functions/documents/test_scans.py::test_any_other_result_rejects_the_file_and_deletes_it",
    ),
    Bug(
        "a board pack holds papers of committees that its maker is not in",
        board_packs.papers_of,
        "can_see_document(context.committee_ids, found[each].committee_id)",
        "True",
        "tests/packs/test_packs.py::test_a_pack_holds_only_what_its_maker_may_see",
    ),
    Bug(
        "a board pack shows a draft",
        board_pack.check_packable,
        'meeting.status == "draft"',
        "False",
        "tests/packs/test_packs.py::test_a_draft_has_no_pack_and_guests_make_none",
    ),
    Bug(
        "papers of two committees are packed for one of them",
        board_pack.committee_of,
        "len(found) > 1",
        "False",
        "tests/packs/test_packs.py::test_papers_of_two_committees_make_no_pack",
    ),
    Bug(
        "a pack goes to a reader who may not read one of its papers any more",
        requests.content_of,
        "rules.committees_of(papers.values()) - {pack.document.committee_id}",
        "set()",
        "tests/packs/test_worker.py::test_a_paper_that_moved_to_a_committee_meanwhile_makes_the_pack_fail",
    ),
    Bug(
        "two workers make one pack at a time",
        worker.make_pack,
        "leased_until is not None and",
        "False and",
        "tests/packs/test_worker.py::test_while_one_worker_runs_another_waits",
    ),
    Bug(
        "a browser shows a file of any type",
        document_version.disposition,
        'asked if version.mime_type in SHOWN_INLINE else "attachment"',
        "asked",
        f"{_FILES}::test_a_file_is_shown_only_where_a_browser_never_runs_it",
    ),
    Bug(
        "a file is downloaded without being recorded as viewed",
        document_versions.get_document_version_content,
        "record_view(context, requested.document)",
        "[]",
        f"{_FILES}::test_a_download_is_signed_for_two_minutes_and_counts_as_a_view",
    ),
    Bug(
        "everybody who reads a document deletes its files",
        document_versions._changeable,
        "check_changeable(requested.document, context.tier, context.principal)",
        "pass",
        f"{_VERSIONS}::test_versions_are_changed_by_the_creator_of_the_document_and_managers",
    ),
    Bug(
        "the file of an upload stays when its document was deleted meanwhile",
        uploads._is_kept,
        "    return False",
        "    return True",
        f"{_FILES}::test_a_document_that_is_deleted_during_an_upload_leaves_nothing",
    ),
    Bug(
        "the files of a deleted document stay in the bucket",
        cleanup._clean_document,
        "papers.delete(document_versions.file_keys(document_versions.to_item(versions)))",
        "pass",
        f"{_FILES}::test_a_document_that_is_deleted_during_an_upload_leaves_nothing",
    ),
)
