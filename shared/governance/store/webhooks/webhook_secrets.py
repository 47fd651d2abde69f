"""The secrets of webhooks, encrypted by a key that only the webhooks' own functions may use (ADR webhooks)."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from governance import aws
from governance.ids import BoardId
from governance.settings import settings
from governance.store import failures
from governance.store.client.errors import NoAnswerError, RefusedError

if TYPE_CHECKING:
    from botocore.exceptions import BotoCoreError, ClientError


def encrypt(secret: str, board_id: BoardId, webhook_id: str) -> str:
    """Returns a secret as it is stored; only the webhook that it was made for can decrypt it."""
    try:
        answer = aws.kms().encrypt(
            KeyId=settings().webhook_key_id, Plaintext=secret.encode(), EncryptionContext=_context(board_id, webhook_id)
        )
    except aws.errors() as error:
        raise failures.failed("encrypt", _as_of_store(error)) from None
    return base64.b64encode(answer["CiphertextBlob"]).decode()


def decrypt(encrypted: str, board_id: BoardId, webhook_id: str) -> str:
    """Returns a secret that `encrypt` has encrypted."""
    try:
        answer = aws.kms().decrypt(
            KeyId=settings().webhook_key_id,
            CiphertextBlob=base64.b64decode(encrypted),
            EncryptionContext=_context(board_id, webhook_id),
        )
    except aws.errors() as error:
        raise failures.failed("decrypt", _as_of_store(error)) from None
    return answer["Plaintext"].decode()


def _as_of_store(error: BotoCoreError | ClientError) -> NoAnswerError | RefusedError:
    """Returns an error of the key service as the table's client would raise it, for its kind to be found."""
    response: Any = getattr(error, "response", None)
    if response is None:
        return NoAnswerError(type(error).__name__)
    return RefusedError(response["Error"]["Code"], response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def _context(board_id: BoardId, webhook_id: str) -> dict[str, str]:
    return {"boardId": board_id, "webhookId": webhook_id}
