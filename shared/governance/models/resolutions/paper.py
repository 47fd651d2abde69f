"""Papers of a resolution (an extension of the API, ADR resolutions)."""

from typing import Literal

from governance.models.base import ApiObject, Resource


class Paper(Resource):
    """A file that was voted on."""

    document_id: str
    """Identifier of the document."""
    version_id: str | None
    """Identifier of its version; null for a document without a file of this service."""
    sha256: str | None
    """SHA-256 of the file, in hexadecimal digits; null for a document without a file of this service."""


class ResolutionPaper(Paper, ApiObject):
    """A document of a resolution, as it was when the resolution was opened."""

    object: Literal["resolution_paper"] = "resolution_paper"
