"""A progress bar for long commands in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm


@contextmanager
def shown() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function to show progress, called as `progress(label, done, total)`."""
    with tqdm(disable=None, leave=False) as bar:

        def progress(what: str, done: int, total: int) -> None:
            bar.total = total
            bar.set_description(what, refresh=False)
            bar.update(done - bar.n)

        yield progress
