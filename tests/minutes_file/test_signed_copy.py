"""A copy that was signed elsewhere is ours if it is our whole file with signatures behind it, and nothing else."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import SigFieldSpec, append_signature_field
from pyhanko.sign.validation.dss import DocumentSecurityStore

from governance.minutes_file.signed_copy import adds_signatures_alone
from tests.minutes_file.making import made, signed_elsewhere

Change = Callable[[Any], None]
"""Changes what an incremental writer, which is typed in part only, will write."""


def updated(content: bytes, change: Change) -> bytes:
    """Returns a PDF with an incremental update."""
    writer: Any = IncrementalPdfFileWriter(io.BytesIO(content))
    written = io.BytesIO()
    change(writer)
    writer.write(written)
    return written.getvalue()


def with_validation_data(content: bytes) -> bytes:
    """Returns a copy with the certificate of its last signature as validation data."""
    signature, written = PdfFileReader(io.BytesIO(content)).embedded_signatures[-1], io.BytesIO(content)
    DocumentSecurityStore.add_dss(written, signature.pkcs7_content, certs=[signature.signer_cert])
    return written.getvalue()


def replace_text(writer: Any) -> None:
    page: generic.DictionaryObject = writer.root["/Pages"]["/Kids"][0]
    page["/Contents"] = writer.add_object(generic.StreamObject(stream_data=b"BT ET"))
    writer.update_container(page)


def add_annotation(writer: Any) -> None:
    page: generic.DictionaryObject = writer.root["/Pages"]["/Kids"][-1]
    rectangle = generic.ArrayObject(map(generic.NumberObject, (0, 0, 300, 300)))
    names = {"/Type": "/Annot", "/Subtype": "/Square"}
    members = {generic.pdf_name(name): generic.pdf_name(value) for name, value in names.items()}
    note = generic.DictionaryObject({**members, generic.pdf_name("/Rect"): rectangle})  # type: ignore[no-untyped-call]
    page["/Annots"] = generic.ArrayObject([writer.add_object(note)])
    writer.update_container(page)


def drop_attachments(writer: Any) -> None:
    del writer.root["/Names"]
    writer.update_root()


def add_empty_field(writer: Any) -> None:
    append_signature_field(writer, SigFieldSpec("Empty"))


@pytest.mark.parametrize(
    "sign",
    [
        signed_elsewhere,
        lambda content: signed_elsewhere(content, box=None),
        lambda content: with_validation_data(signed_elsewhere(content)),
        lambda content: signed_elsewhere(updated(content, add_empty_field)),
    ],
    ids=["visible", "invisible", "validation data", "beside an empty field"],
)
def test_what_adds_signatures_alone_is_ours(signed_file: bytes, sign: Callable[[bytes], bytes]) -> None:
    assert adds_signatures_alone(signed_file, sign(signed_file))


@pytest.mark.parametrize("change", [replace_text, add_annotation, drop_attachments])
def test_what_changes_more_is_not_ours_whether_it_was_signed_before_or_after(
    signed_file: bytes, change: Change
) -> None:
    assert not adds_signatures_alone(signed_file, signed_elsewhere(updated(signed_file, change)))
    assert not adds_signatures_alone(signed_file, updated(signed_elsewhere(signed_file), change))


def test_without_a_signature_it_is_no_signed_copy(signed_file: bytes) -> None:
    for copy in (signed_file, updated(signed_file, add_empty_field), with_validation_data(signed_file)):
        assert not adds_signatures_alone(signed_file, copy)


def test_another_file_or_one_with_a_changed_byte_is_not_ours(
    signed_file: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = signed_elsewhere(signed_file)
    other = made(tmp_path_factory.mktemp("other"))
    assert not adds_signatures_alone(other, copy)
    assert not adds_signatures_alone(signed_file, signed_elsewhere(other))
    assert not adds_signatures_alone(signed_file, b"\n" + copy)
    assert not adds_signatures_alone(signed_file, copy[:900] + bytes([copy[900] ^ 1]) + copy[901:])
    at = len(signed_file) + 200
    assert not adds_signatures_alone(signed_file, copy[:at] + bytes([copy[at] ^ 1]) + copy[at + 1 :])
    assert not adds_signatures_alone(signed_file, copy[:-50])
    assert not adds_signatures_alone(signed_file, signed_file + other)
    assert not adds_signatures_alone(signed_file, copy + b"more")
