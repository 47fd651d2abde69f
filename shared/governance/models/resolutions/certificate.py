"""Certificates: from one, anyone can recompute what a resolution decided (an extension of the API, ADR resolutions)."""

import json
from typing import Literal

from pydantic import PrivateAttr

from governance.models.base import ApiObject, Resource
from governance.models.history.audit import LogProof
from governance.models.resolutions.ballot import CertifiedBallot, Choice
from governance.models.resolutions.paper import Paper
from governance.models.resolutions.resolution import Resolution, Tally


class CertifiedBoard(Resource):
    """The board of a certificate."""

    id: str
    """Identifier of the board."""
    name: str
    """Name of the board when the result was recorded."""


class CertifiedFacts(ApiObject):
    """A certificate without its event; its RFC 8785 form is what is hashed."""

    object: Literal["resolution_certificate"] = "resolution_certificate"
    version: Literal[1] = 1
    """Version of the form of certificates."""
    board: CertifiedBoard
    """Board of the resolution, with its name at that time."""
    resolution: Resolution
    """The resolution as it was when its result was recorded."""
    papers: tuple[Paper, ...]
    """The files of its documents that were voted on."""
    text_sha256: str
    """SHA-256 of its text, in hexadecimal digits."""
    ballots: tuple[CertifiedBallot | Choice, ...]
    """The ballots, by voter; of secret ballots the choices alone, sorted."""
    tally: Tally
    """Count of the ballots, with the outcome."""


class Certificate(CertifiedFacts):
    """All that is needed to recompute the result of a resolution."""

    event: LogProof
    """The proof that the certificate's hash is in the log."""

    _facts: str = PrivateAttr()

    @classmethod
    def of(cls, facts: str, event: LogProof) -> "Certificate":
        """Returns the certificate of a stored text, which is served as it was written, whatever release wrote it."""
        made = cls.model_construct(**json.loads(facts), event=event)
        made._facts = facts
        return made

    def to_json(self) -> str:
        """Returns the JSON text: what was stored, then the event."""
        return f'{self._facts.removesuffix("}")},"event":{self.event.to_json()}}}'
