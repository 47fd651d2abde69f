"""Signed notes and checkpoints (c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature), signed by Ed25519."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from governance.log.merkle import HASH_BYTES

_SIGNATURE, _COSIGNATURE = 1, 4
"""The types of keys: Ed25519 over the text of a note, and over a checkpoint with the time at which it was seen."""
_DASH = "\N{EM DASH} "
_ID_BYTES, _TIME_BYTES = 4, 8
_CHECKPOINT = re.compile(r"([^\n]+)\n(0|[1-9]\d{0,18})\n([A-Za-z0-9+/]{43}=)\n", re.ASCII)
_NAME = re.compile(r"[^\s+]+")
_HEX_ID = re.compile(r"[0-9a-f]{8}", re.ASCII)

Sign = Callable[[bytes], bytes]
"""Signs a message by Ed25519."""


class InvalidNoteError(ValueError):
    """A note, a checkpoint or a verifier key is malformed, or is not signed as it must be. The message says why."""


@dataclass(frozen=True)
class VerifierKey:
    """A public key with its name, of a log or of a witness."""

    name: str
    public_key: bytes
    kind: int = _SIGNATURE

    @property
    def id(self) -> bytes:
        """The first bytes of the key's hash, which signatures begin with."""
        return hashlib.sha256(f"{self.name}\n".encode() + self._typed).digest()[:_ID_BYTES]

    @property
    def _typed(self) -> bytes:
        return bytes([self.kind]) + self.public_key

    @property
    def text(self) -> str:
        """The verifier key (vkey) as text."""
        return f"{self.name}+{self.id.hex()}+{_encode(self._typed)}"

    @property
    def is_witness(self) -> bool:
        """Whether it is the key of a witness."""
        return self.kind == _COSIGNATURE

    def signature_line(self, note: str, sign: Sign) -> str:
        """Returns the line of a note's signature by this key."""
        return f"{_DASH}{self.name} {_encode(self.id + sign(note.encode()))}\n"

    def is_named_by(self, line: str) -> bool:
        """Returns whether a line of a signature says that this key made it."""
        name, signature = _parts(line)
        return name == self.name and signature[:_ID_BYTES] == self.id

    def verifies(self, note: str, line: str) -> bool:
        """Returns whether a line is a valid signature of a note by this key, or a cosignature."""
        if not self.is_named_by(line):
            return False
        message, signature = note.encode(), _parts(line)[1][_ID_BYTES:]
        if self.is_witness:
            seconds, signature = signature[:_TIME_BYTES], signature[_TIME_BYTES:]
            message = f"cosignature/v1\ntime {int.from_bytes(seconds, 'big')}\n".encode() + message
        try:
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def _parts(line: str) -> tuple[str, bytes]:
    """Returns the name of the key in the line of a signature, and what follows it."""
    name, _, encoded = line.removeprefix(_DASH).rstrip("\n").rpartition(" ")
    return name, _decode(encoded)


def parse_key(text: str) -> VerifierKey:
    """Returns the verifier key of a text. Raises `InvalidNoteError`."""
    name, _, rest = text.strip().partition("+")
    id_, _, encoded = rest.partition("+")
    typed = _decode(encoded)
    if not _NAME.fullmatch(name) or not _HEX_ID.fullmatch(id_) or len(typed) != 1 + HASH_BYTES:
        raise InvalidNoteError("A verifier key has the form NAME+ID+KEY.")
    key = VerifierKey(name, typed[1:], typed[0])
    if key.kind not in {_SIGNATURE, _COSIGNATURE} or key.id.hex() != id_:
        raise InvalidNoteError("The verifier key's id is not that of its name and key, or its type is unknown.")
    return key


@dataclass(frozen=True)
class Checkpoint:
    """What a log says of itself: its name (`origin`), how many entries it has, and the root of their tree."""

    origin: str
    size: int
    root: bytes

    @property
    def note(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{_encode(self.root)}\n"


@dataclass(frozen=True)
class SignedCheckpoint:
    """A checkpoint with the lines of its signatures."""

    checkpoint: Checkpoint
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The signed note."""
        return f"{self.checkpoint.note}\n{''.join(self.lines)}"

    def signed_by(self, key: VerifierKey) -> list[str]:
        """Returns the lines that are valid signatures by this key."""
        return [line for line in self.lines if key.verifies(self.checkpoint.note, line)]


def sign_checkpoint(checkpoint: Checkpoint, key: VerifierKey, sign: Sign) -> SignedCheckpoint:
    """Returns the checkpoint with its log's signature."""
    return SignedCheckpoint(checkpoint, (key.signature_line(checkpoint.note, sign),))


def parse_checkpoint(text: str) -> SignedCheckpoint:
    """Returns the checkpoint of a signed note, whose signatures are not verified. Raises `InvalidNoteError`."""
    note, separator, signatures = text.rpartition("\n\n")
    match = _CHECKPOINT.fullmatch(f"{note}\n")
    if not separator or match is None:
        raise InvalidNoteError("A checkpoint has a name, a size, a root and signatures.")
    checkpoint = Checkpoint(match[1], int(match[2]), _decode(match[3]))
    return SignedCheckpoint(checkpoint, signature_lines(signatures))


def signature_lines(text: str) -> tuple[str, ...]:
    """Returns the lines of signatures in a text, each with its end. Raises `InvalidNoteError` for any other line."""
    *lines, rest = text.split("\n")
    if rest or not lines or not all(line.startswith(_DASH) for line in lines):
        raise InvalidNoteError("A line of a signature begins with a dash and ends with a newline.")
    return tuple(f"{line}\n" for line in lines)


def open_checkpoint(text: str, key: VerifierKey) -> SignedCheckpoint:
    """Returns a checkpoint that its log has signed. Raises `InvalidNoteError` for any other text."""
    signed = parse_checkpoint(text)
    if signed.checkpoint.origin != key.name:
        raise InvalidNoteError(f"The checkpoint is one of {signed.checkpoint.origin}, not of {key.name}.")
    named = [line for line in signed.lines if key.is_named_by(line)]
    if not named or named != signed.signed_by(key):
        raise InvalidNoteError("The checkpoint is not signed by the log's key.")
    return signed


def proof_text(index: int, proof: Iterable[bytes], signed: SignedCheckpoint) -> str:
    """Returns the proof that an entry is in a log (c2sp.org/tlog-proof@v1), which is verified without the log."""
    lines = "".join(f"{_encode(digest)}\n" for digest in proof)
    return f"c2sp.org/tlog-proof@v1\nindex {index}\n{lines}\n{signed.text}"


def submission_text(old: int, proof: Iterable[bytes], signed: SignedCheckpoint) -> str:
    """Returns the body with which a witness that saw the tree of `old` entries is asked (c2sp.org/tlog-witness)."""
    lines = "".join(f"{_encode(digest)}\n" for digest in proof)
    return f"old {old}\n{lines}\n{signed.text}"


def _encode(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _decode(text: str) -> bytes:
    """Returns the bytes of a base64 text; none if it is malformed."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
