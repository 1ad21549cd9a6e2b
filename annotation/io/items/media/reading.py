"""Reading of sent media files, without the database: formats, re-encoded pictures, and descriptions."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mutagen
from mutagen import flac, mp3, mp4, oggflac, oggopus, oggvorbis, wave

from annotation.domain.base.errors import FileProblem, FileRefused
from annotation.domain.base.limits import LONGEST_MEDIA_ADDRESS, LONGEST_MEDIA_WORDS
from annotation.domain.base.messages import message
from annotation.domain.items.media import IMAGE, is_name
from annotation.io.base.cells import too_many_characters
from annotation.io.base.readers import READERS, read_all_rows
from annotation.io.items.media.formats import HEAD, MP4, WEBM, Format, recognise
from annotation.io.items.media.images import UnreadableMedia, reencode
from annotation.io.items.media.unpacking import Room, Source, unpacked

PREPARED = "prepared"
# The columns of the table that may come with the files.
FILE, ALT, TRANSCRIPT, ADDRESS = "file", "alt", "transcript", "address"
LONGEST = {ALT: LONGEST_MEDIA_WORDS, TRANSCRIPT: LONGEST_MEDIA_WORDS, ADDRESS: LONGEST_MEDIA_ADDRESS}
SOUNDS = (
    *(mp3.MP3, mp4.MP4, wave.WAVE, flac.FLAC),
    *(oggopus.OggOpus, oggvorbis.OggVorbis, oggflac.OggFLAC),
)
PIECE = 1 << 20
SENTENCES: Mapping[str, str] = {
    "not_a_media_file": message(
        "the content is no PNG, JPEG, GIF, WebP, MP3, WAV, Ogg, FLAC, M4A, MP4 or WebM file"
    ),
    "bad_media_name": message(
        "the name must have 1 to 120 characters (in UTF-8 at most 240 bytes: 80 Chinese characters), "
        "without / : * ? < > |, backslashes and quotation marks, "
        "and not begin or end with a full stop or a space"
    ),
    "name_twice": message("two files have this name"),
    "too_many_pixels": message("the picture has too many pixels; make it smaller"),
    "animated_picture": message("the picture is animated; send a video instead"),
    "unsupported_depth": message("the picture has 16 or 32 bits per pixel value; save it with 8 bits"),
    "damaged_file": message("the file is damaged"),
}


@dataclass(frozen=True)
class PreparedFile:
    """A file as it is to be stored."""

    name: str
    path: Path
    kind: str
    mime: str
    size: int
    sha256: str
    sent_sha256: str
    width: int | None = None
    height: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Description:
    """The description of a file in a table; `address` is set if the file is on another server."""

    alt: str = ""
    transcript: str = ""
    address: str = ""


@dataclass
class PreparedFiles:
    """All files that were sent together, and the descriptions from tables."""

    files: list[PreparedFile] = field(default_factory=list)
    descriptions: dict[str, Description] = field(default_factory=dict)


def prepare_folder(
    path: Path, *, name: str, most_bytes: int, most_in_all: int, most_pixels: int
) -> PreparedFiles:
    """Read the files of a folder, and prepare them in a folder next to it; for `read_beforehand`.

    Parameters
    ----------
    path : Path
        A folder with files, ZIP archives and tables.
    name : str
        Its name in messages.
    most_bytes, most_in_all, most_pixels : int
        The largest file, the size of all, and the largest picture.

    Raises
    ------
    FileRefused
        All problems of all files; none of the files may be stored.
    """
    into = path.with_name(PREPARED)
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    files = sorted(one for one in path.iterdir() if one.is_file() and not one.name.startswith("."))
    prepared = prepare(files, into, Room(most_bytes, most_in_all), most_pixels)
    if not prepared.files and not prepared.descriptions:
        raise FileRefused([FileProblem(name, 0, "", "no_media", message("there is no media file in it"))])
    return prepared


def prepare(paths: Iterable[Path], into: Path, room: Room, most_pixels: int) -> PreparedFiles:
    """Prepare files for storage in another folder.

    Parameters
    ----------
    paths : iterable of Path
        Files, archives and tables.
    into : Path
        An empty folder.
    room, most_pixels
        The limits.

    Raises
    ------
    FileRefused
        All problems of all files.
    """
    found = PreparedFiles()
    problems: list[FileProblem] = []
    names: set[str] = set()
    for number, source in enumerate(unpacked(paths, into, room)):
        try:
            if source.path.suffix.lower().removeprefix(".") in READERS:
                found.descriptions |= _descriptions(source)
                continue
            _check_name(source.name, names)
            found.files.append(_prepared(source, into / f"file-{number}", most_pixels))
        except UnreadableMedia as problem:
            problems.append(FileProblem(source.name, 0, "", problem.code, SENTENCES[problem.code]))
        except FileRefused as refused:
            problems += refused.problems
    if problems:
        raise FileRefused(problems)
    return found


def _check_name(name: str, names: set[str]) -> None:
    code = "name_twice" if name in names else "" if is_name(name) else "bad_media_name"
    names.add(name)
    if code:
        raise FileRefused([FileProblem(name, 0, "", code, SENTENCES[code])])


def _prepared(source: Source, target: Path, most_pixels: int) -> PreparedFile:
    with source.path.open("rb") as file:
        found = recognise(file.read(HEAD))
    if found is None:
        raise UnreadableMedia("not_a_media_file")
    more: dict[str, Any] = {}
    if found.kind == IMAGE:
        found, width, height = reencode(source.path, target, found, most_pixels=most_pixels)
        more = {"width": width, "height": height}
    else:
        more = {"seconds": _seconds(source.path, found)}
        shutil.copyfile(source.path, target)
    return PreparedFile(
        name=source.name,
        path=target,
        kind=found.kind,
        mime=found.mime,
        size=target.stat().st_size,
        sha256=digest_of(target),
        sent_sha256=digest_of(source.path),
        **more,
    )


def _seconds(path: Path, found: Format) -> float | None:
    """The duration of a recording; None where a video does not state it."""
    if found == WEBM:
        return None
    try:
        read = mutagen.File(path, options=SOUNDS)  # type: ignore[attr-defined, unused-ignore]
    except mutagen.MutagenError as problem:  # type: ignore[attr-defined, unused-ignore]
        if found == MP4:
            return None
        raise UnreadableMedia("damaged_file") from problem
    if read is None:
        raise UnreadableMedia("damaged_file")
    length = float(read.info.length)
    return round(length, 3) if length > 0 else None


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _descriptions(source: Source) -> dict[str, Description]:
    read = read_all_rows(source.path, name=source.name)
    problems = list(read.problems)
    found: dict[str, Description] = {}
    for number, row in read.rows:
        texts = {column: str(row.get(column) or "").strip() for column in (FILE, ALT, TRANSCRIPT, ADDRESS)}
        if not is_name(texts[FILE]):
            problems.append(
                FileProblem(source.name, number, FILE, "bad_media_name", SENTENCES["bad_media_name"])
            )
        for column, most in LONGEST.items():
            if len(texts[column]) > most:
                sentence = too_many_characters(texts[column], most)
                problems.append(FileProblem(source.name, number, column, "too_long", sentence))
        found[texts[FILE]] = Description(texts[ALT], texts[TRANSCRIPT], texts[ADDRESS])
    if problems:
        raise FileRefused(problems)
    return found
