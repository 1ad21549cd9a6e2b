"""The formats of media files, recognised by their content and not by their names."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.domain.items.media import AUDIO, IMAGE, VIDEO

# Bytes at the beginning of a file that `recognise` needs.
HEAD = 4096


@dataclass(frozen=True)
class Format:
    """A format that browsers show without running code in it."""

    kind: str
    mime: str


PNG, JPEG = Format(IMAGE, "image/png"), Format(IMAGE, "image/jpeg")
GIF, WEBP = Format(IMAGE, "image/gif"), Format(IMAGE, "image/webp")
MP3, WAV = Format(AUDIO, "audio/mpeg"), Format(AUDIO, "audio/wav")
OGG, FLAC, M4A = Format(AUDIO, "audio/ogg"), Format(AUDIO, "audio/flac"), Format(AUDIO, "audio/mp4")
MP4, WEBM = Format(VIDEO, "video/mp4"), Format(VIDEO, "video/webm")
FORMATS = (PNG, JPEG, GIF, WEBP, MP3, WAV, OGG, FLAC, M4A, MP4, WEBM)
BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"ID3", MP3),
    (b"fLaC", FLAC),
)
SOUND_IN_OGG = (b"OpusHead", b"\x01vorbis", b"fLaC")
SOUND_BRANDS = (b"M4A ", b"M4B ")
# Not those of pictures, such as AVIF, in the same container.
VIDEO_BRANDS = (b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ", b"dash")


def recognise(head: bytes) -> Format | None:
    """The format of a file; None if pages do not show it, such as SVG or HTML.

    Parameters
    ----------
    head : bytes
        Its first `HEAD` bytes.
    """
    for beginning, found in BEGINNINGS:
        if head.startswith(beginning):
            return found
    return _in_container(head) or (MP3 if _is_mpeg_frame(head) else None)


def _in_container(head: bytes) -> Format | None:
    if head.startswith(b"RIFF"):
        return {b"WEBP": WEBP, b"WAVE": WAV}.get(head[8:12])
    if head.startswith(b"OggS"):
        return OGG if any(sign in head for sign in SOUND_IN_OGG) else None
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        return M4A if brand in SOUND_BRANDS else MP4 if brand in VIDEO_BRANDS else None
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return WEBM if b"webm" in head[:64] else None
    return None


def _is_mpeg_frame(head: bytes) -> bool:
    """Whether a file begins with a frame of MPEG layer III, without a tag before it."""
    return len(head) > 2 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2
