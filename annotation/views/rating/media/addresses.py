"""Addresses of media files on pages: those of raters are signed for one item, and valid for some hours."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from annotation.models import Assignment, MediaFile

SALT = "annotation.media"
HOUR = 3600
# They end at a full hour, so that the address of a file stays the same and browsers need not load it again.
HOURS = 12
# In place of an assignment: the practice item, of which nothing is stored.
PRACTICE = 0


@dataclass(frozen=True)
class Grant:
    """Who may load which file for which item, until when (seconds since 1970); `PRACTICE` for practice."""

    file: int
    assignment: int
    until: int

    @property
    def token(self) -> str:
        """As it stands in an address."""
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
    until = (int(time.time()) // HOUR + HOURS) * HOUR
    grant = Grant(file.pk, assignment.pk or PRACTICE, until)
    return reverse("rate-media", args=[assignment.rater.study.slug, grant.token])
