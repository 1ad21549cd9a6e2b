"""Media files of a copied study: their contents before the transaction, their rows in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from annotation.io.items.media import stored
from annotation.models import MediaFile, Study
from annotation.models.items.media_file import media_folder
from annotation.services.base.backup.sequences import reserve_number


@dataclass(frozen=True)
class CopiedContents:
    """The number that the draft must get, None for any, and the digests of what is in its folder."""

    number: int | None
    digests: frozenset[str]


@contextmanager
def copied_contents(source: Study) -> Iterator[CopiedContents]:
    """Copy the contents of a study's media for a draft that is created inside; outside of any transaction.

    Copying can take minutes, and on SQLite a transaction keeps all raters waiting. On an error the contents
    are deleted; what a killed process has left is deleted by the nightly job.

    Parameters
    ----------
    source : Study
        The study that is copied.

    Yields
    ------
    CopiedContents
        For `copy_media` in the transaction that creates the draft.
    """
    digests = set(source.media_files.exclude(sha256="").values_list("sha256", flat=True))
    if not digests:
        yield CopiedContents(None, frozenset())
        return
    number = reserve_number(Study)
    try:
        copied = frozenset(digest for digest in digests if _is_copied(source.pk, number, digest))
        yield CopiedContents(number, copied)
    except BaseException:
        stored.delete_folder(media_folder(number))
        raise


def _is_copied(source: int, target: int, digest: str) -> bool:
    """Copy a content; False where it was deleted meanwhile, with its row."""
    try:
        stored.copy(f"{media_folder(source)}/{digest}", f"{media_folder(target)}/{digest}")
    except FileNotFoundError:
        return False
    return True


def copy_media(*, source: Study, target: Study, contents: CopiedContents) -> int:
    """Store the rows of the media files of a study, with their words, in the transaction of a new draft.

    Parameters
    ----------
    source, target
        The study, and the draft, which has no media yet.
    contents : CopiedContents
        From `copied_contents`; what was added to the study after that is copied now.

    Returns
    -------
    int
        How many files were copied.
    """
    copies = []
    for file in source.media_files.all():
        if file.sha256 and file.sha256 not in contents.digests:
            stored.copy(file.stored_name, f"{media_folder(target.pk)}/{file.sha256}")
        file.pk, file.study = None, target
        file._state.adding = True
        copies.append(file)
    MediaFile.objects.bulk_create(copies)
    return len(copies)
