"""The certificate of a resolution: one text, made when it is closed, from which anyone can recompute what was decided.

Its hash stands in the event `resolution.closed`, and that event is in the log that nobody can rewrite (ADR
resolutions). `infra/verify/certificate.py` checks all of it without the service.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from governance.log.leaves import canonical
from governance.models.base import Resource
from governance.models.boards.board import StoredBoard

_VERSION = 1


@dataclass(frozen=True)
class Certified:
    """A certificate without its event: the text (RFC 8785) that is stored, and served as it is."""

    text: str

    @property
    def sha256(self) -> str:
        """The hash that the event `resolution.closed` has in its details, as hex."""
        return _sha256(self.text)


def certify(
    board: StoredBoard, resolution: Resource, papers: Sequence[Resource], ballots: Sequence[Resource] | Sequence[str]
) -> Certified:
    """Returns the certificate of a resolution as its record closes it.

    `resolution` is what clients see from then on, with its tally. `ballots` are choices alone if they are secret; they
    are sorted here, so that no order says anything.
    """
    shown = _plain(resolution)
    facts = {
        "object": "resolution_certificate",
        "version": _VERSION,
        "board": {"id": board.id, "name": board.name},
        "resolution": shown,
        "papers": [_plain(paper) for paper in papers],
        "textSha256": _sha256(shown["text"]),
        "ballots": sorted((_ballot(ballot) for ballot in ballots), key=_order),
        "tally": shown["tally"],
    }
    return Certified(canonical(json.dumps(facts)))


def _ballot(ballot: Resource | str) -> Any:
    return ballot if isinstance(ballot, str) else _plain(ballot)


def _order(ballot: Any) -> str:
    return ballot if isinstance(ballot, str) else str(ballot["userId"])


def _plain(resource: Resource) -> Any:
    return json.loads(resource.to_json())


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
