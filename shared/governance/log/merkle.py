"""Merkle trees as RFC 6962 defines them, over SHA-256: hashes, and the proofs that are made of them.

A tree is given by a function that returns the hash of a complete subtree. So a proof reads only what it needs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()
"""The root of the tree without leaves."""

Subtree = Callable[[int, int], bytes]
"""Returns the hash over the leaves from the first index to before the second: a power of two of them, aligned."""


def leaf_hash(entry: bytes) -> bytes:
    """Returns the hash of an entry of the log."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Returns the hash of a node, given those of its children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def _split(size: int) -> int:
    """Returns the largest power of two that is less than a size of two or more."""
    return 1 << (size - 1).bit_length() - 1


def tree_hash(hashes: Sequence[bytes]) -> bytes:
    """Returns the root over these hashes; the last one may stand for a subtree that is not complete."""
    if not hashes:
        return EMPTY_ROOT
    if len(hashes) == 1:
        return hashes[0]
    middle = _split(len(hashes))
    return node_hash(tree_hash(hashes[:middle]), tree_hash(hashes[middle:]))


def range_hash(subtree: Subtree, low: int, high: int) -> bytes:
    """Returns the hash over the leaves from `low`, a multiple of the size's largest power of two, up to `high`."""
    size = high - low
    if size == 0:
        return EMPTY_ROOT
    if size & (size - 1) == 0:
        return subtree(low, high)
    middle = low + _split(size)
    return node_hash(subtree(low, middle), range_hash(subtree, middle, high))


def inclusion_proof(subtree: Subtree, index: int, size: int) -> list[bytes]:
    """Returns the proof that a leaf is in the tree of a size: the leaf's sibling first, the root's child last."""
    return _inclusion(subtree, index, 0, size)


def _inclusion(subtree: Subtree, index: int, low: int, high: int) -> list[bytes]:
    if high - low == 1:
        return []
    middle = low + _split(high - low)
    if index < middle:
        return [*_inclusion(subtree, index, low, middle), range_hash(subtree, middle, high)]
    return [*_inclusion(subtree, index, middle, high), range_hash(subtree, low, middle)]


def consistency_proof(subtree: Subtree, old: int, size: int) -> list[bytes]:
    """Returns the proof that the tree of `old` leaves is the beginning of that of `size`; empty for 0 and `size`."""
    return [] if old in {0, size} else _consistency(subtree, old, 0, size, known=True)


def _consistency(subtree: Subtree, old: int, low: int, high: int, *, known: bool) -> list[bytes]:
    """Returns the proof for the leaves from `low` to `high`; if they are `known`, the verifier has their old hash."""
    if old == high:
        return [] if known else [range_hash(subtree, low, high)]
    middle = low + _split(high - low)
    if old <= middle:
        return [*_consistency(subtree, old, low, middle, known=known), range_hash(subtree, middle, high)]
    return [*_consistency(subtree, old, middle, high, known=False), range_hash(subtree, low, middle)]
