"""Sent files are unpacked, recognised and re-encoded within limits, and nothing else of them is stored."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from annotation.domain.base.errors import FileRefused
from annotation.domain.items.media import is_name
from annotation.io.items.media.reading import PreparedFiles, prepare_folder
from annotation.io.items.media.unpacking import Room, unpacked
from tests.support.media.media_study import PLACE, archive, picture, recording

LIMITS = {"most_bytes": 1 << 20, "most_in_all": 4 << 20, "most_pixels": 10_000}


def prepared(folder: Path, files: Mapping[str, bytes], **limits: Any) -> PreparedFiles:
    sent = folder / "sent"
    sent.mkdir()
    for name, content in files.items():
        (sent / name).write_bytes(content)
    return prepare_folder(sent, name="sent", **{**LIMITS, **limits})


def codes(refused: pytest.ExceptionInfo[FileRefused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_archives_give_their_files_and_the_table_that_describes_them(tmp_path):
    table = "file,alt,transcript\na.png,Green.,\nb.wav,,A tone.\n"
    packed = archive({"deep/a.png": picture(), "b.wav": recording(0.5), "words/media.csv": table})
    found = prepared(tmp_path, {"all.zip": packed})
    assert [(one.name, one.kind, one.mime) for one in found.files] == [
        ("a.png", "image", "image/png"),
        ("b.wav", "audio", "audio/wav"),
    ]
    assert (found.files[0].width, found.files[0].height, found.files[1].seconds) == (6, 4, 0.5)
    assert (found.descriptions["a.png"].alt, found.descriptions["b.wav"].transcript) == ("Green.", "A tone.")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_pictures_lose_their_metadata_and_keep_their_pixels(tmp_path, kind):
    sent = picture("red", kind=kind)
    assert PLACE.encode() in sent
    (file,) = prepared(tmp_path, {"a": sent}).files
    stored = file.path.read_bytes()
    assert PLACE.encode() not in stored
    with Image.open(io.BytesIO(stored)) as shown:
        assert (shown.size, shown.info.get("exif")) == ((6, 4), None)
        reddest = shown.convert("RGB").getpixel((3, 2))
    assert isinstance(reddest, tuple)
    assert reddest[0] > 240
    assert max(reddest[1:]) < 20


def test_a_picture_is_stored_upright(tmp_path):
    drawn, written = Image.new("RGB", (6, 4)), io.BytesIO()
    exif = drawn.getexif()
    exif[0x0112] = 6
    drawn.save(written, "JPEG", exif=exif)
    (file,) = prepared(tmp_path, {"a.jpg": written.getvalue()}).files
    assert (file.width, file.height) == (4, 6)


def written_as(drawn: Image.Image, kind: str, **options: Any) -> bytes:
    written = io.BytesIO()
    drawn.save(written, kind, **options)
    return written.getvalue()


def pixel_of(path: Path) -> Any:
    with Image.open(path) as shown:
        assert "icc_profile" not in shown.info
        return shown.getpixel((0, 0))


def lab_profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()


def swapped_profile() -> bytes:
    """A profile of RGB in which red is green: sRGB with the tags of the two exchanged."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for old, new in ((b"rXYZ", b"qXYZ"), (b"gXYZ", b"rXYZ"), (b"qXYZ", b"gXYZ")):
        profile = profile.replace(old, new)
    return profile.replace("sRGB".encode("utf-16-be"), "mine".encode("utf-16-be"))


@pytest.mark.parametrize(
    ("mode", "sent", "stored"),
    [
        ("RGB", (255, 0, 0), (0, 255, 0)),
        ("RGBA", (255, 0, 0, 40), (0, 255, 0, 40)),
    ],
)
def test_colours_are_converted_by_their_profile(tmp_path, mode, sent, stored):
    drawn = Image.new(mode, (4, 4), sent)
    (file,) = prepared(tmp_path, {"a.png": written_as(drawn, "PNG", icc_profile=swapped_profile())}).files
    shown = pixel_of(file.path)
    assert len(shown) == len(stored)
    assert max(abs(one - other) for one, other in zip(shown, stored, strict=True)) <= 2


@pytest.mark.parametrize("profile", [b"no profile", lab_profile()])
@pytest.mark.parametrize(("mode", "colour"), [("RGB", (200, 30, 10)), ("L", 90), ("LA", (90, 40))])
def test_a_profile_that_does_not_fit_changes_nothing(tmp_path, profile, mode, colour):
    drawn = Image.new(mode, (4, 4), colour)
    (file,) = prepared(tmp_path, {"a.png": written_as(drawn, "PNG", icc_profile=profile)}).files
    assert pixel_of(file.path) == colour


def test_the_first_picture_of_a_photograph_of_a_phone_is_stored(tmp_path):
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    sent = written_as(first, "MPO", save_all=True, append_images=[second])
    (file,) = prepared(tmp_path, {"a.jpg": sent}).files
    assert file.mime == "image/jpeg"
    assert pixel_of(file.path)[0] > 240


@pytest.mark.parametrize("name", ["../../evil.png", "/etc/evil.png", "..\\..\\evil.png", "a/../../evil.png"])
def test_no_member_of_an_archive_leaves_the_folder(tmp_path, name):
    found = prepared(tmp_path, {"all.zip": archive({name: picture()})})
    assert [one.name for one in found.files] == ["evil.png"]
    assert found.files[0].path.parent == tmp_path / "prepared"
    assert not list(tmp_path.parent.glob("evil*"))


def bomb_of_pixels() -> bytes:
    """A PNG of 60,000 × 60,000 pixels that is a few bytes long."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


def animated() -> bytes:
    written = io.BytesIO()
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "blue")]
    frames[0].save(written, "GIF", save_all=True, append_images=frames[1:])
    return written.getvalue()


def deep() -> bytes:
    """A grey PNG of 16 bits."""
    written = io.BytesIO()
    Image.new("I;16", (4, 4), 1000).save(written, "PNG")
    return written.getvalue()


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a.png": b"<svg onload='alert(1)'></svg>"}, "not_a_media_file"),
        ({"a.png": b"<html><script>1</script>"}, "not_a_media_file"),
        ({"a.png": picture()[:60]}, "damaged_file"),
        ({"a.wav": b"RIFF\x10\x00\x00\x00WAVE"}, "damaged_file"),
        ({"a.png": bomb_of_pixels()}, "too_many_pixels"),
        ({"a.png": picture(size=(101, 100))}, "too_many_pixels"),
        ({"a.gif": animated()}, "animated_picture"),
        ({"a.png": deep()}, "unsupported_depth"),
        ({"a.zip": archive({"bomb.wav": bytes(2 << 20)})}, "media_too_large"),
        ({"a.zip": archive({f"{n}.wav": bytes(1 << 20) for n in range(5)})}, "media_too_much"),
        ({"a.wav": bytes(2 << 20)}, "media_too_large"),
        ({"a.zip": archive({"a.png": picture()})[:-30]}, "damaged_archive"),
        ({"a.zip": archive({"b.zip": archive({"a.png": picture()})})}, "not_a_media_file"),
        ({"a.zip": archive({"x/a.png": picture(), "y/a.png": picture()})}, "name_twice"),
        ({"a.zip": archive({"media.csv": "file,alt\n../a.png,x\n"})}, "bad_media_name"),
        ({"a.zip": archive({"__MACOSX/a.png": b"", ".DS_Store": b""})}, "no_media"),
    ],
)
def test_what_cannot_be_shown_safely_is_refused_with_its_reason(tmp_path, files, code):
    with pytest.raises(FileRefused) as refused:
        prepared(tmp_path, files)
    assert code in codes(refused)


def test_an_archive_that_lies_about_its_sizes_is_counted_as_it_is_read(tmp_path):
    packed = bytearray(archive({"bomb.wav": bytes(2 << 20)}))
    at = packed.index(b"PK\x01\x02") + 24
    packed[at : at + 4] = struct.pack("<I", 10)
    with pytest.raises(FileRefused) as refused:
        prepared(tmp_path, {"a.zip": bytes(packed)})
    assert codes(refused)[0] in {"media_too_large", "damaged_archive"}


@pytest.mark.parametrize("compression", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_an_archive_with_another_compression_is_refused(tmp_path, compression):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as packed:
        packed.writestr("a.png", picture())
    with pytest.raises(FileRefused) as refused:
        prepared(tmp_path, {"a.zip": written.getvalue()})
    assert codes(refused) == ["unsupported_compression"]


PACKED = archive({"雨.png": picture(), "b.png": picture("red")})


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, len(PACKED) - 1), st.integers(0, 255)), min_size=1, max_size=4))
@example([(PACKED.rindex("雨".encode()), 0xFF)])
@example([(PACKED.index("雨".encode()), 0xFF)])
@example([(PACKED.rindex(b"PK\x01\x02") + 8, 0x20)])
@example([(PACKED.rindex(b"PK\x05\x06") + 15, 0xFF)])
def test_an_archive_with_wrong_bytes_is_read_or_refused(changes):
    damaged = bytearray(PACKED)
    for position, byte in changes:
        damaged[position] = byte
    with TemporaryDirectory() as folder, suppress(FileRefused):
        prepared(Path(folder), {"a.zip": bytes(damaged)})


def test_a_full_disk_is_not_taken_for_a_damaged_archive(tmp_path):
    packed = tmp_path / "a.zip"
    packed.write_bytes(PACKED)
    (tmp_path / "member-1.png").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        list(unpacked([packed], tmp_path, Room(1 << 20, 1 << 20)))


@given(st.text(max_size=130))
def test_a_name_is_never_a_path(name):
    if is_name(name):
        assert Path(name).name == name
        assert not name.startswith(".")
        assert len(name) <= 120


@pytest.mark.parametrize(
    ("name", "fits"), [("雨" * 80, True), ("雨" * 81, False), ("a" * 120, True), ("a\ud800.png", False)]
)
def test_a_name_is_one_that_file_systems_take(name, fits):
    assert is_name(name) == fits
