"""The file of approved minutes tells what was approved, in the reader's language, and carries what proves it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from governance.log.leaves import canonical
from governance.minutes_file.pages import lines
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.texts import Language
from tests.minutes_file.making import CHAIR, ITEM, NAMES, SECRETARY, approved, drawn, version

TOLD = {
    "en": ("Approved as presented on Saturday, 15 June 2030", "Minutes 2030-1", "Decision: carried", "from elsewhere"),
    "de": ("Wie vorgelegt genehmigt am Samstag, 15. Juni 2030", "Protokoll 2030-1", "angenommen", "zugeschaltet"),
}
SEAL = {"en": "not a qualified electronic signature", "de": "keine qualifizierte elektronische Signatur"}


def told(content: bytes) -> str:
    """Returns the text that a reader can select."""
    with pypdfium2.PdfDocument(content) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_person_reads_what_was_approved_by_whom_and_what_the_seal_is(tmp_path: Path, language: Language) -> None:
    facts = approved(CHAIR, SECRETARY, language=language)
    text = told(drawn(facts, tmp_path))
    names = ["Meeting of June", "The Board", "Müller & <Söhne>", *NAMES.values()]
    for part in (
        *names,
        *TOLD[language],
        SEAL[language],
        "It is balanced.",
        facts.approval["sha256"],
        "Role of Łukasz",
    ):
        assert part in text or part[::-1] in text, part


def test_an_item_that_is_for_few_is_withheld() -> None:
    members = json.loads(version())
    members["items"] = [{"id": "1", "sealed": "5" * 64}, members["items"][1]]
    told = [line.text for line in lines(approved(minutes=json.dumps(members)))]
    assert [text for text in told if "Withheld" in text and "5" * 64 in text]
    assert NAMES[ITEM] not in " ".join(told)


def test_the_same_facts_give_the_same_bytes(facts: ApprovedMinutes, drawn_file: bytes, tmp_path: Path) -> None:
    assert drawn(facts, tmp_path) == drawn_file


def test_the_file_is_pdf_a_and_has_the_version_and_its_approval_as_its_source(
    facts: ApprovedMinutes, drawn_file: bytes
) -> None:
    with pikepdf.open(io.BytesIO(drawn_file)) as document:
        with document.open_metadata() as metadata:
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "U")
            assert metadata["dc:title"] == "Minutes 2030-1: Meeting of June"
        specs: Any = document.Root.AF
        assert {str(spec.AFRelationship) for spec in specs} == {"/Source"}
        attached = {name: document.attachments[name].get_file().read_bytes() for name in document.attachments}
    assert attached.keys() == {"minutes.json", "approval.json"}
    assert attached["minutes.json"].decode() == facts.version
    assert attached["approval.json"].decode() == canonical(json.dumps(facts.approval))
