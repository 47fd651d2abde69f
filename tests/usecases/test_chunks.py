"""Long lists that are read in chunks."""

from __future__ import annotations

from governance.limits import CHUNK_ROWS
from governance.store.paging import Window
from governance.usecases.chunks import iter_chunks


def test_a_list_is_read_to_its_end_each_chunk_after_the_one_before() -> None:
    following: dict[str | None, tuple[list[int], str | None]] = {"a": ([2, 3], "b"), "b": ([4], None)}
    asked: list[Window] = []

    def read(window: Window) -> tuple[list[int], str | None]:
        asked.append(window)
        return following[window.after]

    assert list(iter_chunks(([1], "a"), read, descending=True)) == [[1], [2, 3], [4]]
    assert asked == [Window(CHUNK_ROWS, descending=True, after=after) for after in "ab"]
