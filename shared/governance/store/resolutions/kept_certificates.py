"""Certificates that are kept outside the table, in the bucket with the record of revocations (ADR restore).

An object holds all that a restored table may have lost of a closed resolution: its head, its content, its voters
without comments, the certificate's text, and the event whose leaf is in the log. It has of secret ballots what the
table has then: who voted, and the sorted choices of the certificate. Its name is the resolution's number, and it is
created once. So no second certificate of a number can be kept, and none that is not kept is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Self

from governance import aws
from governance.ids import BoardId
from governance.models.resolutions.ballot import VoterGroup
from governance.models.resolutions.resolution import StoredContent, StoredResolution
from governance.settings import settings
from governance.store import objects
from governance.store.resolutions.certificates import StoredCertificate
from governance.store.resolutions.resolutions import ResolutionContents
from governance.store.schema.keys import Item

PREFIX = "certificates/"


@dataclass(frozen=True)
class KeptCertificate:
    """What was certified of a resolution, as the table stored it."""

    resolution: dict[str, Any]
    content: dict[str, Any]
    groups: list[dict[str, Any]]
    text: str
    event: Item

    @classmethod
    def of(
        cls, resolution: StoredResolution, body: ResolutionContents, certificate: StoredCertificate, event: Item
    ) -> Self:
        """Returns what is kept of a closed resolution."""
        groups = [_without_comments(group).item() for group in body.groups]
        return cls(resolution.item(), body.content.item(), groups, certificate.text, event)

    @property
    def head(self) -> StoredResolution:
        """The resolution."""
        return StoredResolution.model_validate(self.resolution)

    @property
    def body(self) -> ResolutionContents:
        """Its content and its voters."""
        groups = tuple(VoterGroup.model_validate(group) for group in self.groups)
        return ResolutionContents(StoredContent.model_validate(self.content), groups)


def _without_comments(group: VoterGroup) -> VoterGroup:
    """Returns a group without what its voters wrote: a purge takes that away, and the bucket forgets nothing."""
    voters = tuple(
        voter.model_copy(update={"ballot": voter.ballot and voter.ballot.model_copy(update={"comment": None})})
        for voter in group.voters
    )
    return group.model_copy(update={"voters": voters})


def keep(kept: KeptCertificate) -> bool:
    """Keeps a certificate; returns False if another one has its number. Raises 503 if the bucket does not answer."""
    bucket, key = settings().revocations_bucket, _key(kept.head)
    text = json.dumps(asdict(kept), default=int).encode()  # the store's whole numbers are decimals
    created = objects.find(
        lambda: aws.s3().put_object(
            Bucket=bucket,
            Key=key,
            Body=text,
            ContentType="application/json",
            ChecksumAlgorithm="SHA256",
            IfNoneMatch="*",
        ),
        objects.TAKEN,
    )
    return created is not None or _read(key).text == kept.text


def _key(resolution: StoredResolution) -> str:
    return f"{_folder(resolution.board_id)}{resolution.number}.json"


def _folder(board_id: BoardId) -> str:
    return f"{PREFIX}{board_id}/"


def of_board(board_id: BoardId) -> list[KeptCertificate]:
    """Returns what is kept of a board, in the order in which its resolutions were closed. Raises 503."""
    kept = [_read(key) for key in objects.keys(settings().revocations_bucket, _folder(board_id))]
    return sorted(kept, key=lambda certificate: certificate.head.closed_at or "")


def board_ids() -> Iterator[BoardId]:
    """Yields the boards of which something is kept. Raises 503."""
    keys = objects.keys(settings().revocations_bucket, PREFIX)
    yield from dict.fromkeys(BoardId(key.split("/")[1]) for key in keys)


def _read(key: str) -> KeptCertificate:
    answer = objects.ask(lambda: aws.s3().get_object(Bucket=settings().revocations_bucket, Key=key))
    return KeptCertificate(**json.loads(b"".join(objects.chunks(answer["Body"]))))
