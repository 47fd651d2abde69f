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
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance import aws

_KEY = AESGCM(AESGCM.generate_key(256))
SIGNING_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""The key that signs the log."""
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
        return _response(200, {"PublicKey": SIGNING_KEY.public_key().public_bytes(*form)})
    if model.name == "Sign":
        assert (request["MessageType"], request["SigningAlgorithm"]) == ("RAW", "ED25519_SHA_512")
        return _response(200, {"Signature": SIGNING_KEY.sign(base64.b64decode(request["Message"]))})
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


def _response(status: int, parsed: dict[str, Any]) -> Any:
    parsed["ResponseMetadata"] = {"HTTPStatusCode": status}
    return AWSResponse("", status, HTTPHeaders(), None), parsed
