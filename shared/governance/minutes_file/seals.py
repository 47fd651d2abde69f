"""Seals the file of approved minutes by PAdES B-B (ETSI EN 319 142-1), one field for each act that it is sealed over.

Each seal is an incremental update, and an approval signature: those before it stay valid.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass

from asn1crypto.x509 import Certificate
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import PdfSignatureMetadata, PdfSigner, Signer
from pyhanko.sign.fields import SigSeedSubFilter

from governance.minutes_file.certificate import SealKey
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.texts import text

_HASH = "sha256"
_MOST_SIGNATURE_BYTES = 72
"""Bytes of the longest signature by ECDSA on P-256, as DER."""


@dataclass(frozen=True)
class Act:
    """What a seal is over: the field that it is in, whose act it was, and what they did."""

    field: str
    name: str
    reason: str


def acts_of(facts: ApprovedMinutes) -> list[Act]:
    """Returns the signatures, each in a field of its own; the approval itself for minutes that nobody has signed."""
    approval, language = facts.approval, facts.language
    if not facts.signatures:
        reason = text(language, "minutes_file.reason.approved", number=approval["number"])
        return [Act("Approval", facts.name(approval["approvedByUserId"]), reason)]
    return [
        Act(
            f"Signature{number}",
            facts.name(signature["userId"]),
            text(language, "minutes_file.reason.signed", number=approval["number"], role=signature["role"]),
        )
        for number, signature in enumerate(facts.signatures, 1)
    ]


def seal(content: bytes, acts: Sequence[Act], key: SealKey) -> bytes:
    """Returns a PDF with a seal for each act. Raises what signing raises."""
    signer = _KeySigner(key)
    for act in acts:
        metadata = PdfSignatureMetadata(
            field_name=act.field,
            name=act.name,
            reason=act.reason,
            md_algorithm=_HASH,
            subfilter=SigSeedSubFilter.PADES,
        )
        sealed = io.BytesIO()
        PdfSigner(metadata, signer).sign_pdf(IncrementalPdfFileWriter(io.BytesIO(content)), output=sealed)
        content = sealed.getvalue()
    return content


class _KeySigner(Signer):
    """Signs by a key that is given the hash of what it signs."""

    def __init__(self, key: SealKey) -> None:
        super().__init__(signing_cert=Certificate.load(key.certificate))
        self._key = key

    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:
        """Returns the signature, or as many bytes as it has at most."""
        if dry_run:
            return bytes(_MOST_SIGNATURE_BYTES)
        return self._key.sign(hashlib.new(digest_algorithm, data).digest())
