"""Checks a file of approved minutes without its service:

    minutes.py FILE [--key VKEY] [--certificate PEM] [--log CHECKPOINT ENTRIES…]

FILE is the PDF, also one that was signed elsewhere since. The program computes the hash of the attached minutes again.
It checks that their approval and each signature were recorded with this hash, that these records are in the append-
only log of the service, and that the seals hold and nothing but signatures followed them. VKEY is the verifier key of
that log, as it was published at `/log/key`. PEM is a file with the certificates of the seals, as they were published
at `/seal.pem`. Beside or instead of it, a copy of the log shows whose the seals are, since it holds their certificate:
CHECKPOINT is `/log/checkpoint`, ENTRIES are all files of `/log/tile/entries/` in the order of their numbers. The exit
code is 0 if all holds, else 1; without a proof it is 1. What is not checked for want of a key, a certificate or a copy
is said: then the maker of the file could have made everything in it.

This file stands alone: it needs Python 3.11 or later and the packages `cryptography` and `pyhanko`, nothing else of the
project. So it reads JSON and proofs by itself, as certificate.py does.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import logging
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import load_pem_x509_certificates
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import DiffResult, ModificationLevel
from pyhanko.sign.validation import SignatureCoverageLevel, validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko_certvalidator import ValidationContext

MINUTES, APPROVAL = "minutes.json", "approval.json"
"""The attached files."""
LARGEST = 2**53 - 1
"""The largest number that every JSON reader takes exactly."""
LARGEST_FILE = 2**27
"""More bytes than a file of minutes can have."""
PROOF = re.compile(r"c2sp\.org/tlog-proof@v1\nindex (0|[1-9][0-9]{0,18})\n((?:[A-Za-z0-9+/]{43}=\n)*)\n(.+)", re.DOTALL)
CHECKPOINT = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n")
SIGNATURE = re.compile(r"\N{EM DASH} (\S+) ([A-Za-z0-9+/]+={0,2})")
KEY = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})")
SIGNED = "The signature of the log holds."
UNSIGNED = "NOT CHECKED: the signature of the log. Anybody could have made this file: give the log's key with --key."
SEALED = "The seals are those of a published certificate."
UNSEALED = (
    "NOT CHECKED: whose the seals are. Anybody could have made them: give certificates with --certificate, or --log."
)
ID_BYTES = 4
"""A key's id, with which its signatures begin."""
ED25519 = 1
"""The type of a key whose signatures are of the text of a note."""
LENGTH_BYTES, ENTRY_BYTES = 2, 32
"""An entry in a file of entries, and the number of its bytes before it (c2sp.org/tlog-tiles)."""
KNOWN_SALT = bytes(32)
"""The salt of the entry of a certificate, so that everybody finds it."""


class Refuted(Exception):
    """Something of the file does not hold. The message says what."""


def require(holds: bool, otherwise: str) -> None:
    """Raises `Refuted` with a sentence unless something holds."""
    if not holds:
        raise Refuted(otherwise)


def printable(text: object) -> str:
    """Returns a text on one line, without what could make a terminal show other lines than these."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text))


def read(path: Path) -> bytes:
    """Returns the content of a file. Raises `Refuted` for one that cannot be read, or is too large."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise Refuted(f"It cannot be read: {error}.") from None
    require(len(content) <= LARGEST_FILE, "It is larger than a file of minutes can be.")
    return content


# JSON


def parse(text: str) -> Any:
    """Returns the value of a JSON text. Raises `Refuted` for what two readers may read differently."""
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_float=_refused, parse_constant=_refused, parse_int=_integer
        )
        text.encode()
    except (ValueError, RecursionError):
        raise Refuted("An attached file is not JSON.") from None
    return value


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    require(len(members) == len(pairs), "A member of the JSON is there twice.")
    return members


def _integer(text: str) -> int:
    value = int(text) if len(text) < len(str(LARGEST)) + 1 else LARGEST + 1
    require(abs(value) <= LARGEST and text != "-0", f"{text[:20]} is not a number of minutes.")
    return value


def _refused(text: str) -> NoReturn:
    raise Refuted(f"{text[:20]} is not a number of minutes.")


def canonical(value: Any) -> str:
    """Returns the form of RFC 8785 of a value without fractions: members sorted by UTF-16, no white space."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(part)}" for name, part in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def decode(text: str) -> bytes:
    """Returns the bytes of a base64 text. Raises `ValueError` if they are written otherwise than they must be."""
    content = base64.b64decode(text, validate=True)
    if base64.b64encode(content).decode() != text:
        raise ValueError(text)
    return content


# The minutes


def check_minutes(text: str, approval: Mapping[str, Any]) -> None:
    """Raises `Refuted` unless the attached minutes are those that were approved."""
    minutes = parse(text)
    require(canonical(minutes) == text, "The minutes are not written as they were hashed.")
    require(approval["object"] == "minutes_approval", "The attached approval is none.")
    require(approval["status"] in {"approved", "corrected"}, "The minutes were not approved.")
    require(minutes["meetingId"] == approval["meetingId"], "The approval is one of another meeting.")
    require(hashlib.sha256(text.encode()).hexdigest() == approval["sha256"], "Other minutes were approved.")


def check_event(event: Mapping[str, Any], kind: str, approval: Mapping[str, Any], user_id: str) -> None:
    """Raises `Refuted` unless an event that was logged is an act of this user on these minutes."""
    entry = parse(event["entry"])
    require(canonical(entry) == event["entry"], "An event is not written as it was logged.")
    require(event["object"] == "log_proof", "An event has no proof.")
    of_kind = entry["object"] == "event" and entry["type"] == kind and entry["id"] == event["entryId"]
    of_meeting = entry["boardId"] == approval["boardId"] and entry["refs"]["meetingId"] == approval["meetingId"]
    require(of_kind and of_meeting, f"An event is not the {kind} of these minutes.")
    details = entry["details"]
    hashed = details["sha256"] == approval["sha256"] and details["version"] == approval["version"]
    require(hashed, f"The {kind} was recorded with other minutes.")
    require(entry["actorUserId"] == user_id, f"The {kind} was somebody else's act.")


# The log


def check_log(event: Mapping[str, Any], key: str | None) -> str:
    """Returns where the log holds an event. Raises `Refuted` unless the proof shows that it does."""
    require(event["proof"] is not None, "There is no proof yet: make the file again in a minute.")
    match = PROOF.fullmatch(event["proof"])
    if match is None:
        raise Refuted("The proof is malformed.")
    index, hashes, note = int(match[1]), match[2].split(), match[3]
    text, origin, size, root = checkpoint(note)
    require(index == event["index"], "The proof is one of another entry.")
    entry = hashlib.sha256(decode(event["salt"]) + event["entry"].encode()).digest()
    require(root_of(entry, index, size, list(map(decode, hashes))) == root, "The log does not hold the event.")
    if key is not None:
        check_signature(text, note, key)
    return f"Entry {index} of the log {origin}, which had {size} entries then."


def checkpoint(note: str) -> tuple[str, str, int, bytes]:
    """Returns the signed text of a checkpoint, the log's name, its size and the root of its tree."""
    text = note.rpartition("\n\n")[0] + "\n"
    match = CHECKPOINT.fullmatch(text)
    if match is None:
        raise Refuted("The checkpoint is malformed.")
    return text, match[1], int(match[2]), decode(match[3])


def root_of(entry: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Returns the root of the tree that has an entry at an index, by RFC 9162 (2.1.3.2); None for a wrong path."""
    if index >= size:
        return None
    node, last, computed = index, size - 1, hashlib.sha256(b"\x00" + entry).digest()
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            computed = hashlib.sha256(b"\x01" + sibling + computed).digest()
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            computed = hashlib.sha256(b"\x01" + computed + sibling).digest()
        node, last = node >> 1, last >> 1
    return computed if last == 0 else None


def check_signature(text: str, note: str, key: str) -> None:
    """Raises `Refuted` unless a checkpoint is signed by the key of its log (c2sp.org/signed-note)."""
    name, typed = parse_key(key)
    require(text.partition("\n")[0] == name, "The checkpoint is one of another log than the key.")
    lines = [SIGNATURE.fullmatch(line) for line in note.rpartition("\n\n")[2].removesuffix("\n").split("\n")]
    require(all(lines), "A signature of the checkpoint is malformed.")
    of_name = [decode(line[2]) for line in lines if line is not None and line[1] == name]
    own = [signature[ID_BYTES:] for signature in of_name if signature[:ID_BYTES] == key_id(name, typed)]
    require(bool(own), "The checkpoint is not signed by the log.")
    try:
        for signature in own:
            Ed25519PublicKey.from_public_bytes(typed[1:]).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        raise Refuted("The signature of the log does not hold.") from None


def parse_key(key: str) -> tuple[str, bytes]:
    """Returns the name of a verifier key, and its type with its bytes. Raises `Refuted`."""
    match = KEY.fullmatch(key.strip())
    try:
        name, id_, typed = ("", "", b"") if match is None else (match[1], match[2], decode(match[3]))
    except ValueError:
        raise Refuted("That is not a verifier key.") from None
    is_key = typed[:1] == bytes([ED25519]) and key_id(name, typed).hex() == id_
    require(is_key, "That is not a verifier key of a log.")
    return name, typed


def key_id(name: str, typed: bytes) -> bytes:
    """Returns the id of a key, by its name, its type and its bytes."""
    return hashlib.sha256(f"{name}\n".encode() + typed).digest()[:ID_BYTES]


def tree_hash(hashes: Sequence[bytes]) -> bytes:
    """Returns the root of the tree of these hashes of entries, by RFC 9162 (2.1.1)."""
    if len(hashes) <= 1:
        return hashes[0] if hashes else hashlib.sha256().digest()
    middle = 1 << (len(hashes) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + tree_hash(hashes[:middle]) + tree_hash(hashes[middle:])).digest()


def check_copy(copy: Sequence[bytes], key: str | None, certificate: bytes) -> str:
    """Returns where a copy of the log holds a certificate. Raises `Refuted` if it does not, or is not whole.

    The copy is a checkpoint and the contents of the files of entries, which may have later entries, too.
    """
    note, content = copy[0].decode(errors="replace"), b"".join(copy[1:])
    text, origin, size, root = checkpoint(note)
    step = LENGTH_BYTES + ENTRY_BYTES
    entries = [content[at + LENGTH_BYTES : at + step] for at in range(0, len(content), step)][:size]
    hashes = [hashlib.sha256(b"\x00" + entry).digest() for entry in entries]
    is_whole = len(hashes) == size and tree_hash(hashes) == root
    require(
        is_whole, "The copy of the log is not whole: give its checkpoint, then all files of entries in their order."
    )
    if key is not None:
        check_signature(text, note, key)
    told = canonical({"object": "seal_certificate", "sha256": hashlib.sha256(certificate).hexdigest()})
    entry = hashlib.sha256(KNOWN_SALT + told.encode()).digest()
    require(entry in entries, "The copy of the log does not hold the certificate of the seals; a newer copy may.")
    place = f"entry {entries.index(entry)} of the log {origin}, which had {size} entries then"
    return f"The certificate of the seals is {place}."


# The PDF


def attached(reader: PdfFileReader, name: str) -> str:
    """Returns the text of an attached file. Raises `Refuted` without exactly one of this name."""
    listed = reader.root["/Names"]["/EmbeddedFiles"]["/Names"]
    files = [listed[at + 1] for at in range(0, len(listed), 2) if listed[at] == name]
    require(len(files) == 1, f"It has not one attached file {name}.")
    return bytes(files[0]["/EF"]["/F"].data).decode()


def check_seals(signatures: Sequence[EmbeddedPdfSignature], acts: int, certificates: Sequence[bytes]) -> list[str]:
    """Returns whose the signatures are, in lines. Raises `Refuted` unless all hold, and the first ones are the seals.

    Each act has a seal, and minutes that nobody has signed have one; what follows was signed elsewhere. The seals are
    those of one of the certificates, or of any one where there are none to compare with.
    """
    seals = signatures[: max(acts, 1)]
    require(len(seals) == max(acts, 1), "A seal is missing.")
    own = seals[0].signer_cert.dump()
    is_known = not certificates or own in certificates
    same = all(seal.signer_cert.dump() == own for seal in seals)
    require(is_known and same, "A seal is one of another certificate.")
    for signature in signatures:
        require(holds(signature), f"The signature {signature.field_name} does not hold.")
    return [f"{signature.field_name}: {signature.signer_cert.subject.human_friendly}." for signature in signatures]


def holds(signature: EmbeddedPdfSignature) -> bool:
    """Returns whether a signature is valid, and what followed it are signatures and what validates them alone."""
    validate = validate_pdf_signature if signature.sig_object_type == "/Sig" else validate_pdf_timestamp
    status: Any = validate(signature, ValidationContext(trust_roots=[signature.signer_cert], allow_fetching=False))
    changes = status.diff_result
    is_kept = isinstance(changes, DiffResult) and changes.modification_level <= ModificationLevel.FORM_FILLING
    return status.intact and status.valid and status.coverage >= SignatureCoverageLevel.ENTIRE_REVISION and is_kept


def report(content: bytes, key: str | None, certificates: Sequence[bytes], copy: Sequence[bytes] = ()) -> list[str]:
    """Returns what a file shows, in lines. Raises `Refuted` with the first thing that does not hold."""
    try:
        reader = PdfFileReader(io.BytesIO(content))
        approval, version = parse(attached(reader, APPROVAL)), attached(reader, MINUTES)
        check_minutes(version, approval)
        kind = "minutes.approved" if approval["supersedesVersion"] is None else "minutes.corrected"
        check_event(approval["event"], kind, approval, approval["approvedByUserId"])
        places = [check_log(approval["event"], key)]
        for signature in approval["signatures"]:
            check_event(signature["event"], "minutes.signed", approval, signature["userId"])
            places.append(check_log(signature["event"], key))
        seals = check_seals(reader.embedded_signatures, len(approval["signatures"]), certificates)
        known = [check_copy(copy, key, reader.embedded_signatures[0].signer_cert.dump())] if copy else []
        known += [SEALED] if certificates else []
        told = f"Minutes {approval['number']}, version {approval['version']}, SHA-256 {approval['sha256']}."
        approved = f"Approved at {approval['approvedAt']}, signatures in the log: {len(approval['signatures'])}."
        return [told, approved, *places, *seals, SIGNED if key else UNSIGNED, *(known or [UNSEALED])]
    except Refuted:
        raise
    except Exception:  # noqa: BLE001 - no list of what a damaged file does to its reader is complete
        raise Refuted("It is not a file of approved minutes: a part is missing or malformed.") from None


def der(path: Path | None) -> list[bytes]:
    """Returns the certificates of a PEM file. Raises `Refuted`."""
    if path is None:
        return []
    try:
        return [each.public_bytes(Encoding.DER) for each in load_pem_x509_certificates(read(path))]
    except ValueError:
        raise Refuted("That is not a certificate in PEM.") from None


def main(arguments: Sequence[str]) -> int:
    """Checks a file, prints what it shows or what does not hold, and returns the exit code."""
    parser = argparse.ArgumentParser(description="Checks a file of approved minutes.")
    parser.add_argument("file", metavar="FILE", type=Path, help="the PDF")
    parser.add_argument("--key", metavar="VKEY", help="the verifier key of the log")
    parser.add_argument("--certificate", metavar="PEM", type=Path, help="a file with the certificates of the seals")
    parser.add_argument(
        "--log", nargs="+", default=[], type=Path, help="a copy of the log: its checkpoint, then its files of entries"
    )
    given = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)  # what pyHanko warns of is said in one sentence here
    try:
        lines = report(read(given.file), given.key, der(given.certificate), [*map(read, given.log)])
    except Refuted as refuted:
        print(printable(refuted), file=sys.stderr)
        return 1
    print(*map(printable, lines), sep="\n")
    return 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
