"""Addresses of media files on pages: those of raters are signed for one item, and valid for some hours."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from annotation.models import Assignment, MediaFile, Rater
from annotation.selectors.items.media import files_named

SALT = "annotation.media"
HOUR = 3600
# They end at a full hour, so that the address of a file stays the same and browsers need not load it again.
HOURS = 12
# In place of an assignment: the practice item, of which nothing is stored.
PRACTICE = 0
# Of files in worked examples and on background pages.
GUIDE = -1


@dataclass(frozen=True)
class Grant:
    """Who may load which file for which item, until when (seconds since 1970); `PRACTICE` or `GUIDE`."""

    file: int
    assignment: int
    until: int

    @property
    def token(self) -> str:
        """The signed grant, as used in an address."""
        return Signer(salt=SALT).sign_object([self.file, self.assignment, self.until])

    @classmethod
    def read(cls, token: str) -> Self | None:
        """The grant of an address; None where it is not ours or has expired."""
        try:
            grant = cls(*Signer(salt=SALT).unsign_object(token))
        except (BadSignature, ValueError):
            return None
        return grant if grant.seconds_left > 0 else None

    @property
    def seconds_left(self) -> int:
        """Until it expires."""
        return int(self.until - time.time())


def with_addresses(blocks: Sequence[Mapping[str, Any]], assignment: Assignment) -> list[dict[str, Any]]:
    """Blocks of the page of an assignment with the addresses of their files.

    Parameters
    ----------
    blocks : sequence of mapping
        As `page_blocks` has them.
    assignment : Assignment
        With its rater and study; the one of the practice item is not stored.
    """
    return with_own_addresses(blocks, lambda file: _signed(file, assignment))


def guide_files_for(rater: Rater, names: Collection[str]) -> dict[str, dict[str, Any]]:
    """Files in texts of the guide as blocks with addresses, by name; `media` is None where there is none.

    Parameters
    ----------
    rater : Rater
        Who reads the page.
    names : collection of str
        Of the files.
    """
    found = files_named(rater.study_id, names)
    return {name: _guide_block(name, found.get(name), rater) for name in names}


def _guide_block(name: str, file: MediaFile | None, rater: Rater) -> dict[str, Any]:
    if file is None:
        return {"file": name, "media": None}
    address = file.address or _granted(file, GUIDE, rater)
    shown = {"field": f"guide-{file.pk}", "role": file.kind, "label": "", "whole": False}
    return {"file": name, "media": file, "address": address, **shown}


def with_own_addresses(
    blocks: Sequence[Mapping[str, Any]], own: Callable[[MediaFile], str]
) -> list[dict[str, Any]]:
    """Blocks of a page with the addresses of their files: of the other server, or `own`.

    Parameters
    ----------
    blocks : sequence of mapping
        As `page_blocks` has them.
    own : callable
        Where those who see the page load a file that is stored here.
    """
    return [
        {**block, "address": block["media"].address or own(block["media"])}
        if block.get("media")
        else dict(block)
        for block in blocks
    ]


def _signed(file: MediaFile, assignment: Assignment) -> str:
    return _granted(file, assignment.pk or PRACTICE, assignment.rater)


def _granted(file: MediaFile, place: int, rater: Rater) -> str:
    until = (int(time.time()) // HOUR + HOURS) * HOUR
    return reverse("rate-media", args=[rater.study.slug, Grant(file.pk, place, until).token])
