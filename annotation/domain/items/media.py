"""Media files: pictures, recordings and videos that items name, and the text that replaces them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

IMAGE, AUDIO, VIDEO = "image", "audio", "video"
# A block of a form with one of these roles shows the file that the text of the item names.
MEDIA_ROLES: Final = (IMAGE, AUDIO, VIDEO)
BLOCK_ROLES: Final = ["literal", "figure", "text", "options", "side", "markdown", *MEDIA_ROLES]
# Kinds that are played from beginning to end.
PLAYED: Final = frozenset({AUDIO, VIDEO})
LONGEST_NAME: Final = 120
# File systems allow 255; exports put a folder or a number before the name.
MOST_BYTES: Final = 240
# No character that a file system refuses, hides or reads as a path: bundles name files so.
NAME = re.compile(r"(?![. ])[^\x00-\x1f\x7f/\\:*?\"<>|\ud800-\udfff]{1,120}(?<![. ])")


def is_name(name: str) -> bool:
    """Whether a media file may have a name: 1 to 120 characters, at most 240 bytes, valid in file systems.

    Parameters
    ----------
    name : str
        As a table of items names the file.
    """
    return NAME.fullmatch(name) is not None and len(name.encode()) <= MOST_BYTES


def media_blocks(blocks: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The blocks of a form that show a file.

    Parameters
    ----------
    blocks : iterable of mapping
        As of a form version.
    """
    return [block for block in blocks if block.get("role") in MEDIA_ROLES]


def lacks_text_alternative(kind: str, alt: str, transcript: str) -> bool:
    """Whether a file lacks a text for people who cannot see or hear it.

    Parameters
    ----------
    kind : str
        `image`, `audio` or `video`.
    alt, transcript : str
        A picture needs its description, a recording its transcript, a video both.
    """
    return (kind != AUDIO and not alt.strip()) or (kind in PLAYED and not transcript.strip())
