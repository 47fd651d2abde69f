"""Bugs in who reads the files of documents, in what is sent, and in what is left of it."""

from __future__ import annotations

from governance.deliveries import uploads
from governance.domain import document_version
from governance.store import papers
from governance.usecases import cleanup, document_versions
from tests.seeded_bugs.bug import Bug

_VERSIONS = "tests/functions/documents/test_versions.py"

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
        f"{_VERSIONS}::test_a_file_that_is_not_the_declared_one_is_not_complete",
    ),
    Bug(
        "the form of an upload does not bind the checksum",
        papers.upload_form,
        "*({name: value} for name, value in fields.items())",
        '*({name: value} for name, value in fields.items() if "sha256" not in name)',
        f"{_VERSIONS}::test_the_policy_of_a_form_binds_size_and_checksum",
    ),
    Bug(
        "a browser shows a file of any type",
        document_version.disposition,
        'asked if version.mime_type in SHOWN_INLINE else "attachment"',
        "asked",
        f"{_VERSIONS}::test_a_file_is_shown_only_where_a_browser_never_runs_it",
    ),
    Bug(
        "a file is downloaded without being recorded as viewed",
        document_versions.get_document_version_content,
        "record_view(context, requested.document)",
        "[]",
        f"{_VERSIONS}::test_a_download_is_signed_for_two_minutes_and_counts_as_a_view",
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
        f"{_VERSIONS}::test_a_document_that_is_deleted_during_an_upload_leaves_nothing",
    ),
    Bug(
        "the files of a deleted document stay in the bucket",
        cleanup._clean_document,
        "papers.delete(document_versions.file_keys(document_versions.to_item(versions)))",
        "pass",
        f"{_VERSIONS}::test_a_document_that_is_deleted_during_an_upload_leaves_nothing",
    ),
)
