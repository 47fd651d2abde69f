"""Programs of other makers judge files of minutes: Poppler's pdfsig, qpdf, and veraPDF.

A judge that this machine lacks is named by the skipped test. PDF/A allows no letter without Unicode, so the names are
in scripts whose letters are drawn in several parts or joined.
"""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from governance.minutes_file.pages import contents_of
from governance.minutes_file.seals import seal
from tests.minutes_file.judges import VALID, Judge, by_pdfsig, by_qpdf, by_verapdf
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


@pytest.mark.parametrize("judged", [by_pdfsig, by_qpdf, by_verapdf])
def test_programs_of_other_makes_accept_each_file(files: list[Path], judged: Judge) -> None:
    assert judged(files) == len(files) * [VALID]


def test_verapdf_names_what_breaks_the_standard(files: list[Path], tmp_path: Path) -> None:
    with pikepdf.open(files[0]) as document:
        del document.Root.Metadata
        document.save(tmp_path / "broken.pdf")
    broken, other = by_verapdf([tmp_path / "broken.pdf", files[0]])
    assert broken.startswith("invalid\n6.6.")
    assert other == VALID
