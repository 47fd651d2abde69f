"""What the copier says of a paper: what was added, what was left out, or why it cannot be copied."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

Place = tuple[int, int]
"""The place of an object in the file: 0 and where it begins, or the stream of objects that it is in and its index."""


class Problem(StrEnum):
    """Why a paper cannot be part of a pack."""

    BROKEN = "broken"
    """It cannot be read: it is damaged, or not what its type says."""
    ENCRYPTED = "encrypted"
    TOO_LONG = "too_long"
    """It has more pages or objects than a pack takes of one paper."""
    TOO_HEAVY = "too_heavy"
    """Reading it takes more time or memory than a pack spends on one paper."""


class Loss(StrEnum):
    """What of a paper is not in the pack, though the paper is."""

    FORM = "form"
    """Only another program shows the form; the pack has the page that stands in its place."""
    PORTFOLIO = "portfolio"
    """The paper is an envelope of files; the pack has its cover sheet."""
    ATTACHMENTS = "attachments"
    MEDIA = "media"
    """Sound, video or a model of three dimensions; the pack has its picture."""


@dataclass(frozen=True)
class LeftOut:
    """Something of a paper that is not in the pack, and the names of its files."""

    loss: Loss
    files: tuple[str, ...] = ()


class PaperError(Exception):
    """A paper cannot be part of a pack."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class Added:
    """The result of a job: the objects of the added pages, the place of each new object, and what was left out."""

    pages: list[int] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)
    problem: Problem | None = None
    left_out: list[LeftOut] = field(default_factory=list)
