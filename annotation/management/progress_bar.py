"""A bar for long commands, on a terminal alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm


@contextmanager
def shown() -> Iterator[Callable[[str, int, int], None]]:
    """Show how far it has come by calling what this yields as `progress(what, done, total)`."""
    with tqdm(disable=None, leave=False) as bar:

        def progress(what: str, done: int, total: int) -> None:
            bar.total = total
            bar.set_description(what, refresh=False)
            bar.update(done - bar.n)

        yield progress
