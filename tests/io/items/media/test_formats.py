"""A media file is what its content says, whatever it is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.io.items.media.formats import FORMATS, JPEG, MP3, MP4, PNG, WAV, WEBM, recognise
from tests.support.media.media_study import picture, recording


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (picture(), PNG),
        (picture(kind="JPEG"), JPEG),
        (recording(0.1), WAV),
        (b"\xff\xfb\x90\x64" + bytes(400), MP3),
        (b"\x00\x00\x00\x20ftypisom" + bytes(20), MP4),
        (b"\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm", WEBM),
    ],
)
def test_formats_are_found_from_the_content(content, expected):
    assert recognise(content) == expected


@pytest.mark.parametrize(
    "content",
    [
        b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
        b"<!doctype html><script>alert(1)</script>",
        b"%PDF-1.7",
        b"MZ\x90\x00",
        b"RIFF\x00\x00\x00\x00AVI ",
        b"\x00\x00\x00\x20ftypavif" + bytes(20),
        b"OggS" + bytes(30) + b"\x80theora",
        b"",
    ],
)
def test_what_could_be_active_or_is_not_shown_by_browsers_is_no_media_file(content):
    assert recognise(content) is None


@given(st.binary(max_size=64))
def test_any_bytes_are_a_listed_format_or_none(content):
    assert recognise(content) in {*FORMATS, None}
