"""The secrets of webhooks, encrypted by a key that only the webhooks' own functions may use (ADR 0112)."""

from __future__ import annotations

import base64

from botocore.exceptions import BotoCoreError, ClientError

from governance import aws
from governance.ids import BoardId
from governance.settings import settings
from governance.store import failures


def encrypt(secret: str, board_id: BoardId, webhook_id: str) -> str:
    """Returns a secret as it is stored; only the webhook that it was made for can decrypt it."""
    try:
        answer = aws.kms().encrypt(
            KeyId=settings().webhook_key_id, Plaintext=secret.encode(), EncryptionContext=_context(board_id, webhook_id)
        )
    except (BotoCoreError, ClientError) as error:
        raise failures.failed("encrypt", error) from None
    return base64.b64encode(answer["CiphertextBlob"]).decode()


def decrypt(encrypted: str, board_id: BoardId, webhook_id: str) -> str:
    """Returns a secret that `encrypt` has encrypted."""
    try:
        answer = aws.kms().decrypt(
            KeyId=settings().webhook_key_id,
            CiphertextBlob=base64.b64decode(encrypted),
            EncryptionContext=_context(board_id, webhook_id),
        )
    except (BotoCoreError, ClientError) as error:
        raise failures.failed("decrypt", error) from None
    return answer["Plaintext"].decode()


def _context(board_id: BoardId, webhook_id: str) -> dict[str, str]:
    return {"boardId": board_id, "webhookId": webhook_id}
