"""Opens the PDF of a paper, if a reader opens it without a password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from pikepdf import AccessMode, PasswordError, Pdf, PdfError

from governance.packs.copier.report import PaperError, Problem

_ENCRYPTED_PAGES = re.compile(rb"/St[mr]F\s*/(?!Identity)")
"""How a dictionary says that it encrypts streams or strings (ISO 32000-1, table 20)."""


@contextmanager
def opened(source: Path) -> Iterator[Pdf]:
    """Opens a PDF. Raises `PaperError` for one that needs a password, or that cannot be read while it is open."""
    try:
        with _opened(source) as pdf:
            yield pdf
    except PasswordError:
        raise PaperError(Problem.ENCRYPTED) from None
    except PdfError as error:
        problem = Problem.ENCRYPTED if "encrypt" in str(error) else Problem.BROKEN
        raise PaperError(problem) from None


def _opened(source: Path) -> Pdf:
    """Opens a PDF; the password of one whose attachments alone are encrypted is not needed, as they are not copied."""
    try:
        return Pdf.open(source, access_mode=AccessMode.stream, suppress_warnings=True)
    except PasswordError:
        content = source.read_bytes()
        if b"/EFF" not in content or _ENCRYPTED_PAGES.search(content):
            raise
        return Pdf.open(BytesIO(content.replace(b"/Encrypt", b"/Ignored")), suppress_warnings=True)
