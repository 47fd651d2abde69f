"""The upload of a file in its three steps: declare it, send it by the form, say that it is complete."""

from __future__ import annotations

import hashlib
import mimetypes
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from .client import AsyncGroup
from .errors import ApiError
from .requests import SECONDS, Steps, exchange

if TYPE_CHECKING:
    from .types import DocumentVersion

_BYTES_A_SECOND = 100_000
"""A file may take longer than a call: so many bytes are sent in a second at least."""


class AsyncUploads(AsyncGroup):
    """The operations of documents, with the upload of files."""

    async def upload(self, board_id: str, document_id: str, path: str | os.PathLike[str]) -> DocumentVersion:
        """Uploads a file as the newest version of a document. Raises OSError, and ApiError (`UPLOAD_REFUSED`)."""
        file = _File(path)
        operations: Any = self
        made = await operations.create_document_version(board_id, document_id, **file.declared())
        await self._client.run(file.sent(made["upload"]))
        done: DocumentVersion = await operations.complete_document_version(board_id, document_id, made["id"])
        return done


class _File:
    """A file, read once."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = Path(path).name
        self._content = Path(path).read_bytes()
        self._type = mimetypes.guess_type(self._name)[0] or "application/octet-stream"

    def declared(self) -> dict[str, Any]:
        """Returns what the service has to know before it makes a form."""
        digest = hashlib.sha256(self._content).hexdigest()
        return {"file_name": self._name, "mime_type": self._type, "size": len(self._content), "sha256": digest}

    def sent(self, form: dict[str, Any]) -> Steps[None]:
        """Sends it by a form, which is no secret of the service: without the token. Raises ApiError."""

        def request() -> httpx.Request:
            files = {"file": (self._name, self._content, self._type)}
            return httpx.Request("POST", form["url"], data=form["fields"], files=files)

        answer = yield from exchange(request, True, SECONDS + len(self._content) / _BYTES_A_SECOND)
        if not httpx.codes.is_success(answer.status):
            raise ApiError(answer.status, "UPLOAD_REFUSED", "The store of files refused the upload.")
