"""The seals of approved minutes: valid in a foreign reader, each by itself, and broken by any change."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from asn1crypto.x509 import Certificate
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.x509 import load_der_x509_certificate, load_pem_x509_certificate
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import PdfSignatureStatus, validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from governance.minutes_file.certificate import to_pem
from tests.minutes_file.making import KEY, made


def statuses(content: bytes) -> list[PdfSignatureStatus]:
    """Returns how pyHanko judges each seal, by the certificate of the key alone."""
    trusted = ValidationContext(trust_roots=[Certificate.load(KEY.certificate)], allow_fetching=False)
    signatures = PdfFileReader(io.BytesIO(content)).embedded_signatures
    return [validate_pdf_signature(signature, trusted) for signature in signatures]


def test_each_signer_has_a_seal_and_the_second_leaves_the_first_valid(signed_file: bytes) -> None:
    judged = statuses(signed_file)
    assert [status.bottom_line for status in judged] == [True, True]
    signatures = PdfFileReader(io.BytesIO(signed_file)).embedded_signatures
    assert [signature.field_name for signature in signatures] == ["Signature1", "Signature2"]
    assert [signature.sig_object["/Name"] for signature in signatures] == ["Ann Bell", "Łukasz Żak"]
    assert "Role of Łukasz Żak" in signatures[1].sig_object["/Reason"]


def test_a_seal_is_pades_b_b_and_certifies_nothing(signed_file: bytes) -> None:
    reader = PdfFileReader(io.BytesIO(signed_file))
    assert "/Perms" not in reader.root
    for signature in reader.embedded_signatures:
        assert signature.sig_object["/SubFilter"] == "/ETSI.CAdES.detached"
        attributes = {attribute["type"].native for attribute in signature.signer_info["signed_attrs"]}
        assert {"content_type", "message_digest", "signing_certificate_v2"} <= attributes
        assert "signing_time" not in attributes
        assert signature.signer_info["signature_algorithm"]["algorithm"].native == "sha256_ecdsa"


def test_minutes_that_nobody_has_signed_have_one_seal_of_their_approval(tmp_path: Path) -> None:
    content = made(tmp_path)
    (status,) = statuses(content)
    assert status.bottom_line
    (signature,) = PdfFileReader(io.BytesIO(content)).embedded_signatures
    assert (signature.field_name, signature.sig_object["/Name"]) == ("Approval", "Ann Bell")


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7])
def test_a_changed_byte_breaks_every_seal_over_it(signed_file: bytes, share: float) -> None:
    first: Any = PdfFileReader(io.BytesIO(signed_file)).embedded_signatures[0]
    at = signed_file.index(b"stream", int(first.byte_range[1] * share)) + 20
    changed = signed_file[:at] + bytes([signed_file[at] ^ 1]) + signed_file[at + 1 :]
    assert [status.intact for status in statuses(changed)] == [False, False]


def test_the_certificate_is_signed_by_its_own_key_and_has_no_end() -> None:
    certificate = load_der_x509_certificate(KEY.certificate)
    certificate.verify_directly_issued_by(certificate)
    key = certificate.public_key()
    assert isinstance(key, EllipticCurvePublicKey)
    assert isinstance(key.curve, SECP256R1)
    assert certificate.not_valid_after_utc.year == 9999
    assert load_pem_x509_certificate(to_pem(KEY.certificate)) == certificate
