"""Makes files of approved minutes, sealed and logged as the service does, and signs copies as others do."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from asn1crypto.x509 import Certificate
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import PdfSignatureMetadata, PdfSigner
from pyhanko.sign.fields import SigFieldSpec

from governance.domain.meetings.minutes_versions import fixed
from governance.ids import BoardId, PersonId, UserId
from governance.log.leaves import Leaf, canonical, new_salt
from governance.log.merkle import inclusion_proof, leaf_hash, tree_hash
from governance.log.notes import Checkpoint, VerifierKey, proof_text, sign_checkpoint
from governance.minutes_file import book_pages
from governance.minutes_file.certificate import SealKey, certify
from governance.minutes_file.contents import Contents
from governance.minutes_file.drawing import draw_contents
from governance.minutes_file.pages import contents_of
from governance.minutes_file.seals import _KeySigner, seal
from governance.models.history.audit import LogProof
from governance.models.meetings.approved_minutes import ApprovedMinutes
from governance.models.meetings.minute_book import MinuteBook, MinuteBookEntry
from governance.models.meetings.minute_book_content import MinuteBookContent
from governance.models.meetings.minutes import Decision, StoredAttendance, StoredMinutes, StoredMinutesItem
from tests.domain.samples import NOW, THEN, id_of

SIGNER = Ed25519PrivateKey.generate()
LOG = VerifierKey("example.com/log", SIGNER.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
CHAIR, SECRETARY, GUEST = UserId(id_of("chair")), UserId(id_of("secretary")), PersonId(id_of("guest"))
BOARD, MEETING, LATER = BoardId(id_of("board")), id_of("meeting"), id_of("later")
ITEM, RESOLUTION, TASK = id_of("item"), id_of("resolution"), id_of("task")
NAMES = {
    CHAIR: "Ann Bell",
    SECRETARY: "Łukasz Żak",
    GUEST: "דנה כהן",
    ITEM: "The budget for 2030",
    RESOLUTION: "2030-4 Adopt the budget",
    TASK: "Send the budget",
    LATER: "Meeting of July",
}


def new_key(name: str = "Board Governance, example.com") -> SealKey:
    """Returns a key with its certificate, which signs as the key service does."""
    private = ec.generate_private_key(ec.SECP256R1())
    public = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)

    def sign(digest: bytes) -> bytes:
        return private.sign(digest, ec.ECDSA(Prehashed(SHA256())))

    return SealKey(certify(public, name, datetime(2026, 1, 1, tzinfo=UTC), sign), sign)


KEY = new_key()


def version(text: str = "Ann presents the budget.\n\nIt is balanced.", other: str = "The fund קרן 12") -> str:
    """Returns the text of a version of minutes, as it is stored."""
    attendance = (
        StoredAttendance(user_id=CHAIR, present="in_person"),
        StoredAttendance(user_id=SECRETARY, present="remote"),
        StoredAttendance(unregistered_user_id=GUEST, present="absent"),
        StoredAttendance(name="Müller & <Söhne>", present="in_person"),
    )
    decision = Decision(text="The budget is adopted.", result="carried")
    items = (
        StoredMinutesItem(id="1", agenda_item_id=ITEM, text=text, decision=decision, action_item_ids=(TASK,)),
        StoredMinutesItem(id="2", text=other, resolution_id=RESOLUTION),
    )
    stored = StoredMinutes(
        board_id=BOARD, meeting_id=MEETING, attendance=attendance, items=items, created_at=THEN, updated_at=NOW
    )
    return fixed(stored)


def logged(*events: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the proofs that events are entries of a log."""
    leaves = [Leaf(json.dumps(event), new_salt(), index) for index, event in enumerate(events, 3)]
    hashes = [*(leaf_hash(bytes([number])) for number in range(3)), *(leaf_hash(leaf.entry) for leaf in leaves)]
    signed = sign_checkpoint(Checkpoint(LOG.name, len(hashes), tree_hash(hashes)), LOG, SIGNER.sign)
    proofs = []
    for index, (leaf, event) in enumerate(zip(leaves, events, strict=True), 3):
        path = inclusion_proof(lambda low, high: tree_hash(hashes[low:high]), index, len(hashes))
        text = proof_text(index, path, signed)
        proof = LogProof(entry_id=event["id"], index=index, entry=canonical(leaf.text), salt=leaf.salt, proof=text)
        proofs.append(json.loads(proof.to_json()))
    return proofs


def event(kind: str, user_id: str, sha256: str) -> dict[str, Any]:
    """Returns an event of these minutes, as it is logged."""
    return {
        "object": "event",
        "id": hashlib.sha256(f"{kind}{user_id}".encode()).hexdigest()[:24],
        "boardId": BOARD,
        "type": kind,
        "actorUserId": user_id,
        "createdVia": "web",
        "createdAt": NOW,
        "refs": {"meetingId": MEETING},
        "details": {"version": 2, "sha256": sha256},
    }


def approved(
    *signers: UserId, minutes: str | None = None, supersedes: int | None = None, **members: Any
) -> ApprovedMinutes:
    """Returns minutes that were approved, signed by these users; `members` are those of the facts.

    With `supersedes` they correct the version of that number.
    """
    text = version() if minutes is None else minutes
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    kind = "minutes.corrected" if supersedes else "minutes.approved"
    acts = [event(kind, CHAIR, sha256), *(event("minutes.signed", signer, sha256) for signer in signers)]
    first, *others = logged(*acts)
    names = members.get("names", NAMES)
    signatures = [
        {"userId": signer, "role": f"Role of {names[signer]}", "at": NOW, "logIndex": proof["index"], "event": proof}
        for signer, proof in zip(signers, others, strict=True)
    ]
    approval = {
        "object": "minutes_approval",
        "boardId": BOARD,
        "meetingId": MEETING,
        "status": "approved",
        "version": 2,
        "sha256": sha256,
        "circulatedAt": THEN,
        "remarksUntil": None,
        "approvedAt": NOW,
        "approvedByUserId": CHAIR,
        "inMeetingId": LATER,
        "resolutionId": None,
        "manner": "as_presented",
        "number": "2030-1",
        "supersedesVersion": supersedes,
        "signatures": signatures,
        "createdAt": THEN,
        "updatedAt": NOW,
        "event": first,
    }
    facts = ApprovedMinutes("The Board", "Meeting of June", THEN, "Europe/Berlin", "en", text, approval, NAMES)
    return replace(facts, **members)


def plain(*signers: UserId) -> ApprovedMinutes:
    """Returns minutes in Latin letters alone, whose file is drawn fast."""
    names = {**NAMES, GUEST: "Dana Cohen"}
    return approved(*signers, minutes=version(other="It closes."), names=names)


def drawn(facts: ApprovedMinutes, folder: Path) -> bytes:
    """Returns the file before it is sealed."""
    return drawn_contents(contents_of(facts), folder)


def drawn_contents(contents: Contents, folder: Path) -> bytes:
    """Returns a file of these contents before it is sealed."""
    draw_contents(contents, folder / "minutes.pdf")
    return (folder / "minutes.pdf").read_bytes()


def book_of(facts: ApprovedMinutes, *titles: str) -> Contents:
    """Returns the contents of a minute book of minutes with these titles, each with what the facts tell."""
    minutes = {
        f"2030-{count}": replace(facts, title=title, approval={**facts.approval, "number": f"2030-{count}"})
        for count, title in enumerate(titles, 1)
    }
    entries = tuple(_entry(number, told) for number, told in minutes.items())
    listed = MinuteBook(board_id=BOARD, year="2030", entries=entries, next_count=None)
    return book_pages.contents_of(
        MinuteBookContent(facts.board, listed, minutes, {}, (), (), facts.timezone, facts.language), NOW
    )


def _entry(number: str, facts: ApprovedMinutes) -> MinuteBookEntry:
    return MinuteBookEntry(
        number=number,
        kind="minutes",
        id=MEETING,
        version=2,
        title=facts.title,
        held_at=facts.start_time,
        approved_at=NOW,
        sha256=facts.approval["sha256"],
        log_index=facts.approval["event"]["index"],
        superseded_by=None,
    )


def made(folder: Path, *signers: UserId, **members: Any) -> bytes:
    """Returns the sealed file of minutes that these users have signed."""
    facts = approved(*signers, **members)
    return seal(drawn(facts, folder), contents_of(facts).acts, KEY)


def signed_elsewhere(content: bytes, box: Sequence[int] | None = (60, 60, 200, 110), certify: bool = False) -> bytes:
    """Returns a copy with a visible signature of somebody else's key, which their program has made."""
    key = new_key("Somebody, elsewhere")
    spec = SigFieldSpec("Elsewhere", box=tuple(box) if box else None)  # type: ignore[arg-type]  # four numbers
    signer = PdfSigner(PdfSignatureMetadata("Elsewhere", certify=certify), _KeySigner(key), new_field_spec=spec)
    signed = io.BytesIO()
    signer.sign_pdf(IncrementalPdfFileWriter(io.BytesIO(content)), output=signed)
    return signed.getvalue()


def common_name(certificate: Certificate) -> str:
    """Returns the name that a certificate is for."""
    return str(certificate.subject.native["common_name"])
