"""Runs the rounds of a long test in processes."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import count
from multiprocessing import get_context
from typing import Any, TypeVar

Found = TypeVar("Found")


def rounds(
    work: Callable[[int], Found], processes: int, first: int, set_up: Callable[..., None], *given: Any
) -> Generator[Found]:
    """Yields what each round finds, from number `first` on, until the caller stops; each process begins with `set_up`.

    A process ends after a round, and with it what libraries keep in memory.
    """
    numbers = count(first)
    with ProcessPoolExecutor(processes, get_context("spawn"), set_up, given, max_tasks_per_child=1) as pool:
        pending = {pool.submit(work, next(numbers)) for _ in range(processes)}
        while True:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
                pending.add(pool.submit(work, next(numbers)))
