"""Re-encoding of pictures: only the visible content of a sent file is stored."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from annotation.io.items.media.formats import GIF, JPEG, PNG, WEBP, Format

# By format: the name of it in Pillow, what it is stored as, and how.
ENCODERS: Mapping[Format, tuple[str, Format, Mapping[str, Any]]] = {
    PNG: ("PNG", PNG, {"optimize": False}),
    GIF: ("GIF", PNG, {"optimize": False}),
    JPEG: ("JPEG", JPEG, {"quality": 92, "subsampling": 0}),
    WEBP: ("WEBP", WEBP, {"quality": 92, "method": 4}),
}
PLAIN_MODES = {"RGB", "RGBA", "L", "LA", "P", "1"}
DEEP_MODES = {"I", "F", "I;16", "I;16L", "I;16B", "I;16N"}
SRGB: Final = "sRGB"
# Photographs of phones: a JPEG that is followed by smaller ones or by a map of brightness.
SEVERAL_JPEGS = "MPO"


class UnreadableMedia(ValueError):
    """A media file that cannot be decoded within the limits; `code` is stable."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def reencode(source: Path, target: Path, found: Format, *, most_pixels: int) -> tuple[Format, int, int]:
    """Re-encode a picture upright, in sRGB and without metadata.

    Parameters
    ----------
    source, target : Path
        The sent file, and where the new one is written.
    found : Format
        That of the sent file. A GIF becomes a PNG.
    most_pixels : int
        Larger pictures are not decoded.

    Returns
    -------
    tuple of Format, int, int
        The format, width and height of the new file.

    Raises
    ------
    UnreadableMedia
        `too_many_pixels`, `animated_picture`, `unsupported_depth` or `damaged_file`.
    """
    name, stored_as, options = ENCODERS[found]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(source, formats=(name,)) as opened:
                _refuse(opened, most_pixels)
                upright = ImageOps.exif_transpose(opened)
                picture = _bare(upright)
        picture.save(target, format=stored_as.mime.partition("/")[2].upper(), **options)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as problem:
        if isinstance(problem, UnreadableMedia):
            raise
        raise UnreadableMedia("damaged_file") from problem
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as problem:
        raise UnreadableMedia("too_many_pixels") from problem
    return stored_as, picture.width, picture.height


def _refuse(opened: Image.Image, most_pixels: int) -> None:
    if opened.width * opened.height > most_pixels:
        raise UnreadableMedia("too_many_pixels")
    if opened.format != SEVERAL_JPEGS and getattr(opened, "n_frames", 1) > 1:
        raise UnreadableMedia("animated_picture")
    if opened.mode in DEEP_MODES:
        raise UnreadableMedia("unsupported_depth")


def _bare(opened: Image.Image) -> Image.Image:
    """The pixels only, in sRGB and in a mode that every encoder supports."""
    has_mask = "transparency" in opened.info
    profile = opened.info.get("icc_profile")
    # Its profile says which colours the four inks are.
    stored_modes = PLAIN_MODES | {"CMYK"} if profile else PLAIN_MODES
    if opened.mode == "P":
        plain = opened.convert("RGBA" if has_mask else "RGB")
    elif opened.mode in stored_modes and not has_mask:
        plain = opened.copy()
    else:
        plain = opened.convert("RGBA" if has_mask or opened.mode == "PA" else "RGB")
    plain = _in_srgb(plain, profile) if profile else plain
    plain.info = {}
    return plain if plain.mode in PLAIN_MODES else plain.convert("RGB")


def _in_srgb(picture: Image.Image, profile: bytes) -> Image.Image:
    """Convert the colours by their profile, unless it is sRGB or, as in browsers, unsuitable."""
    mask = picture.getchannel("A") if picture.mode in {"RGBA", "LA"} else None
    colours = picture.convert("L" if picture.mode == "LA" else "RGB") if mask else picture
    try:
        given = ImageCms.getOpenProfile(io.BytesIO(profile))
        if SRGB in ImageCms.getProfileDescription(given):
            return picture
        shown = ImageCms.profileToProfile(colours, given, ImageCms.createProfile(SRGB), outputMode="RGB")
    except ImageCms.PyCMSError:
        return picture
    if shown is None:
        return picture
    if mask:
        shown.putalpha(mask)
    return shown
