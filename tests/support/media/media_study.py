"""Small media files made by code, and a study whose items show them."""

from __future__ import annotations

import io
import math
import struct
import wave
import zipfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from annotation.domain.base.states import StudyState
from annotation.models import Item, Study
from annotation.services.items.media.local_files import import_media
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

PLACE = "taken at home"


def picture(colour: str = "green", *, size: tuple[int, int] = (6, 4), kind: str = "PNG") -> bytes:
    """A picture of one colour, with metadata that no one else may see."""
    written = io.BytesIO()
    drawn = Image.new("RGB", size, colour)
    exif = drawn.getexif()
    exif[0x010E] = PLACE
    drawn.save(written, kind, exif=exif)
    return written.getvalue()


def recording(seconds: float = 1.0, *, rate: int = 8000) -> bytes:
    """A tone as a WAV file."""
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        samples = (int(9000 * math.sin(place * 0.35)) for place in range(int(rate * seconds)))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return written.getvalue()


def archive(members: Mapping[str, bytes | str]) -> bytes:
    """A ZIP archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return written.getvalue()


def picture_cast(folder: Path, *, slug: str = "pictures") -> Cast:
    """A draft of two items, each with its picture, and the pictures."""
    cast = make_cast(slug=slug, opened=False, items=0)
    names_media(cast.study, role="image", ending="png")
    words = "".join(f"p{n}.png,A field of green {n}\n" for n in range(2))
    packed = folder / f"{slug}.zip"
    members = {f"p{n}.png": picture(("green", "olive")[n]) for n in range(2)}
    packed.write_bytes(archive({**members, "media.csv": f"file,alt\n{words}"}))
    import_media(study=cast.study, paths=[packed])
    return cast


def names_media(study: Study, *, role: str, ending: str, whole: bool = False) -> None:
    """Two items whose column `file` names a file that the form shows."""
    version = study.forms.get().versions.get()
    shown = {"field": "file", "label": "", "role": role} | ({"whole": True} if whole else {})
    version.blocks = [shown, *version.blocks]
    version.save()
    for n in range(2):
        fields = {"file": f"p{n}.{ending}", "simile": f"A field like sea {n}."}
        Item.objects.create(study=study, key=f"i{n}", fields=fields, position=n)


def recording_cast(folder: Path, *, slug: str = "sounds", whole: bool = True) -> Cast:
    """An open study of two items, each a recording that must be heard to the end, and the recordings."""
    cast = make_cast(slug=slug, opened=False, items=0)
    names_media(cast.study, role="audio", ending="wav", whole=whole)
    words = "".join(f"p{n}.wav,Like rain on a roof {n}.\n" for n in range(2))
    packed = folder / f"{slug}.zip"
    members = {f"p{n}.wav": recording(1 + n / 10) for n in range(2)}
    packed.write_bytes(archive({**members, "media.csv": f"file,transcript\n{words}"}))
    import_media(study=cast.study, paths=[packed])
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast
