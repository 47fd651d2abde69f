"""The certificate of a resolution: one text, made when it is closed, from which anyone can recompute what was decided.

Its hash is in the event `resolution.closed`, and that event is in the log that nobody can rewrite (ADR
resolutions). `infra/verify/certificate.py` checks all of it without the service.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from governance.domain.access.access import Principal
from governance.domain.packs.board_pack import document_to_make
from governance.instants import Instant
from governance.log.leaves import canonical
from governance.models.boards.board import StoredBoard
from governance.models.documents.document import StoredDocument
from governance.models.resolutions.ballot import CertifiedBallot, Choice
from governance.models.resolutions.certificate import CertifiedBoard, CertifiedFacts
from governance.models.resolutions.paper import Paper
from governance.models.resolutions.resolution import Resolution, StoredResolution, Tally


@dataclass(frozen=True)
class Certified:
    """A certificate without its event: the text (RFC 8785) that is stored, and served as it is."""

    text: str

    @property
    def sha256(self) -> str:
        """The hash that the event `resolution.closed` has in its details, as hex."""
        return _sha256(self.text)


def certify(
    board: StoredBoard,
    resolution: Resolution,
    tally: Tally,
    papers: Sequence[Paper],
    ballots: Sequence[CertifiedBallot | Choice],
) -> Certified:
    """Returns the certificate of a resolution as its record closes it.

    `resolution` is what clients see from then on. `ballots` are choices alone if they are secret. They are sorted here,
    so that their order says nothing.
    """
    facts = CertifiedFacts(
        board=CertifiedBoard(id=board.id, name=board.name),
        resolution=resolution,
        papers=tuple(papers),
        text_sha256=_sha256(resolution.text),
        ballots=tuple(sorted(ballots, key=_order)),
        tally=tally,
    )
    return Certified(canonical(facts.to_json()))


def _order(ballot: CertifiedBallot | Choice) -> str:
    return ballot if isinstance(ballot, str) else ballot.user_id


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def document_of(resolution: StoredResolution, principal: Principal, now: Instant) -> StoredDocument:
    """Returns the document of a certificate's PDF: of the resolution's committee, and linked to its meeting."""
    title = f"{resolution.number} {resolution.title}"
    made = document_to_make(resolution.board_id, title, "resolution", resolution.meeting_id, principal, now)
    return made.model_copy(update={"committee_id": resolution.committee_id})
