"""Recognises a copy of the file of approved minutes that was signed elsewhere."""

from __future__ import annotations

import io
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import DEFAULT_DIFF_POLICY, DiffResult, ModificationLevel
from pyhanko.sign.validation import SignatureCoverageLevel, validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko_certvalidator import ValidationContext

_SIGNATURE, _END = "/Sig", b"%%EOF"


def adds_signatures_alone(ours: bytes, copy: bytes) -> bool:
    """Returns whether a copy is our whole file followed by signatures, at least one, and what validates them.

    Each of them must hold for what it covers. Whose they are is not judged: nobody's certificate is trusted here.
    """
    if not copy.startswith(ours) or not copy.rstrip().endswith(_END):
        return False
    try:
        return _is_signed_more(PdfFileReader(io.BytesIO(ours)), PdfFileReader(io.BytesIO(copy)))
    except Exception:  # noqa: BLE001 - no list of what a damaged file does to its reader is complete
        return False


def _is_signed_more(ours: PdfFileReader, copy: PdfFileReader) -> bool:
    before, after = ours.embedded_signatures, copy.embedded_signatures
    kept, added = after[: len(before)], after[len(before) :]
    return (
        [_identity(seal) for seal in kept] == [_identity(seal) for seal in before]
        and any(signature.sig_object_type == _SIGNATURE for signature in added)
        and all(map(_holds, after))
        and _changes(copy, ours.xrefs.total_revisions - 1) <= ModificationLevel.FORM_FILLING
        and _changes(copy, max(each.signed_revision for each in added)) <= ModificationLevel.LTA_UPDATES
    )


def _identity(signature: EmbeddedPdfSignature) -> tuple[str, bytes]:
    return signature.field_name, signature.pkcs7_content


def _holds(signature: EmbeddedPdfSignature) -> bool:
    """Returns whether a signature, or a time stamp, is valid for all that the file was when it was made."""
    validate = validate_pdf_signature if signature.sig_object_type == _SIGNATURE else validate_pdf_timestamp
    status: Any = validate(
        signature, ValidationContext(trust_roots=[signature.signer_cert], allow_fetching=False), skip_diff=True
    )
    return bool(status.intact and status.valid) and status.coverage >= SignatureCoverageLevel.ENTIRE_REVISION


def _changes(copy: PdfFileReader, revision: int) -> ModificationLevel:
    """Returns what has changed since a revision: validation data alone, signatures, or more."""
    reviewed = DEFAULT_DIFF_POLICY.review_file(copy, revision)
    return reviewed.modification_level if isinstance(reviewed, DiffResult) else ModificationLevel.OTHER
