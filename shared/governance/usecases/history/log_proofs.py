"""Proofs that something is an entry of the log that nobody can rewrite (ADR log)."""

from __future__ import annotations

from governance.log.leaves import Leaf, canonical
from governance.models.history.audit import LogProof
from governance.store.history import log_files


def proof_of(entry_id: str, leaf: Leaf) -> LogProof:
    """Returns the proof that a leaf is in the log; its index and proof are null until it is logged."""
    proof = None if leaf.index is None else log_files.proof(leaf.index)
    return LogProof(
        entry_id=entry_id,
        index=None if proof is None else leaf.index,
        entry=canonical(leaf.text),
        salt=leaf.salt,
        proof=proof,
    )
