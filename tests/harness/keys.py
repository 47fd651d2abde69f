"""The key service in tests: encrypts and signs in this process, whatever engine keeps the table.

`fresh_table` installs it. As the real one does, it decrypts only under the encryption context of the encryption.
"""

from __future__ import annotations

import base64
import json
import secrets
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance import aws
from governance.settings import settings

_KEY = AESGCM(AESGCM.generate_key(256))
SIGNING_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""The key that signs the log."""
SEAL_KEY = ec.derive_private_key(1234567, ec.SECP256R1())
"""The key that seals files of minutes."""
_NONCE_BYTES = 12
_PADDING = bytes(60)
"""Makes a ciphertext about as long as a real one."""


def install() -> None:
    """Replaces the key service of this process; keeps the client, which is slow to create."""
    aws.kms().meta.events.register("before-call.kms.*", _answer, unique_id="keys-in-tests")


def _answer(model: Any, params: dict[str, Any], **_: Any) -> Any:
    request = json.loads(params["body"])
    if model.name == "GetPublicKey":
        form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        key = SEAL_KEY if request["KeyId"] == settings().seal_key_id else SIGNING_KEY
        return _response(200, {"PublicKey": key.public_key().public_bytes(*form)})
    if model.name == "Sign":
        return _response(200, {"Signature": _signature(request, base64.b64decode(request["Message"]))})
    context = json.dumps(request["EncryptionContext"], sort_keys=True).encode()
    if model.name == "Encrypt":
        nonce = secrets.token_bytes(_NONCE_BYTES)
        whole = _PADDING + base64.b64decode(request["Plaintext"])
        return _response(200, {"CiphertextBlob": nonce + _KEY.encrypt(nonce, whole, context)})
    blob = base64.b64decode(request["CiphertextBlob"])
    try:
        whole = _KEY.decrypt(blob[:_NONCE_BYTES], blob[_NONCE_BYTES:], context)
    except InvalidTag:
        return _response(400, {"Error": {"Code": "InvalidCiphertextException", "Message": "invalid ciphertext"}})
    return _response(200, {"Plaintext": whole[len(_PADDING) :]})


def _signature(request: Any, message: bytes) -> bytes:
    algorithm = request["MessageType"], request["SigningAlgorithm"]
    if request["KeyId"] == settings().seal_key_id:
        assert algorithm == ("DIGEST", "ECDSA_SHA_256")
        return SEAL_KEY.sign(message, ec.ECDSA(Prehashed(SHA256())))
    assert algorithm == ("RAW", "ED25519_SHA_512")
    return SIGNING_KEY.sign(message)


def _response(status: int, parsed: dict[str, Any]) -> Any:
    parsed["ResponseMetadata"] = {"HTTPStatusCode": status}
    return AWSResponse("", status, HTTPHeaders(), None), parsed
