"""Certificates: from one, anyone can recompute what a resolution decided (an extension of the API, ADR resolutions)."""

import json
from typing import Literal

from pydantic import PrivateAttr

from governance.models.audit import LogProof
from governance.models.base import ApiObject, Resource
from governance.models.resolutions.ballot import CertifiedBallot, Choice
from governance.models.resolutions.resolution import Paper, Resolution, Tally


class CertifiedBoard(Resource):
    """The board of a resolution, with its name at the close."""

    id: str
    name: str


class CertifiedFacts(ApiObject):
    """A certificate without its event; its RFC 8785 form is what is hashed."""

    object: Literal["resolution_certificate"] = "resolution_certificate"
    version: Literal[1] = 1
    board: CertifiedBoard
    resolution: Resolution
    papers: tuple[Paper, ...]
    text_sha256: str
    ballots: tuple[CertifiedBallot | Choice, ...]
    tally: Tally


class Certificate(CertifiedFacts):
    """A certificate with the proof that its hash is in the log that nobody can rewrite."""

    event: LogProof

    _facts: str = PrivateAttr()

    @classmethod
    def of(cls, facts: str, event: LogProof) -> "Certificate":
        """Returns the certificate of a stored text, which is served as it was written, whatever release wrote it."""
        made = cls.model_construct(**json.loads(facts), event=event)
        made._facts = facts
        return made

    def to_json(self) -> str:
        """Returns the JSON text: what was stored, and the event behind it."""
        return f'{self._facts.removesuffix("}")},"event":{self.event.to_json()}}}'
