"""Tiles (c2sp.org/tlog-tiles): the hashes of a tree, 256 together, and the entries of the log in bundles of 256.

A tile of level 0 has the hashes of leaves; a hash of a level above is that of a full tile of the level below.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from governance.log.merkle import EMPTY_ROOT, HASH_BYTES, leaf_hash, tree_hash

WIDTH = 256
_LEVEL_BITS = 8
_LENGTH = struct.Struct(">H")


@dataclass(frozen=True, order=True)
class Tile:
    """The name of a tile: its level (None: a bundle of entries), its number in the level, and how many it has."""

    level: int | None
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """The path of the tile, below the log's prefix."""
        level = "entries" if self.level is None else self.level
        part = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{level}/{_number_path(self.number)}{part}"

    @property
    def end(self) -> int:
        """The size of the smallest tree that has the tile."""
        return self.number * WIDTH + self.width << _LEVEL_BITS * (self.level or 0)


def parse_path(path: str) -> Tile:
    """Returns the tile that a path names. Raises `ValueError` for what is not a path of a tile."""
    _, level, *groups = path.split("/")
    width = int(groups.pop()) if len(groups) > 1 and groups[-2].endswith(".p") else WIDTH
    number = int("".join(group.removeprefix("x").removesuffix(".p") for group in groups))
    tile = Tile(None if level == "entries" else int(level), number, width)
    if tile.path != path:
        raise ValueError(path)
    return tile


def _number_path(number: int) -> str:
    """Returns the number of a tile in groups of three digits, each but the last with an `x` before it."""
    path = f"{number % 1000:03}"
    while number := number // 1000:
        path = f"x{number % 1000:03}/{path}"
    return path


def tile_of(level: int | None, number: int, size: int) -> Tile:
    """Returns the tile of a level that a tree of a size has under a number: full, or the partial one at its end."""
    hashes = size >> _LEVEL_BITS * (level or 0)
    return Tile(level, number, min(WIDTH, hashes - number * WIDTH))


def tiles_of(size: int) -> Iterator[Tile]:
    """Yields every tile of a tree of a size, and its bundles of entries."""
    for level in [None, *_levels(size)]:
        for number in range(-(-(size >> _LEVEL_BITS * (level or 0)) // WIDTH)):
            yield tile_of(level, number, size)


def _levels(size: int) -> range:
    return range(-(-max(size.bit_length(), 1) // _LEVEL_BITS)) if size else range(0)


def edge_tiles(size: int) -> list[Tile]:
    """Returns the partial tiles at the right edge of a tree, one of each level that has one, and their bundle."""
    partial = [(level, (size >> _LEVEL_BITS * level) % WIDTH) for level in _levels(size)]
    hashes = [Tile(level, size >> _LEVEL_BITS * (level + 1), width) for level, width in partial if width]
    return [*hashes, *(Tile(None, tile.number, tile.width) for tile in hashes if tile.level == 0)]


def tiles_for_proof(index: int, size: int) -> list[Tile]:
    """Returns the tiles that a proof of a leaf's inclusion in a tree of a size is made of."""
    own = (tile_of(level, index >> _LEVEL_BITS * (level + 1), size) for level in _levels(size))
    edge = (tile for tile in edge_tiles(size) if tile.level is not None)
    return list(dict.fromkeys([*(tile for tile in own if tile.width > 0), *edge]))


def split_hashes(content: bytes) -> list[bytes]:
    """Returns the hashes of a tile."""
    return [content[at : at + HASH_BYTES] for at in range(0, len(content), HASH_BYTES)]


def pack_entries(entries: Iterable[bytes]) -> bytes:
    """Returns a bundle of entries: each with its length before it."""
    return b"".join(_LENGTH.pack(len(entry)) + entry for entry in entries)


def unpack_entries(content: bytes) -> list[bytes]:
    """Returns the entries of a bundle. Raises `ValueError` if it is cut off."""
    entries = []
    while content:
        (length,) = _LENGTH.unpack_from(content.ljust(_LENGTH.size, b"\xff"))
        entry, content = content[_LENGTH.size : _LENGTH.size + length], content[_LENGTH.size + length :]
        if len(entry) != length:
            raise ValueError("The bundle of entries is cut off.")
        entries.append(entry)
    return entries


@dataclass
class Edge:
    """The right edge of a growing tree: the hashes of the partial tile of each level, and the entries of the last."""

    size: int = 0
    hashes: dict[int, list[bytes]] = field(default_factory=dict)
    entries: list[bytes] = field(default_factory=list)

    @property
    def root(self) -> bytes:
        """The root of the tree."""
        root: list[bytes] = []
        for level in range(max(self.hashes, default=-1) + 1):
            nodes = [*self.hashes.get(level, []), *root]
            root = [tree_hash(nodes)] if nodes else []
        return root[0] if root else EMPTY_ROOT

    def append(self, entries: Sequence[bytes]) -> dict[Tile, bytes]:
        """Appends entries; returns the tiles and bundles that the tree has now and had not before."""
        changed: dict[Tile, bytes] = {}
        for entry in entries:
            self.entries.append(entry)
            if len(self.entries) == WIDTH:
                changed[Tile(None, self.size // WIDTH)] = pack_entries(self.entries)
                self.entries = []
            changed |= self._push(0, leaf_hash(entry))
            self.size += 1
        return changed | (self._partial() if entries else {})

    def _push(self, level: int, value: bytes) -> dict[Tile, bytes]:
        hashes = self.hashes.setdefault(level, [])
        hashes.append(value)
        if len(hashes) < WIDTH:
            return {}
        self.hashes[level] = []
        full = Tile(level, self.size >> _LEVEL_BITS * (level + 1))
        return {full: b"".join(hashes), **self._push(level + 1, tree_hash(hashes))}

    def _partial(self) -> dict[Tile, bytes]:
        return {
            tile: pack_entries(self.entries) if tile.level is None else b"".join(self.hashes[tile.level])
            for tile in edge_tiles(self.size)
        }


def read_edge(size: int, read: Callable[[Tile], bytes]) -> Edge:
    """Returns the right edge of a tree of a size. Raises `ValueError` if a tile has not the width that it must have."""
    edge = Edge(size)
    for tile in edge_tiles(size):
        parts = unpack_entries(read(tile)) if tile.level is None else split_hashes(read(tile))
        if len(parts) != tile.width:
            raise ValueError(f"The tile {tile.path} has {len(parts)} parts.")
        if tile.level is None:
            edge.entries = parts
        else:
            edge.hashes[tile.level] = parts
    return edge


def subtree_of(tiles: Callable[[Tile], bytes], size: int) -> Callable[[int, int], bytes]:
    """Returns the hashes of a tree's complete subtrees, read from its tiles."""

    def subtree(low: int, high: int) -> bytes:
        level = ((high - low).bit_length() - 1) // _LEVEL_BITS
        first, last = (at >> _LEVEL_BITS * level for at in (low, high))
        tile = tile_of(level, first // WIDTH, size)
        start = first % WIDTH
        return tree_hash(split_hashes(tiles(tile))[start : start + last - first])

    return subtree
