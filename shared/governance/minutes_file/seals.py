"""Seals a file by PAdES B-B (ETSI EN 319 142-1), one field for each act that it is sealed over.

Each seal is an incremental update, and an approval signature: those before it stay valid.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence

from asn1crypto.x509 import Certificate
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import PdfSignatureMetadata, PdfSigner, Signer
from pyhanko.sign.fields import SigSeedSubFilter

from governance.minutes_file.certificate import SealKey
from governance.minutes_file.contents import Act

_HASH = "sha256"
_MOST_SIGNATURE_BYTES = 72
"""Bytes of the longest signature by ECDSA on P-256, as DER."""


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
