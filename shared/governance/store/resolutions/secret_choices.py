"""What was chosen by secret ballot: rows without a voter, encrypted, of one size, under random keys (ADR resolutions).

A row is written with the mark that its voter has voted. So an observer of both writes sees that somebody has voted, and
a text that only the service can read, with a secret outside all tables and backups. The choices are read together, in
the order of their random keys, and the rows are deleted after the record.
"""

from __future__ import annotations

import base64
import secrets
from typing import TYPE_CHECKING

from governance.ids import BoardId
from governance.models.resolutions.ballot import Choice
from governance.models.resolutions.resolution import StoredResolution
from governance.settings import Secret, settings
from governance.store.resolutions.resolutions import content_key
from governance.store.schema.entities import RESOLUTION_CONTENT, SECRET_CHOICE_PREFIX, secret_choice_key
from governance.store.schema.keys import Key, Range, key_of, make_item
from governance.store.table import query
from governance.store.writes import ABSENT, Put, Write

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_CODES: dict[Choice, bytes] = {"for": b"f", "against": b"a", "abstain": b"n"}
_CHOICES = {code: choice for choice, code in _CODES.items()}
_KEY_BYTES, _NONCE_BYTES, _NAME_BYTES = 32, 12, 16


def put(resolution: StoredResolution, choice: Choice) -> Write:
    """Returns the write of a choice."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = nonce + _cipher(resolution).encrypt(nonce, _CODES[choice], resolution.id.encode())
    key = secret_choice_key(content_key(resolution), secrets.token_hex(_NAME_BYTES))
    return Put(make_item(key, {"choice": base64.b64encode(sealed).decode()}), ABSENT)


def of_resolution(resolution: StoredResolution) -> list[Choice]:
    """Returns all choices, in the order of the alphabet, which says nothing."""
    cipher, choices = _cipher(resolution), []
    for row in query(Range(content_key(resolution).pk, SECRET_CHOICE_PREFIX)):
        sealed = base64.b64decode(row["choice"])
        code = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], resolution.id.encode())
        choices.append(_CHOICES[code])
    return sorted(choices)


def keys(board_id: BoardId, resolution_id: str) -> list[Key]:
    """Returns the keys of the choices that are stored."""
    content = RESOLUTION_CONTENT.key_for(boardId=board_id, resolutionId=resolution_id)
    return [key_of(row) for row in query(Range(content.pk, SECRET_CHOICE_PREFIX))]


def _cipher(resolution: StoredResolution) -> AESGCM:
    """Returns the cipher of one resolution, whose key follows from the service's secret."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # only secret ballots need it
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derived = HKDF(SHA256(), _KEY_BYTES, salt=None, info=f"ballots\n{resolution.id}".encode())
    return AESGCM(derived.derive(settings().secret(Secret.BALLOT).encode()))
